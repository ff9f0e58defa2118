"""What a grouping of columns costs: squares lost and values found per group, records linked over all groups.

`labels` name the cluster of every record; a cluster of a group of columns is released as its mean.
"""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit


@jit
def measure_group(X: Matrix, values: Matrix, share: float, labels: Slots) -> tuple[float, int]:
    """Squares of X to the cluster means, and how many values differ from theirs by at most a share."""
    n, d = X.shape
    centres, means = np.zeros((d, labels.max() + 1)), np.zeros((d, labels.max() + 1))
    _centres(X, labels, 0, d, centres)
    _centres(values, labels, 0, d, means)
    lost, near = 0.0, 0
    for i in range(n):
        for j in range(d):
            gap = X[i, j] - centres[j, labels[i]]
            lost += gap * gap
            near += abs(values[i, j] - means[j, labels[i]]) <= share * abs(values[i, j])
    return lost, near


@jit
def count_linked(X: Matrix, ends: Rows, labels: Slots, tie: float) -> int:
    """How many records have their own masked record nearer than any other; a tie is no link.

    Group h holds the columns ends[h]..ends[h + 1] - 1 and the clusters labels[:, h]. All distances of a
    record follow from those to the cluster means of every group: n / k of them instead of n.
    """
    n, g = labels.shape
    most = labels.max() + 1
    centres = np.zeros((X.shape[1], most))
    for h in range(g):
        _centres(X, labels[:, h], ends[h], ends[h + 1], centres)
    rows, begins = _members(labels[:, 0])
    counts = np.array([labels[:, h].max() + 1 for h in range(g)])
    distances, rest = np.empty((g, most)), np.empty(g)
    linked = 0
    for i in range(n):
        _to_centres(X[i], centres, ends, counts, distances, rest)
        own = 0.0
        for h in range(g):
            own += distances[h, labels[i, h]]
        own = np.sqrt(own)
        limit = own + tie * own + tie * 1e-3
        if not _has_rival(i, limit * limit, distances, rest, labels, rows, begins):
            linked += 1
    return linked


@jit
def _centres(X: Matrix, labels: Slots, start: int, stop: int, centres: Matrix) -> None:
    """Fill the rows start..stop-1 of `centres` (a row per column, a place per cluster) with means.

    As differences to one of the values, so that the mean of equal values is exactly that value.
    """
    counts, sums = np.zeros(centres.shape[1]), np.zeros(centres.shape[1])
    for i in range(len(X)):
        counts[labels[i]] += 1.0
    for j in range(start, stop):
        for i in range(len(X)):
            centres[j, labels[i]] = X[i, j]
        sums[:] = 0.0
        for i in range(len(X)):
            sums[labels[i]] += X[i, j] - centres[j, labels[i]]
        for c in range(len(counts)):
            if counts[c] > 0.0:
                centres[j, c] += sums[c] / counts[c]


@jit
def _members(labels: Slots) -> tuple[Rows, Rows]:
    """Row positions cluster by cluster, and where every cluster begins."""
    begins = np.zeros(labels.max() + 2, np.intp)
    for i in range(len(labels)):
        begins[labels[i] + 1] += 1
    begins = np.cumsum(begins)
    place, rows = begins.copy(), np.empty(len(labels), np.intp)
    for i in range(len(labels)):
        rows[place[labels[i]]] = i
        place[labels[i]] += 1
    return rows, begins


@jit
def _to_centres(
    x: Matrix, centres: Matrix, ends: Rows, counts: Rows, distances: Matrix, rest: Matrix
) -> None:
    """Squared distances to the clusters of every group; rest[h]: the least that groups after h add."""
    least = 0.0
    for h in range(len(counts) - 1, -1, -1):
        rest[h] = least
        for c in range(counts[h]):
            distances[h, c] = 0.0
        for j in range(ends[h], ends[h + 1]):
            value = x[j]
            for c in range(counts[h]):
                gap = value - centres[j, c]
                distances[h, c] += gap * gap
        nearest = distances[h, 0]
        for c in range(1, counts[h]):
            nearest = min(nearest, distances[h, c])
        least += nearest


@jit
def _has_rival(
    i: int, limit: float, distances: Matrix, rest: Matrix, labels: Slots, rows: Rows, begins: Rows
) -> bool:
    """Whether the masked record of another one is within the limit; the own cluster is asked first."""
    g, clusters = labels.shape[1], len(begins) - 1
    for step in range(clusters):
        c = (labels[i, 0] + step) % clusters
        if distances[0, c] + rest[0] > limit:
            continue
        for t in range(begins[c], begins[c + 1]):
            j = rows[t]
            if j == i:
                continue
            total, h = distances[0, c], 1
            while h < g and total + rest[h - 1] <= limit:
                total += distances[h, labels[j, h]]
                h += 1
            if h == g and total <= limit:
                return True
    return False
