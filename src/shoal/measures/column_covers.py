"""What every released cell of a column may stand for, record by record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal._door import takes_frames
from shoal._once import once
from shoal.encode.categories import Codes, categorise
from shoal.errors import InvalidInput
from shoal.hierarchy.cover import SPREAD_OUT, Covers, number_covers, read_covers
from shoal.hierarchy.domain import Domain, domain_of
from shoal.hierarchy.read_cell import as_runs
from shoal.measures.hierarchy_distances import hierarchy_of_either
from shoal.table import Table
from shoal.types import Matrix


@dataclass(frozen=True, eq=False)
class ColumnCovers:
    """A column of two files: the value of every record and the cover of its released cell.

    Parameters
    ----------
    name
        The column.
    covers
        The distinct released cells, last a suppressed one.
    before
        The position of every record's original value in the domain, -1 where it is missing.
    cells
        The number of every record's released cell in `covers`.
    unread
        How many records hold a cell that is no value, interval, set or label. Such a cell is taken to cover
        the values that the two files show beside it.
    """

    name: str
    covers: Covers
    before: Codes
    cells: Codes
    unread: int

    @cached_property
    def holds(self) -> NDArray[np.bool_]:
        """Whether the released cell covers the original value; where that is missing, nothing else can be."""
        return self.covers.hold(self.cells, self.before)

    @cached_property
    def generalised(self) -> bool:
        """Whether any record holds a label, an interval or a set that could be read."""
        return bool(self.wide.any())

    @property
    def wide(self) -> NDArray[np.bool_]:
        """Which records hold a label, an interval or a set."""
        return np.asarray(self.covers.read_as(*SPREAD_OUT)[self.cells], dtype=np.bool_)

    @property
    def same(self) -> NDArray[np.bool_]:
        """Which records hold the value they had, or are missing as they were."""
        places = np.full(len(self.covers.ways), -2)
        single = self.covers.read_as("value")[self.covers.owner]
        places[self.covers.owner[single]] = self.covers.first[single]
        places[-1] = -1
        return np.asarray(places[self.cells] == self.before, dtype=bool)

    @property
    def suppressed(self) -> NDArray[np.bool_]:
        """Which records hold no value."""
        return np.asarray(self.cells == len(self.covers.ways) - 1, dtype=bool)

    @property
    def unreadable(self) -> NDArray[np.bool_]:
        """Which records hold a cell that is no value, interval, set or label."""
        return np.asarray(self.covers.unread[self.cells], dtype=bool)

    @property
    def perturbed(self) -> bool:
        """Whether any cell is not among what it was: noise, PRAM, swapping, centres of groups."""
        return not bool(self.holds.all())

    @cached_property
    def covered(self) -> Matrix:
        """How many records of the original have a value that the cell covers, by distinct released cell."""
        counts = np.bincount(self.before[self.before >= 0], minlength=len(self.covers.domain.values))
        below = np.append(0, np.cumsum(counts))
        within = below[self.covers.last + 1] - below[self.covers.first]
        counted = np.bincount(self.covers.owner, weights=within, minlength=len(self.covers.ways))
        return np.asarray(counted, dtype=np.float64)

    @cached_property
    def ncp(self) -> Matrix:
        """Penalty of every record's cell: 1 if it does not cover the value, NaN where that is missing."""
        lost = np.where(self.holds, self.covers.ncp[self.cells], 1.0)
        return np.where(self.before < 0, np.nan, lost)


