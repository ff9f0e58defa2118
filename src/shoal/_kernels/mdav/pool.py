"""The pool: records not yet in a group, in file order, as the first `m` entries of `rows`."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit


@jit
def squared_distance(X: Matrix, i: int, j: int) -> float:
    """Squared Euclidean distance of two records."""
    total = 0.0
    for c in range(X.shape[1]):
        difference = X[i, c] - X[j, c]
        total += difference * difference
    return total


@jit
def measure(X: Matrix, rows: Rows, m: int, row: int, distances: Matrix) -> None:
    """Write the squared distances of the pool to one record."""
    for a in range(m):
        distances[a] = squared_distance(X, rows[a], row)


@jit
def kth_smallest(values: Matrix, m: int, k: int) -> float:
    """The k-th smallest of the first m values."""
    smallest = np.full(k, np.inf)
    for a in range(m):
        if values[a] < smallest[k - 1]:
            b = k - 1
            while b > 0 and smallest[b - 1] > values[a]:
                smallest[b] = smallest[b - 1]
                b -= 1
            smallest[b] = values[a]
    return float(smallest[k - 1])


@jit
def take_nearest(rows: Rows, m: int, distances: Matrix, k: int, labels: Rows, group: int) -> Rows:
    """Make the k nearest records a group, among equals the first ones; the pool keeps the other m - k."""
    limit = kth_smallest(distances, m, k)
    free = k  # places for records exactly at the limit
    for a in range(m):
        if distances[a] < limit:
            free -= 1
    taken = np.empty(k, dtype=np.intp)
    found, kept = 0, 0
    for a in range(m):
        tied = distances[a] == limit and free > 0
        if distances[a] < limit or tied:
            free -= tied
            taken[found], labels[rows[a]] = rows[a], group
            found += 1
        else:
            rows[kept], distances[kept] = rows[a], distances[a]
            kept += 1
    return taken
