"""What a file gives away as it stands: who is alone, in which groups, and which columns do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_count
from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.encode.look_alikes import code_matrix, key_columns
from shoal.encode.sampling_weights import sampling_weights
from shoal.errors import InvalidInput, NotApplicable
from shoal.models.classes import distinct_counts
from shoal.models.population_risk import expected_inverse
from shoal.models.promise import Promise
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Labels, Matrix

STEPS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)  # where the bars of the histogram begin


@dataclass(frozen=True)
class KeyFact:
    """What one column adds: values, gaps, how many its value alone singles out, how many stay without it."""

    name: str
    distinct: int
    missing: int
    alone_by_itself: int
    alone_without: int
    below_without: int | None = None


@dataclass(frozen=True)
class RiskFacts:
    """What an intruder who knows these columns finds in a file.

    `alone` are records like no other (no other household, where households are known), `below` those whose
    class is smaller than `wanted`; `histogram` has (smallest size, largest size, records) for every bar,
    `expected` is how many records are expected to be found, by weights if there are any; `riskiest` is empty
    unless asked for, since it shows values of the file.

    >>> risk_facts({"age": [30, 30, 40]}, columns=["age"]).sentence
    '1 of 3 records is alone with age.'
    """

    columns: tuple[KeyFact, ...]
    records: int
    classes: int
    smallest: int
    alone: int
    expected: float
    histogram: tuple[tuple[int, int, int], ...]
    wanted: int | None = None
    below: int | None = None
    households: int | None = None
    weighted: bool = False
    riskiest: tuple[tuple[tuple[str | None, ...], int], ...] = ()

    @property
    def sentence(self) -> str:
        """Who is alone, in words."""
        names = ", ".join(fact.name for fact in self.columns[:5]) + (" ..." if len(self.columns) > 5 else "")
        if not self.alone:
            others = "households" if self.households else "records"
            least = f"{self.smallest - 1} other {others} or more"
            return f"Nobody is alone with {names}: every record looks like {least}."
        verb = "is" if self.alone == 1 else "are"
        return f"{self.alone:,} of {self.records:,} records {verb} alone with {names}."

    @property
    def most_telling(self) -> KeyFact | None:
        """The column without which fewest would be alone (or below the k that is wanted)."""
        of = [f.alone_without if f.below_without is None else f.below_without for f in self.columns]
        now = self.alone if self.below is None else self.below
        return self.columns[int(np.argmin(of))] if len(of) > 1 and min(of) < now else None


@takes_frames
def risk_facts(
    table: Table,
    promise: Promise | Mapping[str, Any] | None = None,
    *,
    riskiest: int = 0,
    columns: Iterable[str] | None = None,
) -> RiskFacts:
    """Count who stands out in a file, and what every column contributes.

    Parameters
    ----------
    table
        The file; with a household role k counts households, with weights people of the population.
    promise
        What a release shall keep: its k (or highest risk) says how large a class has to be.
    riskiest
        So many combinations of values with the fewest records are shown; none unless asked for.
    columns
        The columns an intruder may know; the quasi-identifiers if not given. Strata are always among them.

    Returns
    -------
    RiskFacts
        Counts of records, the columns in the order of the table.

    Notes
    -----
    A missing value is a value of its own. Whoever is alone without a column is alone with it, so that what a
    column gives away is the difference. Time O(n) for the classes and O(c d^2) for what the columns add, c
    the number of classes.

    References
    ----------
    Samarati, Sweeney: Protecting privacy when disclosing information, SRI-CSL-98-04 (1998); expected
    re-identifications as in `shoal.measures.individual_risk`.

    Examples
    --------
    >>> table = {"age": [30, 30, 40, 40], "sex": ["f", "f", "f", "m"]}
    >>> facts = risk_facts(table, {"k": 2}, columns=["age", "sex"])
    >>> facts.alone, facts.below, facts.most_telling.name
    (2, 2, 'sex')
    """
    names = _keys(table, columns)
    codes = code_matrix(table, names)
    homes = table.names("household")
    home = categorise(table, homes[0])[0] if homes else None
    weights = sampling_weights(table)
    wanted = _wanted(promise)
    people = _Rows(codes, home, weights)
    sizes = people.sizes(range(len(names)))
    return RiskFacts(
        tuple(_key_fact(people, place, name, wanted) for place, name in enumerate(names)),
        len(table),
        people.classes,
        int(sizes.min()),
        people.count(sizes < 2),
        people.expected(),
        _histogram(sizes, people.records),
        wanted,
        None if wanted is None else people.count(sizes < wanted),
        None if home is None else int(home.max()) + 1 + bool((home < 0).any()),
        weights is not None,
        _riskiest(table, names, people, sizes, riskiest) if riskiest else (),
    )


class _Rows:
    """Different rows of codes and how many records have each; households apart, since k counts them."""

    def __init__(self, codes: NDArray[np.intp], home: Labels | None, weights: Matrix | None) -> None:
        labels = row_classes(codes)
        self.classes = int(labels.max()) + 1
        self._labels, self._weights = labels, weights
        if home is not None:
            labels = row_classes(np.column_stack([labels, home]))
        self.records = np.bincount(labels)
        self.first = np.zeros(len(self.records), dtype=np.intp)
        self.first[labels] = np.arange(len(labels))  # any record of the row
        self.codes = codes[self.first]
        self.home = None if home is None else home[self.first]

    def sizes(self, places: Iterable[int]) -> NDArray[np.intp]:
        """For every row what k counts, if an intruder knows these columns only."""
        labels = row_classes(self.codes[:, list(places)])
        if self.home is not None:
            return distinct_counts(labels, self.home)[labels]
        return np.bincount(labels, weights=self.records).astype(np.intp)[labels]

    def count(self, rows: NDArray[np.bool_]) -> int:
        """The records of these rows."""
        return int(self.records[rows].sum())

    def expected(self) -> float:
        """Records that somebody finds who knows the population."""
        if self._weights is None:
            return float(self.classes)
        f = np.bincount(self._labels).astype(np.float64)
        people = np.bincount(self._labels, weights=self._weights)
        return float((f * expected_inverse(f, np.minimum(f / people, 1.0))).sum())


def _keys(table: Table, columns: Iterable[str] | None) -> list[str]:
    if not len(table):
        raise NotApplicable("The file has no records.")
    names = key_columns(table, columns)
    if not names:
        raise InvalidInput("No column can be known to others; name at least one quasi-identifier.")
    return names


def _wanted(promise: Promise | Mapping[str, Any] | None) -> int | None:
    found = promise if isinstance(promise, Promise) else Promise.from_dict(promise or {})
    return found.class_size if found.k is not None or found.max_risk is not None else None


def _key_fact(people: _Rows, place: int, name: str, wanted: int | None) -> KeyFact:
    others = [other for other in range(people.codes.shape[1]) if other != place]
    without = people.sizes(others)  # with no other column everybody looks alike
    column = people.codes[:, place]
    return KeyFact(
        name,
        len(np.unique(column[column >= 0])),
        people.count(column < 0),
        people.count(people.sizes([place]) < 2),
        people.count(without < 2),
        None if wanted is None else people.count(without < wanted),
    )


def _histogram(sizes: NDArray[np.intp], records: NDArray[np.intp]) -> tuple[tuple[int, int, int], ...]:
    """Records by the size of their class, in bars of growing width up to the largest class."""
    largest = int(sizes.max())
    starts = [start for start in STEPS if start <= largest]
    ends = [*(start - 1 for start in starts[1:]), max(largest, starts[-1])]
    which = np.searchsorted(starts, sizes, side="right") - 1
    counts = np.bincount(which, weights=records, minlength=len(starts)).astype(int)
    return tuple(zip(starts, ends, counts.tolist(), strict=True))


def _riskiest(
    table: Table, names: list[str], people: _Rows, sizes: NDArray[np.intp], most: int
) -> tuple[tuple[tuple[str | None, ...], int], ...]:
    """The combinations of values with fewest records, ties by how rare their values are one by one."""
    check_count("riskiest", most)
    chosen = np.unique(row_classes(people.codes), return_index=True)[1]
    rarity = np.sum([np.log(people.sizes([place])[chosen]) for place in range(len(names))], axis=0)
    chosen = chosen[np.lexsort((rarity, sizes[chosen]))][:most]
    part = table.select(names).take(people.first[chosen])
    shown = [[_text(value) for value in part.cells(name).tolist()] for name in names]
    return tuple(
        (values, int(size)) for values, size in zip(zip(*shown, strict=True), sizes[chosen], strict=True)
    )


def _text(value: Any) -> str | None:
    if value is None or value != value:
        return None
    return f"{value:g}" if isinstance(value, float) else str(value)