@takes_frames
@once
def column_covers(original: Table, masked: Table, name: str) -> ColumnCovers:
    """What the released cells of a column cover, by the hierarchy of either table and by what they say.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    name
        The column.

    Returns
    -------
    ColumnCovers

    Notes
    -----
    The domain are the original's values and the leaves of the hierarchy (the masked table's, else the
    original's). Time O(n log n).

    Examples
    --------
    >>> from shoal import as_table
    >>> before, after = as_table({"age": [20, 25, 40]}), as_table({"age": ["[20, 25]", "[20, 25]", "40"]})
    >>> column_covers(before, after, "age").ncp.tolist()
    [0.25, 0.25, 0.0]
    """
    attribute = original.attribute(name)
    hierarchy = hierarchy_of_either(original, masked, name)
    if attribute.kind == masked.attribute(name).kind == "numeric":
        return _numbers(original, masked, name, hierarchy)
    codes, categories = categorise(original, name)
    domain = domain_of(attribute.kind, categories, hierarchy, ordered=bool(attribute.order))
    places = np.append(domain.places(categories), -1)
    released, cells = categorise(masked, name)
    covers = read_covers(cells, domain)
    released = np.where(released < 0, len(cells), released)
    lost = int(covers.unread[released].sum())
    if lost:
        covers = _as_shown(covers, places[codes], released)
    return ColumnCovers(name, covers, places[codes], released, lost)


@takes_frames
def unread_cells(original: Table, masked: Table, names: Iterable[str]) -> list[str]:
    """A sentence for every column with released cells that are no value, interval, set or label.

    >>> from shoal import as_table
    >>> unread_cells(as_table({"age": [20, 25]}), as_table({"age": ["young", "25"]}), ["age"])[0][:47]
    "1 cell of column 'age' is no value, interval, s"
    """
    found = [column_covers(original, masked, name) for name in names]
    return [_sentence(column) for column in found if column.unread]


def _sentence(column: ColumnCovers) -> str:
    cells = "1 cell" if column.unread == 1 else f"{column.unread:,} cells"
    verb, they = ("is", "it stands") if column.unread == 1 else ("are", "they stand")
    return (
        f"{cells} of column {column.name!r} {verb} no value, interval, set or label of a hierarchy; what "
        f"{they} for is taken from the records of the two files, so give the hierarchy for exact figures."
    )


def _numbers(original: Table, masked: Table, name: str, hierarchy: object) -> ColumnCovers:
    x, y = original.column(name), masked.column(name)
    for values in (x, y):
        if np.isinf(values).any():
            row = int(np.argmax(np.isinf(values)))
            raise InvalidInput(
                f"Column {name!r} has an infinite value at row {row}; replace it or make it missing."
            )
    domain = domain_of("numeric", np.unique(x[~np.isnan(x)]).tolist(), hierarchy)
    numbers = domain.numbers if domain.numbers is not None else np.zeros(0)
    before = np.where(np.isnan(x), -1, np.searchsorted(numbers, x))
    values, cells = np.unique(y, return_inverse=True)
    values = values[~np.isnan(values)]
    cells = np.where(np.isnan(y), len(values), cells.reshape(-1))
    return ColumnCovers(name, number_covers(values, domain), before, cells, 0)


def _as_shown(covers: Covers, before: Codes, cells: Codes) -> Covers:
    """The covers with every unread cell covering the original values of the records that hold it."""
    domain: Domain = covers.domain
    owner, first, last = [covers.owner], [covers.first], [covers.last]
    low, high = covers.low.copy(), covers.high.copy()
    order = np.argsort(cells, kind="stable")
    bounds = np.searchsorted(cells[order], np.arange(len(covers.ways) + 1))
    for number in np.flatnonzero(covers.unread).tolist():
        seen = before[order[bounds[number] : bounds[number + 1]]]
        runs = np.array(as_runs(seen[seen >= 0]), dtype=np.intp).reshape(-1, 2)
        owner.append(np.full(len(runs), number))
        first.append(runs[:, 0])
        last.append(runs[:, 1])
        if domain.numbers is not None and len(runs):
            low[number], high[number] = domain.numbers[runs[0, 0]], domain.numbers[runs[-1, 1]]
    owners = np.concatenate(owner)
    sort = np.argsort(owners, kind="stable")
    return replace(
        covers,
        owner=owners[sort],
        first=np.concatenate(first)[sort],
        last=np.concatenate(last)[sort],
        low=low,
        high=high,
    )
