"""Cut a sequence of records into groups in the best possible way."""

from __future__ import annotations

import numpy as np

from shoal.types import Labels, Matrix


def optimal_cut(X: Matrix, k: int, order: Labels) -> Labels:
    """Groups of k to 2k-1 neighbours in the given order, with the least sum of squares of all such groups.

    >>> optimal_cut(np.array([[5.0], [0.0], [5.2], [0.1]]), 2, np.array([1, 3, 0, 2]))
    array([0, 1, 0, 1])
    """
    from shoal._kernels.sequences.optimal_cuts import best_cuts, best_value_cuts, label_cuts

    last = best_value_cuts(X[order, 0], k) if X.shape[1] == 1 else best_cuts(X[order], k)
    labels: Labels = label_cuts(order, last)
    return labels


def ascending(values: Matrix) -> Labels:
    """Row positions from the smallest to the largest value, equal ones in file order.

    >>> ascending(np.array([3.0, 1.0, 3.0, 2.0]))
    array([1, 3, 0, 2])
    """
    from shoal._kernels.sequences.optimal_cuts import settle_ties

    order: Labels = np.argsort(values)  # faster than a stable sort
    ordered = values[order]
    if (ordered[1:] == ordered[:-1]).any():
        order = settle_ties(ordered, order)
    return order
