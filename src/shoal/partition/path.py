"""A path through all records, cut in the best possible way (MHM)."""

from __future__ import annotations

import numpy as np

from shoal.errors import InvalidInput
from shoal.partition._shared.optimal_cut import optimal_cut
from shoal.partition._shared.prepare import prepare
from shoal.partition._tour.tour_orders import Tour, insertion, shortened
from shoal.types import Labels, Matrix


def path(X: Matrix, k: int, *, tour: Tour = insertion, improve: bool = True) -> Labels:
    """Walk through all records along a short path and cut it into groups in the best possible way.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    tour
        Any function of the records that returns their row positions in some order: `nearest_next`,
        `nearest_point_next`, `insertion` or `greedy` (all in `shoal.partition`), or your own.
    improve
        Shorten the path by 2-opt and Or-opt moves before it is cut.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    The cuts are the best ones for the path, not the best groups of all. Time O(n^2 d) for every tour but
    `greedy`, which is near O(n log n) in few columns, then O(k n d) for the cuts; memory O(n d). For more
    than some 50,000 records take `greedy`.

    References
    ----------
    Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz, Sebe: Efficient multivariate data-oriented
    microaggregation, The VLDB Journal 15 (2006). Heaton, Mukherjee: Record ordering heuristics for disclosure
    control through microaggregation (2011).

    Examples
    --------
    >>> path([[0.0], [5.0], [0.1], [5.1], [0.2], [5.2]], 3)
    array([0, 1, 0, 1, 0, 1])
    """
    X, k = prepare(X, k)
    order = _check_order(tour(X), len(X))
    if improve:
        order = shortened(X, order)
    return optimal_cut(X, k, order)


def _check_order(order: Labels, n: int) -> Labels:
    """A record left out or visited twice would be in no group or in two."""
    order = np.asarray(order)
    if order.shape != (n,) or not np.array_equal(np.sort(order), np.arange(n)):
        raise InvalidInput(f"`tour` must return each of the {n} row positions exactly once.")
    return order.astype(np.intp)
