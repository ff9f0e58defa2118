"""Graphs of networkx, there and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from shoal.errors import InvalidInput, NotApplicable
from shoal.graph.build_graph import as_graph
from shoal.graph.network import Graph, topic_texts
from shoal.graph.topics import Words
from shoal.hierarchy import Hierarchy


def load_networkx() -> Any:
    """The package networkx, or one sentence that says how to get it."""
    try:
        import networkx
    except ImportError as error:
        raise NotApplicable('GraphML and networkx need: pip install "shoal[graph]".') from error
    return networkx


def from_networkx(
    network: Any,
    *,
    places: Hierarchy | None = None,
    place_names: Mapping[str, str] | None = None,
    interests: Hierarchy | None = None,
    words: Words | None = None,
    most: int = 5,
) -> Graph:
    """Make a graph of a networkx graph, whose nodes are the users.

    Parameters
    ----------
    network
        A graph of networkx, directed or not. Nodes may have the attributes `location` (text), `topics` (text
        as in `as_graph`, or a dict of weights by topic) and `posts` (a text or a list of texts).
    places, place_names, interests, words, most
        As in `as_graph`.

    Returns
    -------
    Graph

    Notes
    -----
    Directions, repeated edges, loops and other attributes are not taken over.

    Examples
    --------
    >>> import networkx
    >>> network = networkx.path_graph(3)
    >>> network.nodes[1]["location"] = "Lisboa"
    >>> from_networkx(network).users["location"].to_list()
    [None, 'Portugal', None]
    """
    if not hasattr(network, "nodes") or not hasattr(network, "edges"):
        raise InvalidInput(f"`network` must be a graph of networkx, got {type(network).__name__}.")
    nodes = [(str(node), attributes) for node, attributes in network.nodes(data=True)]
    users = pl.DataFrame(
        {
            "user": pl.Series([name for name, _ in nodes], dtype=pl.String),
            "location": pl.Series([_text(a.get("location")) for _, a in nodes], dtype=pl.String),
            "topics": pl.Series([_topics(a.get("topics")) for _, a in nodes], dtype=pl.String),
        }
    )
    posts = [(name, post) for name, a in nodes for post in _listed(a.get("posts"))]
    pairs = [(str(a), str(b)) for a, b, *_ in network.edges]
    return as_graph(
        users,
        pl.DataFrame(pairs, schema={"a": pl.String, "b": pl.String}, orient="row"),
        posts=pl.DataFrame(posts, schema={"user": pl.String, "text": pl.String}, orient="row")
        if posts
        else None,
        places=places,
        place_names=place_names,
        interests=interests,
        words=words,
        most=most,
    )


def to_networkx(graph: Graph) -> Any:
    """The graph as an undirected networkx graph, with `location` and `topics` (as text) of every node.

    >>> from shoal.graph import make_social
    >>> to_networkx(make_social(30, rng=1).graph()).number_of_nodes()
    30
    """
    network = load_networkx().Graph()
    texts = topic_texts(graph.users["topics"]).to_list()
    rows = zip(graph.users["user"].to_list(), graph.users["location"].to_list(), texts, strict=True)
    for user, location, topics in rows:
        known = {"location": location, "topics": topics}
        network.add_node(user, **{name: value for name, value in known.items() if value is not None})
    names = graph.users["user"].to_list()
    network.add_edges_from((names[a], names[b]) for a, b in graph.edges.tolist())
    return network


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _topics(value: Any) -> str | None:
    if isinstance(value, Mapping):
        return "; ".join(f"{topic}={weight}" for topic, weight in value.items())
    return _text(value)


def _listed(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(value)] if isinstance(value, str) else [str(post) for post in value]
