"""The groups a search begins with: what a partitioner makes, or labels at hand."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from shoal.errors import InvalidInput
from shoal.partition._shared.split_large import split_large
from shoal.partition.labels import relabel, sizes
from shoal.partition.mdav import mdav
from shoal.types import Labels, Matrix, Partitioner

Start: TypeAlias = Partitioner | Labels


def start_labels(X: Matrix, k: int, start: Start) -> Labels:
    """Labels with k to 2k-1 records in every group; larger groups are divided by MDAV, which lowers the loss.

    >>> start_labels(np.array([[0.0], [9.0], [1.0], [8.0]]), 2, np.zeros(4, dtype=int))
    array([0, 1, 0, 1])
    """
    labels = np.asarray(start(X, k) if callable(start) else start)
    if labels.shape != (len(X),) or not np.issubdtype(labels.dtype, np.integer):
        raise InvalidInput(
            f"`start` must be a partitioner or labels, one integer for each of the {len(X)} records."
        )
    labels = relabel(labels)
    if sizes(labels).min() < k:
        raise InvalidInput(f"`start` has a group of fewer than k = {k} records; every group needs k.")
    return relabel(split_large(X, labels, k, mdav))
