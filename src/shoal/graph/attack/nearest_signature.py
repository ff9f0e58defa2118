"""An intruder who takes the protected users that look most like what they know."""

from __future__ import annotations

import numpy as np

from shoal.types import Matrix

TIE = 1e-9  # distances closer than this are equal


def nearest_hits(X: Matrix, Y: Matrix) -> float:
    """Percent of rows of X whose own row of Y is nearest; among g equally near it counts 1/g.

    >>> nearest_hits(np.array([[0.0], [5.0], [5.0]]), np.array([[0.0], [5.0], [5.0]]))
    66.66666666666667
    """
    from scipy.spatial import cKDTree

    kinds, number = np.unique(Y.round(9), axis=0, return_inverse=True)
    copies = np.bincount(number.reshape(-1)).astype(float)
    tree = cKDTree(kinds)
    nearest = tree.query(X)[0]
    own = np.sqrt(((X - Y) ** 2).sum(axis=1))
    hit = np.flatnonzero(own <= nearest + TIE)
    rivals = tree.query_ball_point(X[hit], nearest[hit] + TIE)
    return 100.0 * float(sum(1.0 / copies[near].sum() for near in rivals if len(near))) / max(len(X), 1)
