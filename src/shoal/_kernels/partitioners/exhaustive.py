"""The best partition of a small set, by dynamic programming over its subsets (bit i stands for record i)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit


@jit
def best_partition(distances: Matrix, k: int) -> Rows:
    """The partition into groups of k..2k-1 records with the least sum of squares.

    `distances` are squared. cost[s] is the least sum of squares of the records in subset s. The lowest record
    of s is in some group; trying every group it can be in, the rest being partitioned at best, gives cost[s].
    """
    n = len(distances)
    within, size = _within(distances)
    cost, chosen = np.full(1 << n, np.inf), np.zeros(1 << n, dtype=np.int32)
    cost[0] = 0.0
    everything = (1 << n) - 1
    for subset in range(1, 1 << n):
        if (subset & 1 and subset != everything) or size[subset] < k:
            continue  # the group of record 0 is taken first, so no rest of a partition has it
        lowest = subset & -subset
        others = subset ^ lowest
        part = others
        while part > 0:
            if k <= size[part] + 1 < 2 * k:
                total = within[part | lowest] + cost[others ^ part]
                if total < cost[subset]:
                    cost[subset] = total
                    chosen[subset] = part | lowest
            part = (part - 1) & others
    return _labels(chosen, n)


@jit
def _within(distances: Matrix) -> tuple[Matrix, NDArray[np.int8]]:
    """Sum of squares inside every subset (squared distances of all pairs / size), and its size."""
    n = len(distances)
    within, size = np.zeros(1 << n), np.zeros(1 << n, dtype=np.int8)
    for highest in range(n):
        for rest in range(1 << highest):
            pairs = within[rest]
            for i in range(highest):
                if rest >> i & 1:
                    pairs += distances[highest, i]
            within[rest | 1 << highest] = pairs
            size[rest | 1 << highest] = size[rest] + 1
    for subset in range(1, 1 << n):
        within[subset] /= size[subset]
    return within, size


@jit
def _labels(chosen: NDArray[np.int32], n: int) -> Rows:
    """Follow the chosen groups from the whole set down."""
    labels = np.empty(n, dtype=np.intp)
    subset, found = (1 << n) - 1, 0
    while subset > 0:
        group = int(chosen[subset])
        for i in range(n):
            if group >> i & 1:
                labels[i] = found
        subset ^= group
        found += 1
    return labels
