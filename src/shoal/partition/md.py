"""MD: maximum distance, the forerunner of MDAV."""

from __future__ import annotations

import numpy as np

from shoal.partition._shared.prepare import prepare
from shoal.partition.labels import assign_to_nearest, relabel
from shoal.types import Labels, Matrix


def md(X: Matrix, k: int) -> Labels:
    """Group records around the two most distant ones, again and again.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    Of the two most distant records the one farther from the mean comes first; ties are settled by the lowest
    row position. The last k to 2k-1 records are a group; fewer than k join the
    group with the closest mean. Finding the most distant pair anew costs O(n^3 d / k) in the worst case; here
    every record remembers how far its farthest partner was, most need not be measured again, and a tree
    answers who is near and far. Memory
    O(n d).

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical disclosure control,
    IEEE Transactions on Knowledge and Data Engineering 14 (2002).

    Examples
    --------
    >>> md([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], 3)
    array([0, 0, 0, 1, 1, 1])
    """
    from shoal._kernels.partitioners.md import md_groups

    X, k = prepare(X, k)
    norm = np.sqrt(np.einsum("ij,ij->i", X, X))
    labels, groups = md_groups(X, norm, k)
    free = labels < 0
    if free.sum() >= k:
        labels[free] = groups
    return relabel(assign_to_nearest(X, labels))
