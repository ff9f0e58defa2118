"""Groups of at least k users who are alike: exact in blocks, blocks cut along the main directions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._check import check_k
from shoal._shared.options import with_known_options
from shoal.errors import Infeasible, InvalidInput
from shoal.graph.geometry import check_attributes, user_vectors
from shoal.graph.main_directions import halved, main_directions
from shoal.graph.network import Graph
from shoal.partition.labels import relabel, sizes
from shoal.partition.mdav import mdav
from shoal.types import Callback, Labels, Partitioner, Progress, RandomState


def group_users(
    graph: Graph,
    *,
    k: int,
    attributes: Iterable[str] | None = None,
    partition: Partitioner = mdav,
    block_size: int = 10_000,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Labels:
    """Group users by what they have in common: at least k in every group, one integer per user.

    Parameters
    ----------
    graph
        The graph.
    k
        Minimum group size.
    attributes
        What users are compared by: "location", "topics" or columns of the users; all if not given.
    partition
        Any partitioner `f(X, k) -> labels`; with `mdav` this is MDAV-generic under the semantic distance.
    block_size
        Most users in a block, at least 2k. A graph with no more users is grouped in one piece.
    rng
        Seed or generator for a partitioner that draws.
    callback
        Called with `Progress` after every block.

    Returns
    -------
    Labels
        0..g-1.

    Notes
    -----
    Users are vectors whose Euclidean distance is the semantic distance (`shoal.graph.geometry`), kept sparse.
    Blocks are halved across the widest of the 16 main directions of these vectors until they are small
    enough; then the partitioner sees the full vectors of a block. Time O(n log n) and that of the
    partitioner on the blocks; memory O(n) and one block.

    References
    ----------
    Domingo-Ferrer, Torra: Ordinal, continuous and heterogeneous k-anonymity through microaggregation, Data
    Mining and Knowledge Discovery 11 (2005), for MDAV-generic.

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> users = {"user": list("abcd"), "location": ["Spain", "Japan", "Portugal", "China"]}
    >>> group_users(as_graph(users, {"a": ["a"], "b": ["b"]}), k=2)
    array([0, 1, 0, 1])
    """
    rng = np.random.default_rng(rng)
    names = check_attributes(attributes, graph)
    k = check_k(k, len(graph))
    if isinstance(block_size, bool) or not isinstance(block_size, int) or block_size < 2 * k:
        raise InvalidInput(f"`block_size` must be an integer of at least 2k = {2 * k}, got {block_size!r}.")
    X = user_vectors([graph], names)[0]
    labels = np.empty(len(graph), dtype=np.intp)
    found = done = 0
    for rows in halved(main_directions(X) if len(graph) > block_size else None, len(graph), k, block_size):
        block = X[rows].toarray()
        block = block[:, np.ptp(block, axis=0) > 0]
        inside = np.zeros(len(rows), dtype=np.intp)
        if block.shape[1]:
            inside = with_known_options(partition, rng=rng)(block, k)
        else:
            inside = np.minimum(np.arange(len(rows)) // k, len(rows) // k - 1)  # all alike
        labels[rows] = inside + found
        found += int(inside.max()) + 1
        done += len(rows)
        if callback is not None:
            callback(Progress(done / len(graph), f"{done} users grouped"))
    if sizes(labels).min() < k:  # trust no partitioner: a group below k would expose people
        raise Infeasible(f"The partitioner returned a group of fewer than k = {k} users; do not use it.")
    return relabel(labels)
