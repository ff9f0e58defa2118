"""Random switching: two connections exchange their ends, so that everybody keeps their number of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal._check import check_number
from shoal.graph.network import Graph
from shoal.types import RandomState


def switch_edges(graph: Graph, share: float, *, rng: RandomState = None) -> Graph:
    """Switch a share of the connections at random: a - b and c - d become a - d and c - b.

    Parameters
    ----------
    graph
        The graph.
    share
        Share of the connections to move, from 0 to 1.
    rng
        Seed or generator; with a known seed the switches can be undone.

    Returns
    -------
    Graph
        The same users with the same numbers of connections (from and to them, if directed); weights are left
        out if anything moved, as nobody knows those of new connections.

    Notes
    -----
    A switch that would connect a user with themselves, or two users twice, is not made; where few are
    possible (a nearly complete graph) fewer connections move. What remains of a neighbourhood still points to
    its user: see `privacy_curve` for what that is worth. Time and memory O(connections).

    References
    ----------
    Ying, Wu: Randomizing social networks: a spectrum preserving approach, SIAM International Conference on
    Data Mining (2008).

    Examples
    --------
    >>> from shoal.graph import make_social
    >>> graph = make_social(100, rng=1).graph()
    >>> bool((switch_edges(graph, 0.5, rng=1).degrees == graph.degrees).all())
    True
    """
    from shoal._kernels.graph.switches import switched

    rng = np.random.default_rng(rng)
    wanted = round(check_number("share", share, 0, 1) * len(graph.edges)) // 2
    if not wanted or len(graph.edges) < 2:
        return graph
    edges = rng.permutation(graph.edges)
    edges = switched(edges.astype(np.int64), wanted, graph.directed, rng, len(graph))
    edges = edges if graph.directed else np.sort(edges, axis=1)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    return replace(graph, edges=edges[order].astype(np.intp), weights=None)
