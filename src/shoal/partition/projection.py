"""Rank records along one axis and cut the ranking."""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal._check import check_choice
from shoal.partition._shared.optimal_cut import ascending, optimal_cut
from shoal.partition._shared.prepare import prepare
from shoal.types import Labels, Matrix


def projection(X: Matrix, k: int, *, axis: Literal["principal", "zscores"] = "principal") -> Labels:
    """Rank records by one number each and cut the ranking in the best possible way.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    axis
        The number: "principal", the first principal component; "zscores", the sum of the z-scores.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    Cuts minimise the sum of squares over all columns, not along the axis alone. Very fast, but loses much
    when the columns do not move together. Equal numbers are taken in file order. Time
    O(n d^2 + n log n + k n d), memory O(n d).

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical disclosure control,
    IEEE Transactions on Knowledge and Data Engineering 14 (2002), with the cuts of Hansen, Mukherjee (2003).

    Examples
    --------
    >>> projection([[5.0, 5.1], [0.0, 0.1], [5.2, 5.0], [0.1, 0.0]], 2)
    array([0, 1, 0, 1])
    """
    check_choice("axis", axis, ("principal", "zscores"))
    X, k = prepare(X, k)
    scores = _principal(X) if axis == "principal" else _zscores(X)
    return optimal_cut(X, k, ascending(scores))


def _principal(X: Matrix) -> Matrix:
    """Scores on the first principal component, whose largest loading counts as positive."""
    _, directions = np.linalg.eigh(X.T @ X)
    direction = directions[:, -1]
    scores: Matrix = X @ (direction * np.sign(direction[np.argmax(np.abs(direction))]))
    return scores


def _zscores(X: Matrix) -> Matrix:
    spread = X.std(axis=0)
    scores: Matrix = (X / np.where(spread > 0, spread, 1.0)).sum(axis=1)
    return scores
