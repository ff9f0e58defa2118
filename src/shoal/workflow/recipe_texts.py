"""A recipe as a script and as a command: what a person keeps who clicked it together."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from shoal.models.promise import Promise
from shoal.types import Role
from shoal.workflow.registry import Method, find_method, method_of, options_of

if TYPE_CHECKING:
    from shoal.workflow.recipe import Recipe


def python_script(recipe: Recipe, source: str, target: str) -> str:
    """A script that reads the source, applies the steps and releases the target if the promise is kept.

    >>> from shoal.workflow.recipe import Recipe
    >>> made = Recipe("ages", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 2}])
    >>> print(python_script(made, "people.csv", "out.csv").splitlines()[5])
    released = shoal.release(table, masked, shoal.Promise(k=2), "out.csv")
    """
    kinds = f", kinds={dict(recipe.kinds)!r}" if recipe.kinds else ""
    whole = recipe.promised.whole_households is not None
    first = ["apart" if whole else "table", *["masked"] * (len(recipe.steps) - 1)]
    calls = [f"masked = {_as_python(*pair)}" for pair in zip(recipe.bound_steps(), first, strict=True)]
    if whole:
        apart = f"apart = by_household_size(table, k={recipe.promised.class_size})"
        calls = [apart, *calls, "masked = masked.select(table.names())"]
    if recipe.edits:
        calls.append(f"masked = with_totals(table, masked, {recipe.edits!r})")
        calls.append(f"print(*check_edits(table, masked, {recipe.edits!r}), sep='\\n')")
    used = sorted({name for step in recipe.steps for name in _methods_in(step)})
    imports = [f"from {_home(find_method(name))} import {name}" for name in used]
    grown = [f"table = with_hierarchies(table, {dict(recipe.hierarchies)!r})"] if recipe.hierarchies else []
    imports += ["from shoal.hierarchy import with_hierarchies"] if grown else []
    imports += EDITING if recipe.edits else []
    imports += [SIZES] if whole else []
    partials = ["from functools import partial", ""] if any("partial(" in call for call in calls) else []
    return "\n".join(
        [
            *partials,
            "import shoal",
            *imports,
            "",
            f"table = shoal.read_table({_quoted(source)}, roles={dict(recipe.roles)!r}{kinds})",
            *grown,
            *calls,
            f"released = shoal.release(table, masked, {_promise(recipe.promised)}, {_quoted(target)})",
            "print(released.verdict)",
            "print(released.evaluation)",
            "",
        ]
    )


def command_line(recipe: Recipe, source: str, target: str, recipe_file: str) -> str:
    """The command `shoal mask` with everything as options, or `shoal run` where options cannot say it.

    >>> from shoal.workflow.recipe import Recipe
    >>> made = Recipe("ages", {"quasi": ["age"]}, [{"method": "top_code", "quantile": 0.9}], promise={"k": 5})
    >>> command_line(made, "people.csv", "out.csv", "ages.toml")
    'shoal mask people.csv --quasi age --k 5 --method top_code --set quantile=0.9 -o out.csv'
    """
    words = list(_as_options(recipe)) if _can_be_said(recipe) else [recipe_file]
    verb = "mask" if _can_be_said(recipe) else "run"
    return shlex.join(["shoal", verb, _path(source), *words, "-o", _path(target)])


SIZES = "from shoal.workflow.by_household_size import by_household_size"
EDITING = ["from shoal.edits import check_edits", "from shoal.workflow.edits_kept import with_totals"]
ROLE_OPTIONS: tuple[Role, ...] = ("quasi", "confidential", "identifier", "weight", "household", "stratum")


def _can_be_said(recipe: Recipe) -> bool:
    """Whether the options of `shoal mask` can say it all: plain names, one step of a kind, no hierarchies."""
    names = [name for members in recipe.roles.values() for name in members] + [*recipe.kinds]
    names += [*recipe.promise.l, *recipe.promise.t]
    orders = [kind for kind in recipe.kinds.values() if not isinstance(kind, str)]
    texts = [text for order in orders for text in order]
    once = max(Counter(step["method"] for step in recipe.steps).values()) == 1
    single = all(len(recipe.roles.get(role, ())) < 2 for role in ("weight", "household"))
    plain = all(
        isinstance(text, str) and text and re.search(r"^\s|\s$|[,=\n]", text) is None
        for text in names + texts
    )
    hidden = {*recipe.promise.l, *recipe.promise.t} <= {*recipe.roles.get("confidential", ())}
    return (
        plain
        and hidden
        and once
        and single
        and not (recipe.hierarchies or recipe.edits)
        and not recipe.roles.get("other")
    )


def _as_options(recipe: Recipe) -> Iterator[str]:
    for role in ROLE_OPTIONS:
        if recipe.roles.get(role):
            yield from _option(role, ",".join(recipe.roles[role]))
    for name, kind in recipe.kinds.items():
        yield from (
            _option(kind, name) if isinstance(kind, str) else _option("ordinal", f"{name}={','.join(kind)}")
        )
    yield from _promise_options(recipe.promise)
    methods = [step["method"] for step in recipe.steps]
    yield from _option("steps" if len(methods) > 1 else "method", ",".join(methods))
    for step in recipe.steps:
        for name, value in step.items():
            owner = f"{step['method']}." if len(methods) > 1 else ""
            if name != "method":
                yield from _option("set", f"{owner}{name}={_option_value(value)}")


def _promise_options(promise: Promise) -> Iterator[str]:
    if promise.k is not None:
        yield from _option("k", str(promise.k))
    for sign in ("l", "t"):
        for name, value in getattr(promise, sign).items():
            yield from _option(sign, f"{name}={value!r}")
    if promise.max_risk is not None:
        yield from _option("max-risk", f"{promise.max_risk!r}")
    if promise.known_keys is not None:
        yield from _option("known-keys", str(promise.known_keys))
    if promise.whole_households is not None:
        yield from _option("whole-households", promise.whole_households)
    for model, options in promise.others.items():
        for name, value in options.items():
            yield from _option("model", f"{model}.{name}={_option_value(value)}")


def _option(name: str, value: str) -> tuple[str, ...]:
    return (f"--{name}={value}",) if value.startswith("-") else (f"--{name}", value)


def _option_value(value: Any) -> str:
    """TOML, but the names of methods and choices bare."""
    bare = (
        isinstance(value, str)
        and re.fullmatch(r"[a-z]\w*", value)
        and value not in ("true", "false", "inf", "nan")
    )
    return value if bare else toml_value(value)


def _path(path: str) -> str:
    return f"./{path}" if path.startswith("-") else path


def _quoted(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)


def _promise(promise: Promise) -> str:
    """The promise as it is written in Python."""
    parts = [
        f"{name}={value!r}"
        for name in (field.name for field in fields(promise))
        if (value := getattr(promise, name))
    ]
    return f"shoal.Promise({', '.join(parts)})"


def _as_python(step: Mapping[str, Any], *positional: str) -> str:
    """The call of a method; one without positional arguments is frozen by `partial`."""
    options = options_of(find_method(step["method"]))
    frozen = [f"{name}={_value(options[name], value)}" for name, value in step.items() if name != "method"]
    if positional:
        return f"{step['method']}({', '.join([*positional, *frozen])})"
    return f"partial({', '.join([step['method'], *frozen])})" if frozen else str(step["method"])


def _value(parameter: inspect.Parameter, value: Any) -> str:
    nested = method_of(parameter, value)
    return repr(value) if nested is None else _as_python(nested)


def _methods_in(step: Mapping[str, Any]) -> Iterable[str]:
    """Names of the methods a step uses, nested ones included."""
    yield step["method"]
    options = options_of(find_method(step["method"]))
    for name in step.keys() - {"method"}:
        nested = method_of(options[name], step[name])
        if nested is not None:
            yield from _methods_in(nested)


def _home(method: Method) -> str:
    """The room a method is exported from: shoal.partition.mdav lives in shoal.partition."""
    return ".".join(method.__module__.split(".")[:2])


def toml_value(value: Any) -> str:
    """A value as TOML text.

    >>> toml_value({"age": [1, 2.5]})
    '{ age = [1, 2.5] }'
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON allows a raw DEL, TOML not


def toml_key(key: str) -> str:
    """A key as TOML text.

    >>> toml_key("age"), toml_key("a b")
    ('age', '"a b"')
    """
    bare = key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()
    return key if bare else toml_value(key)
