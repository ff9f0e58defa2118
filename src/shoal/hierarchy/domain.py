"""The domain of a column: every value a cell of it may stand for, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shoal.hierarchy.tree import Hierarchy, as_text
from shoal.types import Kind, Labels, Matrix

EXACT = 2.0**53  # whole numbers beyond it are not all floats, and two categories could become one


@dataclass(frozen=True, eq=False)
class Domain:
    """The values of a column and the leaves of its hierarchy, each once.

    Parameters
    ----------
    values
        Ascending where numbers, in their order where ordinal, else in the order of the hierarchy or file.
    numbers
        The values as numbers, ascending; None if any of them is none.
    kind
        Of the original column: widths say how much a cell covers if "numeric", else the number of values.
    hierarchy
        How values generalise, if known.
    """

    values: tuple[Any, ...]
    numbers: Matrix | None
    kind: Kind
    hierarchy: Hierarchy | None = None

    @cached_property
    def position(self) -> dict[str, int]:
        """Where a value stands, by its text."""
        return {as_text(value): place for place, value in reversed(list(enumerate(self.values)))}

    def places(self, values: Sequence[Any]) -> Labels:
        """The positions of values that the domain has."""
        if self.numbers is not None:
            return np.searchsorted(self.numbers, np.array(values, dtype=np.float64))
        return np.array([self.position[as_text(value)] for value in values], dtype=np.intp)

    @cached_property
    def leaves(self) -> dict[tuple[int, str], list[int]]:
        """The positions of the leaves of every label, by level and label."""
        found: dict[tuple[int, str], list[int]] = {}
        for path in self.hierarchy.paths if self.hierarchy is not None else ():
            place = self.position.get(path[0])
            for step in enumerate(path if place is not None else ()):
                found.setdefault(step, []).append(place or 0)
        return found

    @cached_property
    def whole(self) -> bool:
        """Whether all values are whole numbers, so that [20, 30) ends at 29."""
        return self.numbers is not None and bool((self.numbers == np.floor(self.numbers)).all())

    @property
    def half_range(self) -> float:
        """Half of the distance from the lowest to the highest number, which no float is too small for."""
        if self.numbers is None or not len(self.numbers):
            return 0.0
        return float(self.numbers[-1] / 2 - self.numbers[0] / 2)

    @cached_property
    def resolution(self) -> float:
        """The smallest step between two numbers, at most 1 where all are whole; 1 for anything else."""
        if self.whole or self.numbers is None or len(self.numbers) < 2:
            return 1.0
        return float(np.diff(self.numbers).min())


def domain_of(
    kind: Kind, categories: Sequence[Any], hierarchy: Any = None, *, ordered: bool = False
) -> Domain:
    """The domain of a column of that kind with these distinct values, in order, and this hierarchy.

    Parameters
    ----------
    kind
        The kind of the original column.
    categories
        The distinct values of the original column, as `shoal.encode.categories.categorise` gives them.
    hierarchy
        A `Hierarchy`, or None; leaves that the file does not have are values, too.
    ordered
        Whether the order of an ordinal column was given, so that it must not be sorted again.

    Returns
    -------
    Domain

    Examples
    --------
    >>> domain_of("numeric", (18.0, 35.0)).half_range
    8.5
    """
    hierarchy = hierarchy if isinstance(hierarchy, Hierarchy) else None
    leaves = [path[0] for path in hierarchy.paths] if hierarchy is not None else []
    known = {as_text(value) for value in categories} if leaves else set()
    missed = [leaf for leaf in leaves if leaf not in known]
    text = not categories or str in set(map(type, categories))  # "1" and "1.0" are two names
    numbers = None if text else _numbers([*categories, *missed])
    if kind == "numeric":
        if numbers is None:  # a hierarchy of text over numbers
            missed, numbers = [], _numbers(categories)
    elif numbers is not None and (np.abs(numbers) >= EXACT).any():
        numbers = None
    if numbers is not None and not ordered:
        numbers = np.unique(numbers)
        return Domain(tuple(numbers.tolist()), numbers, kind, hierarchy)
    values = [*categories, *missed]
    if kind == "nominal" and leaves:  # so that the leaves of every label are neighbours
        place = {leaf: number for number, leaf in enumerate(leaves)}
        values = sorted(values, key=lambda value: place.get(as_text(value), len(place)))
    elif missed and not ordered:
        values = sorted(values, key=as_text)
    return Domain(tuple(values), None, kind, hierarchy)


def _numbers(values: Sequence[Any]) -> Matrix | None:
    if not values or {bool, np.bool_} & set(map(type, values)):
        return None
    try:
        found = np.array(list(map(float, values)), dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return found if np.isfinite(found).all() else None
