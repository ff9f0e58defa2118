"""Recipes: what was done to a file, as text that can be kept, shown, sent and run again."""

from __future__ import annotations

import inspect
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from shoal._check import check_choice, check_names
from shoal._door import takes_frames
from shoal._options import sub_progress, with_known_options
from shoal.errors import InvalidInput
from shoal.hierarchy import Hierarchy, with_hierarchies
from shoal.models.promise import Promise
from shoal.table import ROLES, Table, as_table
from shoal.types import Callback, RandomState, Role
from shoal.workflow.fit_steps import fit_steps, with_unknown_values
from shoal.workflow.registry import (
    STEPS,
    Method,
    bind_method,
    find_method,
    method_of,
    options_of,
    renewed,
    with_promise,
)

FITTED = "# A fitted recipe: `shoal apply NEXT_FILE THIS_FILE -o OUT` treats another file alike."


@dataclass(frozen=True)
class Recipe:
    """Roles of the columns and the maskers to apply, in order, all by name.

    Parameters
    ----------
    name
        What to call it.
    roles
        Column names by role, as in `as_table`.
    steps
        One mapping per masker: ``{"method": "microaggregate", "k": 5}``. An option that is itself a method is
        a name, or a mapping with its options: ``"partition": {"method": "mdav", "leftovers": "nearest"}``.
    kinds
        Kinds by column name where the inferred one is wrong, as in `as_table`.
    promise
        What the release keeps, a `Promise` or a mapping such as ``{"k": 5}``. Steps that take k get it from
        there unless they say otherwise; without one the recipe promises the largest k of its steps.
    hierarchies
        How columns generalise, by name, as `shoal.hierarchy.as_hierarchy` takes it: a csv file by name, or
        e.g. ``{"age": {"widths": [5, 10]}}``. Maskers and everything that evaluates the file use them.

    Notes
    -----
    Unknown names and options are refused when the recipe is made. A seed is a secret and never part of a
    recipe: give `rng` to `run`.

    Examples
    --------
    >>> recipe = Recipe("ages", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 2}])
    >>> recipe.run(as_table({"age": [20, 22, 61, 63]})).frame["age"].to_list()
    [21.0, 21.0, 62.0, 62.0]
    >>> Recipe.from_toml(recipe.to_toml()) == recipe
    True
    """

    name: str
    roles: Mapping[Role, Sequence[str]]
    steps: Sequence[Mapping[str, Any]]
    kinds: Mapping[str, Any] = field(default_factory=dict)
    promise: Promise = field(default_factory=Promise)
    hierarchies: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for role, members in self.roles.items():
            check_choice("role", role, ROLES)
            if isinstance(members, str) or not all(isinstance(name, str) for name in members):
                raise InvalidInput(f"The role {role} of a recipe needs a list of column names.")
        if not self.steps:
            raise InvalidInput('The recipe has no steps; add one, e.g. {"method": "microaggregate", "k": 5}.')
        if not isinstance(self.promise, Promise):
            object.__setattr__(self, "promise", Promise.from_dict(self.promise))
        object.__setattr__(self, "steps", [renewed(step) for step in self.steps])
        for step in self.bound_steps():
            bind_method(step, STEPS)
        object.__setattr__(self, "roles", {role: list(names) for role, names in self.roles.items()})
        object.__setattr__(self, "hierarchies", {name: _plain(h) for name, h in self.hierarchies.items()})

    @property
    def promised(self) -> Promise:
        """What is promised: what the recipe says, else the largest k of its steps, else nothing."""
        k = max((step["k"] for step in self.steps if "k" in step and _whole_records(step)), default=None)
        return self.promise or Promise(k=k)

    def bound_steps(self) -> list[dict[str, Any]]:
        """The steps as they are run: k, l and t come from the promise where a step takes but lacks them."""
        return [with_promise(step, self.promise) for step in self.steps]

    def describe(self, table: Table) -> Table:
        """The table with the roles, kinds and hierarchies of the recipe."""
        described = as_table(table, roles=self.roles or None, kinds=self.kinds)
        return with_hierarchies(described, self.hierarchies)

    @takes_frames
    def run(self, table: Table, *, rng: RandomState = None, callback: Callback | None = None) -> Table:
        """Give the table these roles and apply the steps; the same rng gives the same file."""
        rng = np.random.default_rng(rng)
        masked = self.describe(table)
        for position, (step, stream) in enumerate(
            zip(self.bound_steps(), rng.spawn(len(self.steps)), strict=True)
        ):
            masker = bind_method(step, STEPS)
            given = {"rng": stream, "callback": sub_progress(callback, position, len(self.steps))}
            masked = with_known_options(masker, **given)(masked)
        return masked

    @takes_frames
    def fit(
        self,
        table: Table,
        *,
        keep_centres: bool = False,
        rng: RandomState = None,
        callback: Callback | None = None,
    ) -> tuple[Table, Fitted]:
        """Run the recipe and keep what its steps learned, for the next file: thresholds, matrices, moments.

        `keep_centres` also keeps the centres of microaggregated groups, which records of the next file join.
        """
        first = as_table(table, roles=self.roles or None, kinds=self.kinds)
        masked, steps, learned = fit_steps(
            self.bound_steps(), first, keep_centres=keep_centres, rng=rng, callback=callback
        )
        return masked, Fitted(replace(self, steps=steps), learned)

    def to_dict(self) -> dict[str, Any]:
        """The recipe as plain dicts and lists."""
        kinds = {"kinds": dict(self.kinds)} if self.kinds else {}
        promise = {"promise": self.promise.to_dict()} if self.promise else {}
        grown = {"hierarchies": dict(self.hierarchies)} if self.hierarchies else {}
        head: dict[str, Any] = {"name": self.name, "roles": dict(self.roles), **kinds, **promise, **grown}
        return {**head, "steps": list(self.steps)}

    def to_json(self) -> str:
        """The recipe as JSON text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_toml(self) -> str:
        """The recipe as TOML text."""
        lines = [f"name = {_toml(self.name)}"]
        for section in ("roles", "kinds", "promise", "hierarchies"):
            entries = self.to_dict().get(section, {})
            lines += ["", f"[{section}]"] if entries else []
            lines += [f"{_toml_key(key)} = {_toml(value)}" for key, value in entries.items()]
        for step in self.steps:
            lines += ["", "[[steps]]", *(f"{_toml_key(key)} = {_toml(value)}" for key, value in step.items())]
        return "\n".join(lines) + "\n"

    def to_python(self) -> str:
        """A script that does the same."""
        kinds = f", kinds={dict(self.kinds)!r}" if self.kinds else ""
        first = ["table", *["masked"] * (len(self.steps) - 1)]
        calls = [f"masked = {_as_python(*pair)}" for pair in zip(self.bound_steps(), first, strict=True)]
        used = sorted({name for step in self.steps for name in _methods_in(step)})
        imports = [f"from {_home(find_method(name))} import {name}" for name in used]
        grown = [f"table = with_hierarchies(table, {dict(self.hierarchies)!r})"] if self.hierarchies else []
        imports += ["from shoal.hierarchy import with_hierarchies"] if grown else []
        partials = ["from functools import partial", ""] if any("partial(" in call for call in calls) else []
        return "\n".join(
            [
                *partials,
                "import shoal",
                *imports,
                "",
                f'table = shoal.read_table("original.csv", roles={dict(self.roles)!r}{kinds})',
                *grown,
                *calls,
                "print(shoal.evaluate(table, masked))",
                'shoal.write_table(masked, "protected.csv")',
                "",
            ]
        )

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Recipe:
        """A recipe from plain dicts and lists."""
        known = ("name", "roles", "steps", "kinds", "promise", "hierarchies")
        check_names(content, known, what="entry of a recipe")
        if not isinstance(content.get("steps"), Sequence) or isinstance(content["steps"], str):
            raise InvalidInput("A recipe needs a list of steps; write one [[steps]] table per masker.")
        return cls(
            content.get("name", "recipe"),
            content.get("roles", {}),
            content["steps"],
            content.get("kinds", {}),
            content.get("promise", {}),
            content.get("hierarchies", {}),
        )

    @classmethod
    def from_json(cls, text: str) -> Recipe:
        """A recipe from JSON text."""
        try:
            content = json.loads(text)
        except json.JSONDecodeError as error:
            raise InvalidInput(f"The recipe is not JSON (line {error.lineno}): {error.msg}.") from error
        if not isinstance(content, Mapping):
            raise InvalidInput("The recipe must be a JSON object with name, roles and steps.")
        return cls.from_dict(content)

    @classmethod
    def from_toml(cls, text: str) -> Recipe:
        """A recipe from TOML text."""
        try:
            return cls.from_dict(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"The recipe is not TOML: {error}.") from error

    @classmethod
    def read(cls, path: str | Path) -> Recipe:
        """A recipe from a .toml or .json file."""
        path = Path(path)
        suffix = check_choice("recipe file type", path.suffix.lower(), (".toml", ".json"))
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise InvalidInput(f"The recipe {path.name!r} cannot be read: {error.strerror}.") from error
        found = cls.from_toml(text) if suffix == ".toml" else cls.from_json(text)
        return replace(found, hierarchies={n: _beside(path, h) for n, h in found.hierarchies.items()})


@dataclass(frozen=True)
class Fitted:
    """A recipe whose computed options have become values, and what each step learned, in words.

    Examples
    --------
    >>> recipe = Recipe("ages", {"quasi": ["age"]}, [{"method": "top_code", "quantile": 0.5}])
    >>> masked, fitted = recipe.fit(as_table({"age": [20, 30, 90]}))
    >>> fitted.learned
    ('top_code keeps its threshold.',)
    >>> fitted.apply(as_table({"age": [70, 25]})).frame["age"].to_list()
    [30, 25]
    """

    recipe: Recipe
    learned: tuple[str, ...] = ()

    @takes_frames
    def apply(
        self,
        table: Table,
        *,
        unknown: Literal["refuse", "top"] = "refuse",
        rng: RandomState = None,
        callback: Callback | None = None,
    ) -> Table:
        """Treat another file like the one the recipe was fitted on; check the promise on it as on any other.

        A value that a kept hierarchy does not name is refused by column and row, or with unknown="top"
        released as the label that covers all.
        """
        check_choice("unknown", unknown, ("refuse", "top"))
        if unknown == "refuse":
            return self.recipe.run(table, rng=rng, callback=callback)
        steps = with_unknown_values(self.recipe.steps, as_table(table))
        return replace(self.recipe, steps=steps).run(table, rng=rng, callback=callback)

    def to_toml(self) -> str:
        """The fitted recipe as TOML text; it holds no record and no seed."""
        notes = "".join(f"# {line}\n" for line in self.learned)
        return f"{FITTED}\n{notes}\n{self.recipe.to_toml()}"

    @classmethod
    def read(cls, path: str | Path) -> Fitted:
        """A fitted recipe from a .toml file; a plain recipe is one that learned nothing."""
        recipe = Recipe.read(path)
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        return cls(recipe, tuple(line[2:] for line in lines if line.startswith("# ") and line != FITTED))


def _plain(hierarchy: Any) -> Any:
    """A hierarchy as a recipe can hold it."""
    if isinstance(hierarchy, Hierarchy):
        return {"rows": [list(path) for path in hierarchy.paths]}
    return str(hierarchy) if isinstance(hierarchy, Path) else hierarchy


def _beside(recipe: Path, hierarchy: Any) -> Any:
    """The name of a csv file that lies beside the recipe, not where the program runs."""
    if isinstance(hierarchy, str) and not Path(hierarchy).exists() and (recipe.parent / hierarchy).exists():
        return str(recipe.parent / hierarchy)
    return hierarchy


def _whole_records(step: Mapping[str, Any]) -> bool:
    """Whether the k of a step counts whole records, not columns masked apart."""
    return step["method"] != "individual_ranking" and len(step.get("groups") or ()) < 2


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


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml_key(key)} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON allows a raw DEL, TOML not


def _toml_key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "a").replace("-", "a").isalnum()
    return key if bare else _toml(key)
