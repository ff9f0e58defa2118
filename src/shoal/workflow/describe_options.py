"""The options of a method as the fields of a form: what may be given, within which limits, in a sentence."""

from __future__ import annotations

import collections.abc
import inspect
import re
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, TypeAlias, Union

import numpy as np

from shoal.masking import PRAM_MATRICES
from shoal.search import GROUPINGS, PRAM_SEARCHES, SEARCHES
from shoal.workflow.option_words import BY_METHOD, LIMITS, SENTENCES
from shoal.workflow.registry import INGREDIENTS, MENUS, STEPS, Method, find_method, options_of

FieldType: TypeAlias = Literal[
    "whole number", "number", "yes or no", "choice", "text", "columns", "column groups", "method",
    "hierarchies", "promise", "values",
]  # fmt: skip

COLUMN_NAMES = {"household", "individual_risk.weights"}  # a text that names a column
SPECIAL: Mapping[str, FieldType] = {
    "hierarchies": "hierarchies",
    "promise": "promise",
    "groups": "column groups",
    "similar": "column groups",
    "linked": "column groups",
    "initial": "values",
    "known": "column groups",
    "rules": "text",
    "where": "text",
    "evolve_file.population": "values",
    "merge": "values",
    "cuts": "values",
    "centres": "values",
    "moments": "values",
}
NUMBERS = {"threshold"}  # annotated as anything, since a category is a threshold too
NESTED = {"masker", "maskers", "matrices"}  # methods, though the default is none


@dataclass(frozen=True)
class OptionField:
    """One option of a method, as a form can ask for it.

    `default` is plain (the name of a method, None where nothing is set), `low` and `high` may be given
    themselves, `by_column` says that a mapping from columns to values may be given, and `choices` are names
    of methods where the type is "method".

    >>> OptionField("k", "whole number", True, "How many look alike.", low=2).limits
    'at least 2'
    """

    name: str
    type: FieldType
    needed: bool
    sentence: str
    default: Any = None
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    by_column: bool = False

    @property
    def limits(self) -> str:
        """The range in words, empty if there is none."""
        if self.low is None:
            return ""
        least = "more than 0" if 0 < self.low < 1e-6 else f"at least {self.low:g}"
        if self.high is None:
            return least
        return (
            f"{least}, at most {self.high:g}"
            if self.low < 1e-6 and self.low
            else f"{self.low:g} to {self.high:g}"
        )


def describe_options(method: Method | str) -> tuple[OptionField, ...]:
    """The options of a method as the fields of a form.

    Parameters
    ----------
    method
        A method of the menus, or its name.

    Returns
    -------
    tuple of OptionField
        In the order of the signature, without what is given when it is run: `rng`, `workers`, `callback`.

    Notes
    -----
    Type, choices and default come from the signature, the sentence is the first one of the docstring. Nothing
    is run. Time: some milliseconds.

    Examples
    --------
    >>> for field in describe_options("rank_swap")[:2]:
    ...     print(field.name, field.type, field.needed)
    percent number True
    strata columns False
    """
    found = find_method(method) if isinstance(method, str) else method
    return tuple(_field(found, parameter) for parameter in options_of(found).values())


def _field(method: Method, parameter: inspect.Parameter) -> OptionField:
    name, whole = parameter.name, f"{method.__name__}.{parameter.name}"
    hints = list(_alternatives(_hint(method, parameter.annotation)))
    default = None if parameter.default is parameter.empty else parameter.default
    type_, choices = _type(name, whole, hints, default)
    by_column = any(_origin(hint) is collections.abc.Mapping for hint in hints) or name == "threshold"
    limited = type_ in ("whole number", "number")
    low, high = LIMITS.get(whole, LIMITS.get(name, (None, None))) if limited else (None, None)
    return OptionField(
        name,
        type_,
        parameter.default is parameter.empty,
        _sentence(method, name),
        getattr(default, "__name__", default) if callable(default) else default,
        choices,
        low,
        high,
        by_column and type_ not in ("hierarchies", "promise"),
    )


