"""Counting classes of rows: every row's key, a sum of parts by column, looked up in a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.jit import jit, kernel_only

Parts = NDArray[np.int64]


@kernel_only
def slot_of(table: Parts, key: int) -> int:
    """Where a key is, or may be put, in a table of 2^b slots; a free slot holds -1."""
    last = len(table) - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot: int = np.int64(mixed >> np.uint64(20)) & last  # type: ignore[assignment]
    while table[slot] != -1 and table[slot] != key:
        slot = (slot + 1) & last
    return slot


@jit
def number_keys(places: NDArray[np.int32], parts: Parts, counts: Parts) -> tuple[Parts, Parts]:
    """The class of every row, 0..c-1 by first row, and the records of every class.

    The key of a row is the sum of `parts[places[row, column]]`, not negative; different sums, different
    classes. `counts` are the records every row stands for.
    """
    m, d = places.shape
    size = 16
    while size < 2 * m:
        size *= 2
    table, owner = np.full(size, -1, np.int64), np.empty(size, np.int64)
    labels, sizes, found = np.empty(m, np.int64), np.zeros(m, np.int64), 0
    for row in range(m):
        key = 0
        for column in range(d):
            key += parts[places[row, column]]
        slot = slot_of(table, key)
        if table[slot] == -1:
            table[slot], owner[slot] = key, found
            found += 1
        labels[row] = owner[slot]
        sizes[owner[slot]] += counts[row]
    return labels, sizes[:found]
