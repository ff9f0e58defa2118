"""V-MDAV: MDAV with groups of variable size."""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal._check import check_number
from shoal.errors import InvalidInput
from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.split_large import split_large
from shoal.partition.labels import relabel, sse
from shoal.partition.mdav import mdav
from shoal.types import Labels, Matrix

GAMMAS = (0.0, 0.1, 0.2, 0.4, 0.7, 1.1, 1.5)  # what gamma="auto" tries


def v_mdav(X: Matrix, k: int, *, gamma: float | Literal["auto"] = 0.2) -> Labels:
    """Group records around the ones farthest from the mean, and let a group grow where records lie close.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    gamma
        Gain factor: a record joins a finished group if its squared distance to the group is below gamma times
        its squared distance to the nearest free record. About 0.2 suits scattered records, 1.1 clustered
        ones; "auto" tries several and keeps the one with the lowest sum of squares.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    The last records, fewer than k, join the group of the record closest to them; a group that reaches 2k
    records by that is divided by MDAV. The paper does not say whether its distances are squared; squared ones
    give its figures. For a factor on plain distances pass its square. Ties are settled by the lowest row
    position. Time O(n^2 d), memory O(n d); "auto" takes seven times as long.

    References
    ----------
    Solanas, Martinez-Balleste: V-MDAV: a multivariate microaggregation with variable group size, COMPSTAT
    (2006).

    Examples
    --------
    >>> v_mdav([[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2]], 3, gamma=1.1)
    array([0, 0, 0, 0, 1, 1, 1])
    """
    from shoal._kernels.partitioners.v_mdav import v_mdav_groups

    if isinstance(gamma, str) and gamma != "auto":
        raise InvalidInput(f'`gamma` must be a number of at least 0 or "auto", got {gamma!r}.')
    candidates = GAMMAS if isinstance(gamma, str) else (check_number("gamma", gamma, 0),)
    X, k = prepare(X, k)
    order = np.argsort(-np.einsum("ij,ij->i", X, X), kind="stable")  # the mean is the origin
    found = [split_large(X, v_mdav_groups(X, order, k, factor), k, mdav) for factor in candidates]
    return min((relabel(labels) for labels in found), key=lambda labels: sse(X, labels))