def _type(name: str, whole: str, hints: list[Any], default: Any) -> tuple[FieldType, tuple[Any, ...]]:
    """What kind of field the annotation asks for, and what can be chosen."""
    if name in SPECIAL or whole in SPECIAL:
        return SPECIAL.get(whole, SPECIAL.get(name, "values")), _methods("groups") if name == "groups" else ()
    if name in COLUMN_NAMES or whole in COLUMN_NAMES:
        return "columns", ()
    words = tuple(chain.from_iterable(typing.get_args(hint) for hint in hints if _origin(hint) is Literal))
    if bool in hints:
        return "yes or no", ()
    numeric = _numeric(hints) or ("number" if name in NUMBERS else None)
    if numeric:
        return numeric, words
    if words:
        return "choice", words
    if callable(default) or name in NESTED:
        return "method", _methods(name, default)
    if any(_origin(hint) in (collections.abc.Iterable, collections.abc.Sequence) for hint in hints):
        return "columns", ()
    return ("text", ()) if str in hints else ("values", ())


def _methods(name: str, default: Any = None) -> tuple[str, ...]:
    """Names of the methods that an option takes."""
    if name == "groups":
        menu: Any = (*SEARCHES, *GROUPINGS)
    elif name == "matrices":
        menu = (*PRAM_MATRICES, *PRAM_SEARCHES)
    elif name in ("masker", "maskers"):
        menu = STEPS
    else:
        menus = (*INGREDIENTS.values(), *MENUS.values())
        menu = next((entries for entries in menus if default in entries), ())
    return tuple(method.__name__ for method in menu)


def _numeric(hints: list[Any]) -> FieldType | None:
    """Whether a number is asked for: as such, as the value of a mapping, or as a pair."""
    inner = [
        arguments[-1]
        for hint in hints
        if (arguments := typing.get_args(hint)) and _origin(hint) is not Literal
    ]
    plain = [
        hint for hint in (*hints, *chain.from_iterable(map(_alternatives, inner))) if isinstance(hint, type)
    ]
    if str in plain and str not in hints:
        return None
    return "number" if float in plain else "whole number" if int in plain else None


def _alternatives(hint: Any) -> Iterator[Any]:
    """The parts of a union, without None."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is Union:
        for part in typing.get_args(hint):
            yield from _alternatives(part)
    elif hint is not type(None):
        yield hint


def _origin(hint: Any) -> Any:
    return typing.get_origin(hint) or hint


def _hint(method: Method, annotation: Any) -> Any:
    """An annotation, read where the method is written; Any if it cannot be read."""
    if not isinstance(annotation, str):
        return annotation
    names = {**vars(typing), **vars(collections.abc), "np": np}
    try:
        return eval(annotation, {**names, **inspect.unwrap(method).__globals__})
    except (NameError, AttributeError, TypeError):
        return Any


def _sentence(method: Method, name: str) -> str:
    """The first sentence on an option in the docstring, without what only programmers need."""
    whole = f"{method.__name__}.{name}"
    said = _paragraph(method, name)
    if name in SENTENCES and (whole not in BY_METHOD or not said):
        return SENTENCES[name]
    like = re.match(r"As in `(?:[\w.]*\.)?(\w+)`", said)
    if like:
        return _sentence(find_method(like[1]), name)
    plain = re.sub(r",? see `[^`]*`", "", said).replace("`", "")
    first = re.match(r"(.+?[.?])(?=\s[A-Z\"]|$)", plain)
    return first[1] if first else plain


def _paragraph(method: Method, name: str) -> str:
    """What the section Parameters says on an option, on one line."""
    text = inspect.getdoc(method) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-{3,}$|\Z)", text, re.S | re.M)
    heads = re.split(r"^(?=\S)", section[1], flags=re.M) if section else []
    for entry in heads:
        head, _, body = entry.partition("\n")
        if name in (word.strip() for word in head.split(",")):
            return " ".join(body.split())
    return ""
