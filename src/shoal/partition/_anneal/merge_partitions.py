"""Crossing: the better of two partitions in every part of the file where they differ."""

from __future__ import annotations

import numpy as np

from shoal.partition.labels import means, relabel
from shoal.types import Labels, Matrix


def group_sse(X: Matrix, labels: Labels) -> Matrix:
    """Sum of squares of every group.

    >>> group_sse(np.array([[1.0], [3.0], [9.0]]), np.array([0, 0, 1]))
    array([2., 0.])
    """
    distances = ((X - means(X, labels)[labels]) ** 2).sum(axis=1)
    squares: Matrix = np.bincount(labels, weights=distances).astype(np.float64)
    return squares


def merge_partitions(X: Matrix, first: Labels, second: Labels) -> Labels:
    """Labels (0..g-1) that are at least as good as either of two partitions.

    Groups that share records hang together. In every such connected part the two partitions cover the same
    records, so the cheaper one can be taken, whatever is taken elsewhere. Time O(n d).

    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [12.0], [13.0]])
    >>> merge_partitions(X, np.array([0, 1, 0, 1, 2, 2, 3, 3]), np.array([0, 0, 1, 1, 2, 3, 2, 3]))
    array([0, 0, 1, 1, 2, 2, 3, 3])
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    groups, shape = int(first.max()) + 1, (int(first.max()) + int(second.max()) + 2,) * 2
    # scipy 1.11 takes 32 bits only, and with more gives an answer of noise
    pairs = (first.astype(np.int32), (second + groups).astype(np.int32))
    shared = coo_array((np.ones(len(X), dtype=np.int8), pairs), shape=shape)
    count, part = connected_components(shared, directed=False)
    cost_first = np.bincount(part[:groups], weights=group_sse(X, first), minlength=count)
    cost_second = np.bincount(part[groups:], weights=group_sse(X, second), minlength=count)
    better = cost_second < cost_first
    return relabel(np.where(better[part[first]], second + groups, first))
