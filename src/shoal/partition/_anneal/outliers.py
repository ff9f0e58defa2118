"""The dearest groups: outliers far from each other, yet rivals, since every group needs k of them.

While a file cools down they find their places first, when all others are still in flux, and keep them. So it
pays to search them once more by themselves, where all others are at rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.partition._anneal.merge_partitions import group_sse
from shoal.partition.labels import relabel, sizes
from shoal.types import Labels, Matrix

TENTH, HALF = 0.1, 0.5


def dearest(X: Matrix, labels: Labels, size: int) -> NDArray[np.intp]:
    """The records of the groups with the largest sums of squares, at least `size` of them, in order.

    >>> dearest(np.array([[0.0], [0.0], [4.0], [5.0], [9.0], [7.0]]), np.array([0, 0, 1, 1, 2, 2]), 3)
    array([2, 3, 4, 5])
    """
    return records_of(labels, np.argsort(-group_sse(X, labels), kind="stable"), size)


def cheapest(X: Matrix, labels: Labels, size: int) -> NDArray[np.intp]:
    """The same for the groups with the smallest sums of squares.

    >>> cheapest(np.array([[0.0], [0.0], [4.0], [5.0], [9.0], [7.0]]), np.array([0, 0, 1, 1, 2, 2]), 3)
    array([0, 1, 2, 3])
    """
    return records_of(labels, np.argsort(group_sse(X, labels), kind="stable"), size)


def records_of(labels: Labels, order: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    """The records of the first groups in an order, as many groups as have `size` records together.

    >>> records_of(np.array([0, 1, 1, 2, 0]), np.array([2, 0, 1]), 2)
    array([0, 3, 4])
    """
    count = int(np.searchsorted(np.cumsum(sizes(labels)[order]), size)) + 1
    return np.flatnonzero(np.isin(labels, order[:count]))


def replaced(labels: Labels, rows: NDArray[np.intp], inside: Labels) -> Labels:
    """Labels (0..g-1) with other groups for some rows, which were whole groups.

    >>> replaced(np.array([0, 1, 1, 2, 2]), np.array([1, 2, 3, 4]), np.array([0, 1, 0, 1]))
    array([0, 1, 2, 1, 2])
    """
    labels = labels.copy()
    labels[rows] = labels.max() + 1 + inside
    return relabel(labels)


def skewed(X: Matrix, labels: Labels) -> bool:
    """Does a tenth of the groups make more than half of the loss?

    >>> X = np.concatenate([np.arange(38.0), [100.0, 200.0]])[:, None]
    >>> skewed(X, np.arange(40) // 2), skewed(X[:38], np.arange(38) // 2)
    (True, False)
    """
    costs = np.sort(group_sse(X, labels))[::-1]
    return bool(costs[: int(np.ceil(TENTH * len(costs)))].sum() > HALF * costs.sum())
