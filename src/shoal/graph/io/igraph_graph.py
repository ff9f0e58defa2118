"""Graphs of igraph, there and back."""

from __future__ import annotations

from typing import Any, Unpack

from shoal.errors import InvalidInput, NotApplicable
from shoal.graph.io.network_parts import GraphOptions, parts_from_rows, users_to_write
from shoal.graph.network import Graph


def from_igraph(network: Any, **options: Unpack[GraphOptions]) -> Graph:
    """Make a graph of an igraph graph, whose vertices are the users.

    Parameters
    ----------
    network
        A graph of igraph, directed or not. The vertex attribute `name` names users where all are different;
        `location`, `topics` and `posts` are read as in `from_networkx`, all others are columns of the users.
    options
        As in `as_graph`; directions are kept unless ``directed=False``.

    Returns
    -------
    Graph

    Notes
    -----
    The edge attribute `weight` is kept. Time and memory O(users + edges).

    Examples
    --------
    >>> import igraph
    >>> from_igraph(igraph.Graph([(0, 1), (1, 2)], directed=True)).edges.tolist()
    [[0, 1], [1, 2]]
    """
    if not hasattr(network, "vs") or not hasattr(network, "es"):
        raise InvalidInput(f"`network` must be a graph of igraph, got {type(network).__name__}.")
    rows = [vertex.attributes() for vertex in network.vs]
    names = [str(row.get("name")) for row in rows]
    if len(set(names)) < len(rows) or "name" not in network.vs.attributes():
        names = [str(place) for place in range(len(rows))]
    else:
        rows = [{key: value for key, value in row.items() if key != "name"} for row in rows]
    ends = [(names[edge.source], names[edge.target]) for edge in network.es]
    strengths = [edge.attributes() for edge in network.es]
    return parts_from_rows(names, rows, ends, strengths, network.is_directed()).graph(options)


def to_igraph(graph: Graph) -> Any:
    """The graph as one of igraph, with what is known of every user and the weights of connections.

    >>> from shoal.graph import make_social
    >>> to_igraph(make_social(30, rng=1).graph()).vcount()
    30
    """
    try:
        import igraph
    except ImportError as error:
        raise NotApplicable('igraph is needed: pip install "shoal[graph]".') from error
    network = igraph.Graph(n=len(graph), edges=graph.edges.tolist(), directed=graph.directed)
    for name, values in users_to_write(graph).rename({"user": "name"}).to_dict(as_series=False).items():
        network.vs[name] = values
    if graph.weights is not None:
        network.es["weight"] = graph.weights.tolist()
    return network
