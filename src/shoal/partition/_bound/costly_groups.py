"""Whole groups taken out of a partition, the costliest say, and put back when they are grouped otherwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.partition._anneal.merge_partitions import group_sse
from shoal.partition.labels import relabel, sizes
from shoal.types import Labels, Matrix


def costliest_groups(X: Matrix, labels: Labels, size: int) -> NDArray[np.intp]:
    """The records of the groups with the largest sums of squares, at least `size` of them, in order.

    >>> X = np.array([[0.0], [0.0], [4.0], [5.0], [9.0], [7.0]])
    >>> costliest_groups(X, np.array([0, 0, 1, 1, 2, 2]), 3)
    array([2, 3, 4, 5])
    """
    return records_of_groups(labels, np.argsort(-group_sse(X, labels), kind="stable"), size)


def records_of_groups(labels: Labels, order: NDArray[np.intp], size: int) -> NDArray[np.intp]:
    """The records of the first groups in an order, as many groups as have `size` records together.

    >>> records_of_groups(np.array([0, 1, 1, 2, 0]), np.array([2, 0, 1]), 2)
    array([0, 3, 4])
    """
    count = int(np.searchsorted(np.cumsum(sizes(labels)[order]), size)) + 1
    return np.flatnonzero(np.isin(labels, order[:count]))


def replace_groups(labels: Labels, rows: NDArray[np.intp], inside: Labels) -> Labels:
    """Labels (0..g-1) with other groups for some rows, which were whole groups.

    >>> replace_groups(np.array([0, 1, 1, 2, 2]), np.array([1, 2, 3, 4]), np.array([0, 1, 0, 1]))
    array([0, 1, 2, 1, 2])
    """
    labels = labels.copy()
    labels[rows] = labels.max() + 1 + inside
    return relabel(labels)
