"""Spatial order: records that are close in space get close in memory, by balanced k-d cuts."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Slots
from shoal._kernels.jit import jit, kernel_only

LEAF = 128  # records in a leaf: read together, side by side in memory
FAN = 32  # leaves in a branch: their bounds are computed together


@jit
def spatial_order(X: Matrix, rows: Slots, keys: Matrix) -> None:
    """Sort the row positions in place so that every LEAF (and every FAN * LEAF) of them lie together.

    Every cut halves the column that is widest; records with equal values go by row position, so that equal
    records end up in row order. `keys` is room for as many numbers; their values are lost.
    """
    pending = np.empty((64, 2), np.int64)
    pending[0, 0], pending[0, 1], waiting = 0, len(rows), 1
    while waiting > 0:
        waiting -= 1
        start, stop = pending[waiting, 0], pending[waiting, 1]
        leaves = (stop - start + LEAF - 1) // LEAF
        if leaves > 1:
            half = (leaves + 1) // 2
            if leaves > FAN:  # whole branches to either side
                half = (half + FAN - 1) // FAN * FAN
            cut = start + half * LEAF
            column = _widest_column(X, rows, start, stop)
            for i in range(start, stop):
                keys[i] = X[rows[i], column]
            _divide(keys, rows, start, stop - 1, cut)
            pending[waiting, 0], pending[waiting, 1] = start, cut
            pending[waiting + 1, 0], pending[waiting + 1, 1] = cut, stop
            waiting += 2


@kernel_only
def _widest_column(X: Matrix, rows: Slots, start: int, stop: int) -> int:
    """The column with the largest range, judged by at most some 2000 records."""
    widest, width = 0, -1.0
    step = (stop - start) // 2000 + 1
    for j in range(X.shape[1]):
        low = high = X[rows[start], j]
        for i in range(start, stop, step):
            value = X[rows[i], j]
            low = value if value < low else low
            high = value if value > high else high
        if high - low > width:
            widest, width = j, high - low
    return widest


@kernel_only
def _divide(keys: Matrix, rows: Slots, low: int, high: int, cut: int) -> None:
    """Quickselect: afterwards the pairs (key, row) before `cut` are smaller than those from `cut` on."""
    seed = 1
    while low < high:
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF  # any pivot is right; no regular file is slow
        key, row = keys[low + seed % (high - low + 1)], rows[low + seed % (high - low + 1)]
        left, right = low, high
        while left <= right:
            while keys[left] < key or (keys[left] == key and rows[left] < row):
                left += 1
            while keys[right] > key or (keys[right] == key and rows[right] > row):
                right -= 1
            if left <= right:
                keys[left], keys[right] = keys[right], keys[left]
                rows[left], rows[right] = rows[right], rows[left]
                left += 1
                right -= 1
        if cut <= right:
            high = right
        elif cut >= left:
            low = left
        else:
            return
