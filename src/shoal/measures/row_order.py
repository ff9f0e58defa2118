"""Row order: signs that the rows of an original and of a masked file do not correspond."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal.measures.coded_pair import code_pair
from shoal.measures.column_covers import ColumnCovers, column_covers
from shoal.table import Table

Rows = Literal["trusted", "checked"]  # rows correspond, or whoever compares them looks first
LEAST_RECORDS = 30  # records; with fewer, no correlation means nothing
STANDARD_ERRORS = 3.0  # beyond chance, above which two columns agree
MEANINGLESS = (
    "and every figure that compares row by row is then meaningless; say which row is which (--match, "
    "--row-key), or write without shuffling."
)


def row_doubts(original: Table, masked: Table, names: Iterable[str]) -> list[str]:
    """Sentences that say why rows seem not to correspond; none if a column is the same in every row.

    >>> from shoal import as_table
    >>> before = as_table({"name": ["x", "y", "z"]}, roles={"identifier": "name"})
    >>> row_doubts(before, before.take(np.array([2, 0, 1])), [])[0][:51]
    "Column 'name' holds the same values in another orde"
    """
    shared = [name for name in original.names() if name in masked.names()]
    shuffled = []
    for name in shared:
        before, after, _ = code_pair(original, masked, name)
        if np.array_equal(before, after):
            if len(before) > 1 and before.min() < before.max():
                return []
        elif original.attribute(name).role != "quasi" and _same_values(before, after):
            shuffled.append(name)
    if shuffled:
        return [
            f"Column {shuffled[0]!r} holds the same values in another order: the rows seem shuffled, "
            f"{MEANINGLESS}"
        ]
    return _unrelated(original, masked, [name for name in names if name in shared])


def _same_values(before: NDArray[np.intp], after: NDArray[np.intp]) -> bool:
    most = int(max(before.max(), after.max())) + 2
    return np.array_equal(np.bincount(before + 1, minlength=most), np.bincount(after + 1, minlength=most))


def _unrelated(original: Table, masked: Table, names: list[str]) -> list[str]:
    """A doubt if not one column has anything to do with its masked version."""
    found = []
    for name in names:
        if original.attribute(name).kind == masked.attribute(name).kind == "numeric":
            found += _correlates(original.column(name), masked.column(name))
        else:
            found += _agrees(column_covers(original, masked, name))
    if not found or any(found):
        return []
    return [
        "No column agrees with its masked version more often than chance: the rows seem shuffled or the "
        f"files unrelated, {MEANINGLESS}"
    ]


def _correlates(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[bool]:
    """Whether two columns correlate beyond chance; nothing if that cannot be told."""
    both = np.isfinite(x) & np.isfinite(y)
    x, y = x[both], y[both]
    if len(x) < LEAST_RECORDS or np.ptp(x) == 0 or np.ptp(y) == 0:
        return []
    ranks = np.array([np.unique(values, return_inverse=True)[1] for values in (x, y)])
    return [bool(abs(np.corrcoef(ranks)[0, 1]) > STANDARD_ERRORS / np.sqrt(len(x)))]


def _agrees(column: ColumnCovers) -> list[bool]:
    """Whether released cells cover their own record's value more often than any record's; or nothing."""
    covers = column.covers
    seen = (column.before >= 0) & ~covers.everything[column.cells] & ~column.unreadable
    if seen.sum() < LEAST_RECORDS:
        return []
    chance = column.covered[column.cells[seen]] / (column.before >= 0).sum()
    spread = float(np.sqrt((chance * (1 - chance)).sum()))
    return [] if spread == 0 else [bool(column.holds[seen].sum() - chance.sum() > STANDARD_ERRORS * spread)]
