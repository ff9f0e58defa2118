"""The nearest other records of every record."""

from __future__ import annotations

import numpy as np

from shoal.types import Labels, Matrix


def nearest_records(X: Matrix, count: int) -> Labels:
    """The nearest other records of every record, the closest first, among equals the lowest row position.

    >>> nearest_records(np.array([[0.0], [5.0], [1.0]]), 1)
    array([[2],
           [2],
           [0]])
    """
    from shoal._kernels.spatial.exact_neighbours import nearest_rows

    near, _ = nearest_rows(X, X, count + 1)
    own = near == np.arange(len(X))[:, None]
    own[:, -1] |= ~own.any(axis=1)  # more than `count` equal records can push a record off its own list
    found: Labels = near[~own].reshape(len(X), count)
    return found
