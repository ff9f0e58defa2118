"""The cover of a released cell: the original values it may stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchy.domain import Domain
from shoal.hierarchy.read_cell import Cell, Way, read_cell, whole_domain
from shoal.hierarchy.read_intervals import Intervals, read_intervals
from shoal.types import Labels, Matrix

SPREAD_OUT: tuple[Way, ...] = ("label", "interval", "set")


@dataclass(frozen=True, eq=False)
class Covers:
    """What every distinct released cell of a column covers; the last entry is a suppressed cell.

    Parameters
    ----------
    domain
        The values of the column.
    ways
        How every cell was read: "value", "label" (of the hierarchy, or a prefix such as C50*), "interval",
        "set", "suppressed" or "unread".
    owner, first, last
        Runs of positions in the domain: run r belongs to cell ``owner[r]`` (ascending).
    low, high
        The lowest and highest number of every cell, NaN where values are no numbers.
    """

    domain: Domain
    ways: tuple[Way, ...]
    owner: Labels
    first: Labels
    last: Labels
    low: Matrix
    high: Matrix

    @cached_property
    def counts(self) -> Labels:
        """How many values of the domain every cell covers."""
        lengths = self.last - self.first + 1
        counts: Labels = np.bincount(self.owner, weights=lengths, minlength=len(self.ways)).astype(np.intp)
        return counts

    @cached_property
    def everything(self) -> NDArray[np.bool_]:
        """Which cells cover the whole domain of at least two values, so that they say nothing."""
        whole = (self.counts == len(self.domain.values)) & (self.counts > 1)
        gone, spread = self.read_as("suppressed"), self.read_as(*SPREAD_OUT)
        return np.asarray(gone | (spread & whole), dtype=np.bool_)

    @cached_property
    def unread(self) -> NDArray[np.bool_]:
        """Which cells are no value, interval, set or label."""
        return self.read_as("unread")

    def read_as(self, *ways: Way) -> NDArray[np.bool_]:
        """Which cells were read in one of these ways."""
        return np.asarray(np.isin(self._ways, ways), dtype=np.bool_)

    @cached_property
    def _ways(self) -> NDArray[np.str_]:
        return np.array(self.ways, dtype="U10")

    @cached_property
    def ncp(self) -> Matrix:
        """Normalised certainty penalty of every cell, 0 (a value) to 1 (anything); NaN where unread.

        (b - a) / range for numbers, (values covered - 1) / (values - 1) for categories.
        """
        if self.domain.kind == "numeric":
            lost = (self.high / 2 - self.low / 2) / (self.domain.half_range or 1.0)
        else:
            lost = (self.counts - 1) / max(len(self.domain.values) - 1, 1)
        lost = np.where(self.read_as("value"), 0.0, np.clip(np.nan_to_num(lost), 0.0, 1.0))
        return np.where(self.unread & (self.counts == 0), np.nan, np.where(self.everything, 1.0, lost))

    @cached_property
    def sizes(self) -> Matrix:
        """How many values a cell may stand for: steps of the column's resolution if numbers, at least 1."""
        if self.domain.kind == "numeric":
            steps = (np.nan_to_num(self.high) - np.nan_to_num(self.low)) / self.domain.resolution
            return np.maximum(steps + 1.0, 1.0)
        return np.maximum(self.counts, 1).astype(np.float64)

    @cached_property
    def centres(self) -> Matrix:
        """The middle of every cell's numbers; NaN where it says nothing or values are no numbers."""
        return np.where(self.everything, np.nan, self.low / 2 + self.high / 2)

    def hold(self, cells: Labels, positions: Labels) -> NDArray[np.bool_]:
        """Whether the cell covers the value at that position of the domain, pair by pair; -1 is covered.

        >>> from shoal.hierarchy.domain import domain_of
        >>> covers = read_covers(["a", "{b, c}"], domain_of("nominal", ("a", "b", "c")))
        >>> covers.hold(np.array([0, 1, 1]), np.array([1, 2, -1])).tolist()
        [False, True, True]
        """
        width = len(self.domain.values) + 1
        starts = self.owner * width + self.first  # ascending: owners are, and runs of one are
        found = np.searchsorted(starts, cells * width + positions, side="right") - 1
        inside = np.zeros(len(cells), dtype=bool)
        usable = found >= 0
        run = found[usable]
        inside[usable] = (self.owner[run] == cells[usable]) & (positions[usable] <= self.last[run])
        result: NDArray[np.bool_] = inside | (positions < 0)
        return result

    def pairs(self) -> tuple[Labels, Labels]:
        """Every cell with every position it covers, side by side."""
        lengths = self.last - self.first + 1
        cells = np.repeat(self.owner, lengths)
        offsets = np.arange(len(cells)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return cells, np.repeat(self.first, lengths) + offsets


def read_covers(cells: Iterable[Any], domain: Domain) -> Covers:
    """The covers of distinct released cells, and last of a suppressed one.

    Parameters
    ----------
    cells
        The distinct cells of the released column.
    domain
        What the original column may hold.

    Returns
    -------
    Covers

    Notes
    -----
    "20-29", "[20, 30)", "< 20", "65+", "{a, b}", labels of the hierarchy, "C50*", and "*" are read; what is
    none of these is "unread" and covers nothing. Time O(cells x values of the hierarchy) at worst.

    Examples
    --------
    >>> from shoal.hierarchy.domain import domain_of
    >>> read_covers(["18", "20-29", "young"], domain_of("numeric", (18, 20, 29, 38))).ncp.tolist()
    [0.0, 0.45, nan, 1.0]
    """
    given = list(cells)
    plain = read_intervals(given, domain)
    others = np.setdiff1d(np.arange(len(given) + 1), plain.rows)  # the suppressed one last
    read = as_covers([*(read_cell(given[row], domain) for row in others[:-1]), whole_domain(domain)], domain)
    return _merged(read, others, plain) if len(plain.rows) else read


def _merged(read: Covers, others: Labels, plain: Intervals) -> Covers:
    """Cells read one by one, and the intervals between them."""
    ways = np.full(len(others) + len(plain.rows), "interval", dtype=object)
    low, high = np.empty(len(ways)), np.empty(len(ways))
    ways[others], low[others], high[others] = read.ways, read.low, read.high
    low[plain.rows], high[plain.rows] = plain.low, plain.high
    held = plain.first <= plain.last
    owner = np.concatenate([others[read.owner], plain.rows[held]])
    order = np.argsort(owner, kind="stable")
    first = np.concatenate([read.first, plain.first[held]])[order]
    last = np.concatenate([read.last, plain.last[held]])[order]
    return Covers(read.domain, tuple(ways.tolist()), owner[order], first, last, low, high)


def as_covers(cells: list[Cell], domain: Domain) -> Covers:
    """Cells that were read, side by side."""
    runs = np.array(
        [(owner, *run) for owner, cell in enumerate(cells) for run in cell.runs], dtype=np.intp
    ).reshape(-1, 3)
    low, high = np.array([(cell.low, cell.high) for cell in cells], dtype=np.float64).T
    owner, first, last = runs.T
    return Covers(domain, tuple(cell.way for cell in cells), owner, first, last, low, high)


def number_covers(values: Matrix, domain: Domain) -> Covers:
    """The covers of distinct released numbers, each of which stands for itself; last a suppressed cell."""
    numbers = domain.numbers if domain.numbers is not None else np.zeros(0)
    place = np.searchsorted(numbers, values)
    known = np.flatnonzero(np.append(numbers, np.nan)[place] == values)
    gone = whole_domain(domain)
    way: Way = "value"
    tail = np.array(gone.runs, dtype=np.intp).reshape(-1, 2)
    return Covers(
        domain,
        (*repeat(way, len(values)), "suppressed"),
        np.append(known, np.full(len(tail), len(values))),
        np.append(place[known], tail[:, 0]),
        np.append(place[known], tail[:, 1]),
        np.append(values, gone.low),
        np.append(values, gone.high),
    )
