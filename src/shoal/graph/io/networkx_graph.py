"""Graphs of networkx, there and back."""

from __future__ import annotations

from typing import Any, Unpack

from shoal.errors import InvalidInput, NotApplicable
from shoal.graph.io.network_parts import (
    GraphOptions,
    NetworkParts,
    edges_to_write,
    known_values,
    parts_from_rows,
    users_to_write,
)
from shoal.graph.network import Graph


def load_networkx() -> Any:
    """The package networkx, or one sentence that says how to get it."""
    try:
        import networkx
    except ImportError as error:
        raise NotApplicable('GraphML and networkx need: pip install "shoal[graph]".') from error
    return networkx


def from_networkx(network: Any, **options: Unpack[GraphOptions]) -> Graph:
    """Make a graph of a networkx graph, whose nodes are the users.

    Parameters
    ----------
    network
        A graph of networkx, directed or not. Nodes may have the attributes `location` (text), `topics` (text
        as in `as_graph`, or a dict of weights by topic) and `posts` (a text or a list of texts); all other
        attributes are columns of the users.
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
    >>> import networkx
    >>> network = networkx.path_graph(3)
    >>> network.nodes[1]["location"] = "Lisboa"
    >>> from_networkx(network).users["location"].to_list()
    [None, 'Lisbon, Lisbon, Portugal', None]
    """
    return networkx_parts(network).graph(options)


def networkx_parts(network: Any) -> NetworkParts:
    """Users and connections of a networkx graph, as frames."""
    if not hasattr(network, "nodes") or not hasattr(network, "edges"):
        raise InvalidInput(f"`network` must be a graph of networkx, got {type(network).__name__}.")
    names, rows = [str(node) for node in network.nodes], [dict(a) for _, a in network.nodes(data=True)]
    ends, strengths = [], []
    for a, b, known in network.edges(data=True):
        ends.append((str(a), str(b)))
        strengths.append({key: value for key, value in known.items() if key != "id"})
    return parts_from_rows(names, rows, ends, strengths, network.is_directed())


def to_networkx(graph: Graph) -> Any:
    """The graph as one of networkx, directed if it is, with what is known of every node, topics as text.

    >>> from shoal.graph import make_social
    >>> to_networkx(make_social(30, rng=1).graph()).number_of_nodes()
    30
    """
    library = load_networkx()
    network = library.DiGraph() if graph.directed else library.Graph()
    for row in users_to_write(graph).iter_rows(named=True):
        known = known_values(row)
        network.add_node(known.pop("user"), **known)
    for row in edges_to_write(graph).iter_rows(named=True):
        network.add_edge(row.pop("source"), row.pop("target"), **row)
    return network
