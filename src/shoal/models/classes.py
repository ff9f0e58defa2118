"""Classes of look-alikes: what a promise is counted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.models.row_classes import refine
from shoal.types import Kind, Labels, Matrix


@dataclass(frozen=True, eq=False)
class Hidden:
    """A confidential column: what nobody should learn about a known person.

    `codes` number the values that occur, in order, and are -1 where missing; `shares` are those of the values
    in the whole file, its last entry is that of the missing ones; `ancestors` has a row per value: the value
    itself, then its ancestors in a hierarchy, level by level.

    >>> hidden_column(np.array([0, 2, 2, -1]), "nominal").shares.tolist()
    [0.25, 0.5, 0.25]
    """

    codes: NDArray[np.intp]
    kind: Kind
    shares: Matrix
    ancestors: NDArray[np.intp] | None = None


@dataclass(frozen=True, eq=False)
class Classes:
    """The class 0..c-1 of every record, and what a promise has to know about the records.

    Parameters
    ----------
    labels
        The class of every record: records of one class have the same values in all an intruder may know.
    hidden
        The confidential columns, by name.
    household
        The household of every record (-1 where unknown; all unknown ones count as one), if there are any.
    weights
        How many people of the population every record stands for, if known.
    people
        The same, counted in a population table, if there is one.

    Examples
    --------
    >>> classes = Classes(np.array([0, 0, 1]), household=np.array([7, 7, 8]))
    >>> classes.count, classes.records.tolist(), classes.sizes.tolist()
    (2, [2, 1], [1, 1])
    """

    labels: Labels
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    household: NDArray[np.intp] | None = None
    weights: Matrix | None = None
    people: Matrix | None = None

    @property
    def count(self) -> int:
        """Number of classes."""
        return len(self.records)

    @cached_property
    def records(self) -> NDArray[np.intp]:
        """Records of every class."""
        return np.bincount(self.labels)

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """What k counts: records of every class, or different households where they are known."""
        return self.records if self.household is None else distinct_counts(self.labels, self.household)

    def part(self, rows: NDArray[np.intp], labels: Labels) -> Classes:
        """Other classes, of these records only; shares stay those of the whole file."""
        hidden = {name: replace(column, codes=column.codes[rows]) for name, column in self.hidden.items()}
        household = None if self.household is None else self.household[rows]
        weights = None if self.weights is None else self.weights[rows]
        people = None if self.people is None else self.people[rows]
        return Classes(labels, hidden, household, weights, people)


def hidden_column(codes: NDArray[np.intp], kind: Kind, ancestors: NDArray[np.intp] | None = None) -> Hidden:
    """A confidential column from codes in order; codes that do not occur are left out of the numbering.

    >>> hidden_column(np.array([5, 9, -1]), "ordinal").codes.tolist()
    [0, 1, -1]
    """
    seen = codes >= 0
    present, own = np.unique(codes[seen], return_inverse=True)
    numbered = np.full(len(codes), -1, dtype=np.intp)
    numbered[seen] = own.reshape(-1)
    counts = np.bincount(np.where(seen, numbered, len(present)), minlength=len(present) + 1)
    lines = None if ancestors is None else ancestors[present]
    return Hidden(numbered, kind, counts / max(len(codes), 1), lines)


def distinct_counts(labels: Labels, codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """How many different codes every class has; -1 is a code like any other.

    >>> distinct_counts(np.array([0, 0, 1, 1]), np.array([3, 3, 3, -1])).tolist()
    [1, 2]
    """
    pairs = refine(labels, codes)
    of = np.zeros(int(pairs.max(initial=-1)) + 1, dtype=np.intp)
    of[pairs] = labels
    return np.bincount(of, minlength=int(labels.max(initial=-1)) + 1)


def thresholds(classes: Classes, what: str, value: float | Mapping[str, float]) -> dict[str, float]:
    """A threshold for every confidential column it is meant for: one number means all of them.

    >>> thresholds(Classes(np.zeros(1, int), {"ill": hidden_column(np.zeros(1, int), "nominal")}), "l", 2)
    {'ill': 2}
    """
    if isinstance(value, Mapping):
        return {name: value[name] for name in check_names(value, classes.hidden, "confidential column")}
    if not classes.hidden:
        raise InvalidInput(f"`{what}` needs a confidential column; say which one nobody should learn.")
    return dict.fromkeys(classes.hidden, value)
