"""Semantic linkage: how many users an intruder finds again by looking for the nearest protected user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.graph.geometry import squared_norms, user_vectors
from shoal.graph.losses.network_losses import compared
from shoal.graph.main_directions import halved, main_directions
from shoal.graph.network import Graph
from shoal.types import Matrix

BLOCK = 128  # different protected users who lie together; no measurement on record
Rows = NDArray[np.intp]
TIE = 1e-10  # squared distances closer than this are equal: rounding must not hide a tie


def semantic_linkage_risk(
    original: Graph, protected: Graph, *, attributes: Iterable[str] | None = None
) -> float:
    """Percent of users whom an intruder links right by taking the protected user nearest to what they know.

    Parameters
    ----------
    original, protected
        The two graphs, with the same users in the same order.
    attributes
        What the intruder knows of everybody, exactly: the worst case.

    Returns
    -------
    float
        0 (nobody is found) to 100 (everybody is). If g protected users are equally near and the right one is
        among them, that counts 1/g.

    Notes
    -----
    Distances are those of `shoal.graph.geometry`, over all attributes. The intruder does not use the
    connections. Time O(users x different protected users) at worst, less where groups are far apart; memory
    O(users).

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> users = {"user": ["a", "b"], "location": ["Spain", "Japan"]}
    >>> graph = as_graph(users, {"a": ["a"], "b": ["b"]})
    >>> semantic_linkage_risk(graph, graph)
    100.0
    """
    from shoal._kernels.graph.near_users import chances

    names = compared(original, protected, attributes)
    X, Y = user_vectors([original, protected], names)
    kind, first = _kinds(Y)
    targets = Y[first]
    cut = halved(main_directions(targets) if len(first) > BLOCK else None, len(first), 1, BLOCK)
    blocks = list(cut)
    order = np.concatenate(blocks)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    targets = targets[order].tocsr()
    bounds = np.cumsum([0, *map(len, blocks)]).astype(np.intp)
    listed, most = _by_coordinate(targets, bounds)
    X.sort_indices()
    users = X.indptr.astype(np.intp), X.indices.astype(np.intp), X.data
    copies = np.bincount(kind)[order].astype(float)
    found = chances(users, place[kind], bounds, listed, most, squared_norms(targets), copies, TIE)
    return 100.0 * found / len(original)


def _by_coordinate(targets: Any, bounds: Rows) -> tuple[tuple[Rows, Rows, Rows, Rows, Matrix], Matrix]:
    """For every block its coordinates, and for every coordinate which targets have it and how much."""
    found = targets.tocoo()
    block = np.searchsorted(bounds, found.row, side="right") - 1
    order = np.lexsort((found.row, found.col, block))
    block, column, row = block[order], found.col[order], found.row[order]
    new = np.flatnonzero(np.r_[True, (np.diff(block) != 0) | (np.diff(column) != 0)] if len(row) else [])
    begins = np.searchsorted(block[new], np.arange(len(bounds)))
    parts = found.data[order]
    most = np.maximum.reduceat(np.abs(parts), new) if len(new) else np.zeros(0)
    places = row - bounds[block]
    listed = (begins, column[new], np.append(new, len(row)), places)
    return (*(a.astype(np.intp) for a in listed), parts), most


def _kinds(Y: Any) -> tuple[Any, Any]:
    """Users who look the same have the same number; and the first user of every number."""
    rng = np.random.default_rng(0)  # two random projections tell different rows apart
    keys = Y @ rng.normal(size=(Y.shape[1], 2))
    _, first, kind = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return kind.reshape(-1), first
