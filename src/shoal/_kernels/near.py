"""Lists of near records: the nearest ones in the closest leaves, most or all of the true nearest.

The records must be in spatial order (`order.spatial_order`): every LEAF of them in a row are a leaf.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inner, jit
from shoal._kernels.order import LEAF


class Leaves(NamedTuple):
    """Records side by side (leaf, column, place; infinite where a place is empty), boxes and middles."""

    points: Matrix
    low: Matrix
    high: Matrix
    middle: Matrix


@jit
def near_records(X: Matrix, count: int, around: int, read: int) -> Slots:
    """`count` near other records of every record, the closest first.

    A record looks at the `read` closest of the `around` leaves whose middles are closest to that of its own
    leaf: exact if there are no more leaves, linear in the number of records otherwise.
    """
    leaves = _leaves(X)
    number = len(leaves.points)
    around, read = min(around, number), min(read, number)
    near, closest = np.empty((len(X), count), np.int32), np.empty(around, np.intp)
    low, high = np.empty((X.shape[1], around)), np.empty((X.shape[1], around))
    bounds, keys, distances = np.empty(around), np.empty(max(count, around)), np.empty(LEAF)
    for leaf in range(number):
        _closest_leaves(leaves.middle, leaf, closest, keys)
        for a in range(around):
            low[:, a], high[:, a] = leaves.low[closest[a]], leaves.high[closest[a]]
        for i in range(leaf * LEAF, min((leaf + 1) * LEAF, len(X))):
            _to_boxes(low, high, X[i], bounds)
            keys[:count] = np.inf
            for _ in range(read):
                a = int(np.argmin(bounds))
                if bounds[a] >= keys[count - 1]:
                    break
                bounds[a] = np.inf
                _measure(leaves.points[closest[a]], X[i], distances)
                _admit(distances, closest[a] * LEAF, i, keys[:count], near[i])
    return near


@inner
def _leaves(X: Matrix) -> Leaves:
    number, d = (len(X) + LEAF - 1) // LEAF, X.shape[1]
    points, middle = np.full((number, d, LEAF), np.inf), np.zeros((number, d))
    low, high = np.full((number, d), np.inf), np.full((number, d), -np.inf)
    for i in range(len(X)):
        leaf, place = i // LEAF, i % LEAF
        for c in range(d):
            value = X[i, c]
            points[leaf, c, place] = value
            middle[leaf, c] += (value - middle[leaf, c]) / (place + 1)
            low[leaf, c], high[leaf, c] = min(low[leaf, c], value), max(high[leaf, c], value)
    return Leaves(points, low, high, middle)


@inner
def _closest_leaves(middle: Matrix, leaf: int, closest: Rows, keys: Matrix) -> None:
    """The numbers of the leaves with the closest middles, by insertion."""
    size = len(closest)
    keys[:size] = np.inf
    for other in range(len(middle)):
        key = 0.0
        for c in range(middle.shape[1]):
            key += (middle[other, c] - middle[leaf, c]) ** 2
        if key < keys[size - 1] or other < size:
            p = min(other, size - 1)
            while p > 0 and keys[p - 1] > key:
                keys[p], closest[p] = keys[p - 1], closest[p - 1]
                p -= 1
            keys[p], closest[p] = key, other


@inner
def _to_boxes(low: Matrix, high: Matrix, x: Matrix, bounds: Matrix) -> None:
    """Squared distances to boxes that lie side by side."""
    bounds[:] = 0.0
    for c in range(len(x)):
        value = x[c]
        for a in range(len(bounds)):
            below, above = low[c, a] - value, value - high[c, a]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            bounds[a] += gap * gap


@inner
def _measure(points: Matrix, x: Matrix, distances: Matrix) -> None:
    """Squared distances to the records of a leaf."""
    distances[:] = 0.0
    for c in range(len(x)):
        value = x[c]
        for a in range(LEAF):
            difference = points[c, a] - value
            distances[a] += difference * difference


@inner
def _admit(distances: Matrix, first: int, own: int, keys: Matrix, near: Slots) -> None:
    """Put the records of a leaf that belong there into the sorted list of nearest ones."""
    last, worst, hits = len(keys) - 1, keys[-1], 0
    for a in range(LEAF):
        hits += distances[a] < worst
    for a in range(LEAF if hits > 0 else 0):
        if distances[a] < keys[last] and first + a != own:
            p = last
            while p > 0 and keys[p - 1] > distances[a]:
                keys[p], near[p] = keys[p - 1], near[p - 1]
                p -= 1
            keys[p], near[p] = distances[a], first + a
