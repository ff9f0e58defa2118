"""MSTP: cut the longest edges of a minimum spanning tree."""

from __future__ import annotations

import numpy as np

from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.split_large import split_large
from shoal.partition.labels import relabel
from shoal.partition.md import md
from shoal.types import Labels, Matrix, Partitioner


def mst(X: Matrix, k: int, *, split: bool = True, partition: Partitioner = md) -> Labels:
    """Join all records by a shortest tree and cut its longest edges where both sides keep k records.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    split
        Divide groups of 2k records or more once again (the method M-d of the paper); without it groups
        follow the natural clusters and can be of any size.
    partition
        The partitioner that divides them.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k records or more, and 2k-1 at
        most if they are split.

    Notes
    -----
    Ties are settled by the lowest row position. Time O(n^2 d), memory O(n d). Good on well separated
    clusters; on scattered records the trees are long and thin.

    References
    ----------
    Laszlo, Mukherjee: Minimum spanning tree partitioning algorithm for microaggregation, IEEE Transactions
    on Knowledge and Data Engineering 17 (2005).

    Examples
    --------
    >>> mst([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [5.3]], 3)
    array([0, 0, 0, 1, 1, 1, 1])
    """
    from shoal._kernels.partitioners.mst import cut_tree, spanning_tree

    X, k = prepare(X, k)
    joined, parent, length = spanning_tree(X)
    edges = joined[1:][np.argsort(-length[joined[1:]], kind="stable")]
    labels = cut_tree(joined, parent, edges, k)
    return relabel(split_large(X, labels, k, partition) if split else labels)
