"""Row order: signs that the rows of an original and of a masked file do not correspond."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import became_text
from shoal.table import Table

LEAST_RECORDS = 30  # records; with fewer, no correlation means nothing


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
            f"Column {shuffled[0]!r} holds the same values in another order: the rows seem shuffled, and "
            "every figure that compares row by row is then meaningless; evaluate before writing, or write "
            "without shuffling."
        ]
    return _unrelated(original, masked, [name for name in names if name in shared])


def _same_values(before: NDArray[np.intp], after: NDArray[np.intp]) -> bool:
    most = int(max(before.max(), after.max())) + 2
    return np.array_equal(np.bincount(before + 1, minlength=most), np.bincount(after + 1, minlength=most))


def _unrelated(original: Table, masked: Table, names: list[str]) -> list[str]:
    """A doubt if not one numeric column has anything to do with its masked version."""
    found = []
    for name in names:
        if original.attribute(name).kind == "numeric" and not became_text(original, masked, name):
            found += _strength(original.column(name), masked.column(name))
    if not found or any(found):
        return []
    return [
        "No numeric column correlates with its masked version: the rows seem shuffled or the files "
        "unrelated, and every figure that compares row by row is then meaningless."
    ]


def _strength(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[bool]:
    """Whether two columns correlate beyond chance; nothing if that cannot be told."""
    both = np.isfinite(x) & np.isfinite(y)
    x, y = x[both], y[both]
    if len(x) < LEAST_RECORDS or np.ptp(x) == 0 or np.ptp(y) == 0:
        return []
    ranks = np.array([np.unique(values, return_inverse=True)[1] for values in (x, y)])
    return [bool(abs(np.corrcoef(ranks)[0, 1]) > 3 / np.sqrt(len(x)))]
