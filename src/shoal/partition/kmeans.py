"""k-means with a minimum group size."""

from __future__ import annotations

import numpy as np

from shoal._check import check_count, check_matrix
from shoal.partition._shared.nearest import nearest_records
from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.split_large import split_large
from shoal.partition.labels import relabel
from shoal.partition.mdav import mdav
from shoal.types import Labels, Matrix, Partitioner


def kmeans(X: Matrix, k: int, *, start: Partitioner = mdav, neighbours: int = 20) -> Labels:
    """Improve groups as k-means does, record by record, and keep at least k records in each.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    start
        The partitioner whose groups are improved: their number stays, their sum of squares never rises.
        Groups of 2k records or more are first divided by MDAV.
    neighbours
        Groups look at those that hold one of so many nearest records of their members.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    This is the exchange form of k-means: a record goes to another group, or trades places with one of its
    members, whenever that lowers the sum of squares. Assigning all records to their closest means at once, as
    the textbook form does, breaks the minimum size, and mending it costs a flow problem in every round.
    Groups take turns, the one with the record farthest from the mean first. Time: that of the start, then
    about O(n d) per neighbour for each of some ten rounds, plus the search for near records; memory
    O(n (d + k + neighbours)).

    References
    ----------
    Hartigan, Wong: A k-means clustering algorithm, Applied Statistics 28 (1979). Spath: Cluster dissection
    and analysis (1985), the exchange method. Bradley, Bennett, Demiriz: Constrained k-means clustering,
    Microsoft Research MSR-TR-2000-65, the minimum size.

    Examples
    --------
    >>> kmeans([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], 3)
    array([0, 0, 0, 1, 1, 1])
    """
    from shoal._kernels.groups.descend import descend_fully
    from shoal._kernels.groups.groups import groups_of

    count = check_count("neighbours", neighbours)
    given = check_matrix(X)
    X, k = prepare(given, k)
    labels = split_large(X, start(given, k), k, mdav)
    order = np.argsort(-np.einsum("ij,ij->i", X, X), kind="stable")
    near = nearest_records(X[order], min(count, len(X) - 1)).astype(np.int32)
    groups = groups_of(X[order], relabel(labels[order]), k)
    descend_fully(groups, near, k)
    labels[order] = groups.labels
    return relabel(labels)
