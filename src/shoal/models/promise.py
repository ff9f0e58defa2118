"""The promise: what a release keeps, as values that can be written down and counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from inspect import Parameter, signature
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_choice, check_count, check_names, check_number
from shoal.errors import InvalidInput
from shoal.models import MODELS, Classes, class_size_of, distinct_l_diverse, k_anonymous, max_risk, t_close

USUAL_THRESHOLD = 0.2  # a fraction: one in five, as `evaluate` has it
Model: TypeAlias = Callable[[Classes], NDArray[np.bool_]]

OWN = (
    "k",
    "known_keys",
    "whole_households",
    "l",
    "t",
    "max_risk",
)  # models that have an entry of their own; others go by their name


@dataclass(frozen=True)
class Promise:
    """What a release keeps for every class of records that look alike.

    Parameters
    ----------
    k
        At least this many records (households, where that role is given) look alike.
    known_keys
        An intruder knows at most this many of the keys at a time: k and the highest risk are counted in any
        set of so many. All of them if not given, which is what k means elsewhere.
    whole_households
        k and the highest risk also hold for households as wholes: "size" for who knows what all members share
        and how many they are, "members" for who knows the keys of every member, too (stronger).
    l
        At least this many different values of a confidential column in every class, by column.
    t
        Greatest distance of a class from the whole file (0 to 1), by confidential column.
    max_risk
        Highest chance, as a fraction, to pick the right record: 0.09 means 12 look alike.
    others
        Other models by name with their options, see `shoal.models.MODELS`.

    Examples
    --------
    >>> promise = Promise(k=5, l={"salary": 2}, max_risk=0.09)
    >>> promise.class_size
    12
    >>> promise.to_dict()
    {'k': 5, 'l': {'salary': 2}, 'max_risk': 0.09}
    >>> Promise.from_dict({"k": 5}) == Promise(k=5)
    True
    """

    k: int | None = None
    l: Mapping[str, float] = field(default_factory=dict)
    t: Mapping[str, float] = field(default_factory=dict)
    max_risk: float | None = None
    others: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    known_keys: int | None = None
    whole_households: str | None = None

    def __post_init__(self) -> None:
        if self.k is not None:
            check_count("k", self.k)
        if self.known_keys is not None:
            check_count("known_keys", self.known_keys)
        if self.whole_households is not None:
            check_choice("whole_households", self.whole_households, ("size", "members"))
        for sign, low, high in (("l", 1, np.inf), ("t", 0, 1)):
            asked = getattr(self, sign)
            if not isinstance(asked, Mapping):
                raise InvalidInput(f"`{sign}` of a promise names columns: {sign} = {{ COLUMN = {asked!r} }}.")
            for name, value in asked.items():
                check_number(f"{sign} of {name}", value, low, high)
            object.__setattr__(self, sign, dict(asked))
        if self.max_risk is not None:
            class_size_of(self.max_risk)
        check_names(self.others, _other_models(), "model of a promise")
        if not all(isinstance(options, Mapping) for options in self.others.values()):
            raise InvalidInput("Every other model of a promise needs its options: { name = value }.")
        for name, given in self.others.items():
            _check_options(name, given)
        object.__setattr__(self, "others", {name: dict(given) for name, given in self.others.items()})

    def __bool__(self) -> bool:
        """Whether anything is promised."""
        return bool(self.to_dict())

    @property
    def class_size(self) -> int:
        """The smallest class that k and the highest risk allow; 1 if neither was asked for."""
        return max(self.k or 1, 1 if self.max_risk is None else class_size_of(self.max_risk))

    @property
    def threshold(self) -> float:
        """The chance above which records are counted as risky: the highest one promised, else a fifth."""
        return USUAL_THRESHOLD if self.max_risk is None else self.max_risk

    @property
    def confidential(self) -> list[str]:
        """The columns for which l, t or another model is promised."""
        others = [
            column
            for given in self.others.values()
            for value in given.values()
            if isinstance(value, Mapping)
            for column in value
        ]
        return list(dict.fromkeys([*self.l, *self.t, *others]))

    def models(self) -> dict[str, Model]:
        """What is promised as functions of classes, by name."""
        found: dict[str, Model] = {}
        if self.k is not None:
            found["k"] = partial(k_anonymous, k=self.k)
        if self.l:
            found["l"] = partial(distinct_l_diverse, l=self.l)
        if self.t:
            found["t"] = partial(t_close, t=self.t)
        if self.max_risk is not None:
            found["max_risk"] = partial(max_risk, risk=self.max_risk)
        menu = _other_models()
        return found | {name: partial(menu[name], **given) for name, given in self.others.items()}

    def to_dict(self) -> dict[str, Any]:
        """The promise as plain numbers and text, only what was asked for."""
        own = {
            "k": self.k,
            "known_keys": self.known_keys,
            "whole_households": self.whole_households,
            "l": dict(self.l),
            "t": dict(self.t),
            "max_risk": self.max_risk,
        }
        said = {name: value for name, value in own.items() if value not in (None, {})}
        return said | {name: {o: _said(v) for o, v in given.items()} for name, given in self.others.items()}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Promise:
        """A promise from plain numbers and text; models without an entry of their own go by their name."""
        check_names(content, (*OWN, *_other_models()), "entry of a promise")
        own = {name: value for name, value in content.items() if name in OWN}
        return cls(**own, others={name: value for name, value in content.items() if name not in OWN})


def _check_options(name: str, given: Mapping[str, Any]) -> None:
    """Every option of a model must be one it has, and those without a default be there."""
    known = signature(_other_models()[name]).parameters
    options = [option for option in known if option != "classes"]
    check_names(given, options, f"option of {name}")
    needed = next((o for o in options if known[o].default is Parameter.empty and o not in given), None)
    if needed is not None:
        raise InvalidInput(f"The model {name} needs the option `{needed}`; add it.")


def _said(value: Any) -> Any:
    """An option as text and numbers: of a table of people only that it is one."""
    plain = value is None or isinstance(value, str | int | float | Mapping | list | tuple)
    return value if plain else "a table"


def _other_models() -> dict[str, Callable[..., NDArray[np.bool_]]]:
    own = (k_anonymous, distinct_l_diverse, t_close, max_risk)
    return {model.__name__: model for model in MODELS if model not in own}
