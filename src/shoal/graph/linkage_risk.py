"""Semantic linkage: how many users an intruder finds again by looking for the nearest protected user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from shoal.graph.geometry import squared_norms, user_vectors
from shoal.graph.network import ATTRIBUTES, Graph
from shoal.graph.network_losses import compared
from shoal.types import Matrix

CELLS = 10_000_000  # distances held at a time
TIE = 1e-10  # squared distances closer than this are equal: rounding must not hide a tie


def semantic_linkage_risk(
    original: Graph, protected: Graph, *, attributes: Iterable[str] = ATTRIBUTES
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
    connections. Time O(users x different protected users), in blocks; memory O(users).

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> users = {"user": ["a", "b"], "location": ["Spain", "Japan"]}
    >>> graph = as_graph(users, {"a": ["a"], "b": ["b"]})
    >>> semantic_linkage_risk(graph, graph)
    100.0
    """
    names = compared(original, protected, attributes)
    X, Y = user_vectors([original, protected], names)
    kind, first = _kinds(Y)
    copies, targets = np.bincount(kind), Y[first].toarray()
    lengths = (targets**2).sum(axis=1)
    step = max(1, CELLS // len(first))
    hits = 0.0
    for start in range(0, len(original), step):
        rows = slice(start, start + step)
        squares = squared_norms(X[rows])[:, None] + lengths - 2 * np.asarray(X[rows] @ targets.T)
        hits += _hits(squares, kind[rows], copies)
    return 100.0 * hits / len(original)


def _kinds(Y: Any) -> tuple[Any, Any]:
    """Users who look the same have the same number; and the first user of every number."""
    rng = np.random.default_rng(0)  # two random projections tell different rows apart
    keys = Y @ rng.normal(size=(Y.shape[1], 2))
    _, first, kind = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return kind.reshape(-1), first


def _hits(squares: Matrix, own: Any, copies: Any) -> float:
    """Sum of the chances to be found: 1 / number of users as near as the right one, 0 if one is nearer."""
    mine = squares[np.arange(len(own)), own][:, None]
    nearer = (squares < mine - TIE).any(axis=1)
    rivals = (squares <= mine + TIE) @ copies
    return float((~nearer / rivals).sum())
