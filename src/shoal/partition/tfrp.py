"""TFRP: two fixed reference points."""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal._check import check_choice
from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.split_large import split_large
from shoal.partition.labels import assign_to_nearest, means, relabel, sizes
from shoal.types import Labels, Matrix


def tfrp(X: Matrix, k: int, *, stages: Literal[1, 2] = 2) -> Labels:
    """Group records around the ones farthest from two fixed points, then dissolve groups that do not pay.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    stages
        1: only build groups of k records (TFRP-1). 2: also give the records of a group to the groups closest
        to them where that lowers the sum of squares (TFRP-2).

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    The reference points are the smallest and the largest value of the centred records, repeated in every
    column, so columns should be on one scale. Records left at the end, fewer than k, join the group with the
    closest mean. The second stage visits groups from the largest sum of squares to the smallest; groups that
    reach 2k records are divided by the first stage. Ties are settled by the lowest row position. Time
    O(n^2 d / k), memory O(n d).

    References
    ----------
    Chang, Li, Huang: TFRP: an efficient microaggregation algorithm for statistical disclosure control,
    Journal of Systems and Software 80 (2007).

    Examples
    --------
    >>> tfrp([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], 3)
    array([0, 0, 0, 1, 1, 1])
    """
    check_choice("stages", stages, (1, 2))
    X, k = prepare(X, k)
    labels = _build(X, k)
    if stages == 2:
        labels = split_large(X, relabel(_dissolve(X, labels)), k, _build)
    return relabel(labels)


def _build(X: Matrix, k: int) -> Labels:
    """The first stage; the smallest corner of the records comes before the largest."""
    from shoal._kernels.partitioners.tfrp import tfrp_groups

    distances = [np.einsum("ij,ij->i", X - corner, X - corner) for corner in (X.min(), X.max())]
    orders = np.argsort(-np.stack(distances), axis=1, kind="stable")
    return assign_to_nearest(X, tfrp_groups(X, orders, k))


def _dissolve(X: Matrix, labels: Labels) -> Labels:
    from shoal._kernels.partitioners.tfrp import dissolve_groups

    centres = means(X, labels)
    squares = ((X - centres[labels]) ** 2).sum(axis=1)
    sse = np.bincount(labels, weights=squares).astype(np.float64)
    order = np.argsort(-sse, kind="stable")
    return dissolve_groups(X, labels, order, centres, sizes(labels), sse)
