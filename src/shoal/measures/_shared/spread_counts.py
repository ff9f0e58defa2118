"""Contingency tables of coarser cells: every record is spread evenly over what its cells may stand for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from shoal.encode.categories import Codes
from shoal.measures.column_covers import ColumnCovers
from shoal.models.row_classes import compress, row_classes
from shoal.types import Matrix


@dataclass(frozen=True, eq=False)
class SpreadColumn:
    """Original codes, released cells, and the share of every code in each cell.

    Codes are positions in the domain, then one for missing cells and those that say nothing, then one for
    cells that cover no value of the domain or cannot be read.
    """

    before: Codes
    cells: Codes
    shares: scipy.sparse.csr_array

    @property
    def width(self) -> int:
        """The number of codes."""
        return int(self.shares.shape[1])


def spread_column(column: ColumnCovers) -> SpreadColumn:
    """A column whose released cells may be labels, intervals and sets."""
    covers = column.covers
    size = len(covers.domain.values)
    cells, positions = covers.pairs()
    spread = ~(covers.everything | covers.unread)[cells]
    nothing = np.flatnonzero(covers.everything)
    empty = np.flatnonzero(((covers.counts == 0) | covers.unread) & ~covers.everything)
    rows = np.concatenate([cells[spread], nothing, empty])
    codes = np.concatenate([positions[spread], np.full(len(nothing), size), np.full(len(empty), size + 1)])
    weights = 1.0 / np.maximum(np.bincount(rows, minlength=len(covers.ways)), 1)[rows]
    shares = scipy.sparse.csr_array((weights, (rows, codes)), shape=(len(covers.ways), size + 2))
    return SpreadColumn(np.where(column.before < 0, size, column.before), column.cells, shares)


def plain_column(before: Codes, after: Codes, size: int) -> SpreadColumn:
    """A column whose released cells are categories like the original ones, -1 where missing."""
    places = np.arange(size + 1)
    shares = scipy.sparse.csr_array((np.ones(size + 1), (places, places)), shape=(size + 1, size + 1))
    return SpreadColumn(np.where(before < 0, size, before), np.where(after < 0, size, after), shares)


def spread_difference(columns: list[SpreadColumn]) -> float:
    """Sum of the absolute differences of all cells of the table of these columns."""
    n = len(columns[0].before)
    weights = np.ones(n)
    labels = np.column_stack([column.cells for column in columns])
    labels, weights = _distinct(labels, weights)
    keys = np.zeros(len(labels), dtype=np.intp)
    before = np.zeros(n, dtype=np.intp)
    for column in columns:
        keys, before = _narrow(keys, before)
        keys, labels, weights = _spread(keys, labels, weights, column)
        before = before * column.width + column.before
    both = compress(np.concatenate([before, keys]), int(max(before.max(), keys.max())) + 1)
    change = np.bincount(both, weights=np.concatenate([np.ones(n), -weights]))
    return float(np.abs(change).sum())


def _narrow(keys: Codes, before: Codes) -> tuple[Codes, Codes]:
    """The same keys as small numbers, so that one more column never overflows."""
    both = compress(np.concatenate([keys, before]), int(max(before.max(), keys.max())) + 1)
    return both[: len(keys)], both[len(keys) :]


def _distinct(labels: NDArray[np.intp], weights: Matrix) -> tuple[NDArray[np.intp], Matrix]:
    found, which = _numbered(labels)
    totals: Matrix = np.bincount(which, weights=weights).astype(np.float64)
    return found, totals


def _numbered(rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], Codes]:
    """The distinct rows, and which of them every row is."""
    which = row_classes(rows)
    first = np.zeros(int(which.max(initial=-1)) + 1, dtype=np.intp)
    first[which] = np.arange(len(rows))
    return rows[first], which


def _spread(
    keys: Codes, labels: NDArray[np.intp], weights: Matrix, column: SpreadColumn
) -> tuple[Codes, NDArray[np.intp], Matrix]:
    """One column less in the labels, one more in the keys."""
    rest = np.column_stack([keys, labels[:, 1:]])
    rows, which = _numbered(rest)
    held = scipy.sparse.csr_array((weights, (which, labels[:, 0])), shape=(len(rows), column.shares.shape[0]))
    spread = (held @ column.shares).tocoo()
    done = rows[spread.row]
    return done[:, 0] * column.width + spread.col, done[:, 1:], spread.data
