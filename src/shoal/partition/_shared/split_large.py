"""Divide groups of 2k records or more: the sum of squares can only fall."""

from __future__ import annotations

from shoal.partition.labels import members, sizes
from shoal.types import Labels, Matrix, Partitioner


def split_large(X: Matrix, labels: Labels, k: int, partition: Partitioner) -> Labels:
    """The labels, with every group of 2k records or more divided by the partitioner.

    >>> import numpy as np
    >>> from shoal.partition.mdav import mdav
    >>> split_large(np.array([[0.0], [1.0], [8.0], [9.0]]), np.zeros(4, dtype=int), 2, mdav)
    array([1, 1, 2, 2])
    """
    labels, unused = labels.copy(), int(labels.max()) + 1
    if sizes(labels).max() < 2 * k:
        return labels
    for rows in (rows for rows in members(labels) if len(rows) >= 2 * k):
        labels[rows] = unused + partition(X[rows], k)
        unused = int(labels[rows].max()) + 1
    return labels
