"""What a file or another package's object says about a network, before it is a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

import polars as pl

from shoal.graph.build_graph import as_graph
from shoal.graph.network import Graph
from shoal.graph.read_users import Kinds, Roles
from shoal.graph.topics.topic_lists import Finder, Words
from shoal.hierarchy import Hierarchy

Rows = Sequence[Mapping[str, Any]]
NO_POSTS = {"user": pl.String, "text": pl.String}


class GraphOptions(TypedDict, total=False):
    """What every way of reading a network takes, as in `as_graph`; `directed=None` means as the file says."""

    directed: bool | None
    roles: Roles | None
    kinds: Kinds | None
    hierarchies: Mapping[str, Any] | None
    places: Hierarchy | None
    place_names: Mapping[str, str] | None
    interests: Hierarchy | None
    words: Words | None
    finder: Finder | None
    implied: Iterable[str]
    most: int


@dataclass(frozen=True)
class NetworkParts:
    """Users, edges and posts as frames, and whether the file says that edges have a direction."""

    users: Any
    edges: pl.DataFrame
    directed: bool = False
    posts: pl.DataFrame | None = field(default=None)

    def graph(self, options: GraphOptions) -> Graph:
        """The graph of these parts."""
        chosen = options.get("directed")
        given: Any = {name: value for name, value in options.items() if name != "directed"}
        directed = self.directed if chosen is None else chosen
        return as_graph(self.users, self.edges, posts=self.posts, directed=directed, **given)


def parts_from_rows(
    names: Sequence[str], rows: Rows, ends: Sequence[tuple[str, str]], strengths: Rows, directed: bool
) -> NetworkParts:
    """Users with attributes in dicts, and connections with attributes in dicts.

    >>> parts = parts_from_rows(["a", "b"], [{"age": 3}, {}], [("a", "b")], [{"weight": 2}], False)
    >>> parts.users["age"].to_list()
    [3, None]
    """
    texts = [
        (name, text) for name, row in zip(names, rows, strict=True) for text in _listed(row.get("posts"))
    ]
    users = {"user": pl.Series(list(names), dtype=pl.String)} | _columns(rows, ("posts", "user"))
    edges = {
        "source": pl.Series([a for a, _ in ends], dtype=pl.String),
        "target": pl.Series([b for _, b in ends], dtype=pl.String),
    } | _columns(strengths, ("source", "target"))
    posts = pl.DataFrame(texts, schema=NO_POSTS, orient="row") if texts else None
    return NetworkParts(pl.DataFrame(users), pl.DataFrame(edges), directed, posts)


def _columns(rows: Rows, but: tuple[str, ...]) -> dict[str, pl.Series]:
    """Attributes as columns, in the order of first use; what is of several types becomes text."""
    names = dict.fromkeys(str(name) for row in rows for name in row)
    found = {}
    for name in (name for name in names if name not in but):
        values = [row.get(name) for row in rows]
        if name == "topics":
            values = [_topics(value) for value in values]
        if len({type(value) for value in values} - {type(None), int, float}) > 0:
            values = [None if value is None or value == "" else str(value) for value in values]
        found[name] = pl.Series(name, values, strict=False)
    return found


def _topics(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "; ".join(f"{topic}={weight}" for topic, weight in value.items())
    return value


def _listed(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(value)] if isinstance(value, str) else [str(post) for post in value]


def users_to_write(graph: Graph) -> pl.DataFrame:
    """One row per user as files have them: name, location, topics as text, all columns but identifiers."""
    from shoal.graph.network import topic_texts

    known = graph.users.select("user", "location", topics=topic_texts(graph.users["topics"]))
    if graph.others is None:
        return known
    kept = [name for name in graph.others.names() if name not in graph.others.names(role="identifier")]
    rest = pl.DataFrame({name: graph.others._narwhal[name].to_list() for name in kept}, strict=False)
    return pl.concat([known, rest], how="horizontal") if kept else known


def edges_to_write(graph: Graph) -> pl.DataFrame:
    """One row per connection: source, target and, where known, weight."""
    names, ends = graph.users["user"], graph.edges.T
    frame = pl.DataFrame({"source": names.gather(ends[0]), "target": names.gather(ends[1])})
    return frame if graph.weights is None else frame.with_columns(weight=pl.Series(graph.weights))


def known_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a row that are there.

    >>> known_values({"user": "ana", "location": None})
    {'user': 'ana'}
    """
    return {name: value for name, value in row.items() if value is not None}
