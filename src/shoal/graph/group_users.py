"""Groups of at least k users who are alike: exact in blocks, blocks cut along the main directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_k
from shoal._options import with_known_options
from shoal.errors import Infeasible, InvalidInput
from shoal.graph.geometry import check_attributes, user_vectors
from shoal.graph.network import ATTRIBUTES, Graph
from shoal.partition.labels import relabel, sizes
from shoal.partition.mdav import mdav
from shoal.types import Callback, Labels, Matrix, Partitioner, Progress, RandomState

DIRECTIONS = 16
Rows = NDArray[np.intp]


def group_users(
    graph: Graph,
    *,
    k: int,
    attributes: Iterable[str] = ATTRIBUTES,
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
        What users are compared by: "location", "topics" or both.
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
    names = check_attributes(attributes)
    k = check_k(k, len(graph))
    if isinstance(block_size, bool) or not isinstance(block_size, int) or block_size < 2 * k:
        raise InvalidInput(f"`block_size` must be an integer of at least 2k = {2 * k}, got {block_size!r}.")
    X = user_vectors([graph], names)[0]
    labels = np.empty(len(graph), dtype=np.intp)
    found = done = 0
    for rows in _blocks(_main_directions(X) if len(graph) > block_size else None, len(graph), k, block_size):
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


def _main_directions(X: Any) -> Matrix:
    """The users along the directions in which they differ most (principal components)."""
    mean = np.asarray(X.mean(axis=0)).reshape(-1)
    spread = (X.T @ X).toarray() / X.shape[0] - np.outer(mean, mean)
    vectors = np.linalg.eigh(spread)[1][:, ::-1][:, :DIRECTIONS]
    return np.asarray(X @ vectors)


def _blocks(Z: Matrix | None, n: int, k: int, block_size: int) -> Iterator[Rows]:
    """Halve across the direction that varies most, at a multiple of k, until blocks are small enough."""
    waiting = [np.arange(n)]
    while waiting:
        rows = waiting.pop()
        if Z is None or len(rows) <= block_size:
            yield np.sort(rows)
            continue
        widest = int(np.argmax(Z[rows].var(axis=0)))
        half = max(len(rows) // (2 * k), 1) * k
        order = np.argsort(Z[rows, widest], kind="stable")
        waiting += [rows[order[half:]], rows[order[:half]]]
