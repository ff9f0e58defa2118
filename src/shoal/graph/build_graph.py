"""Building a graph from frames: users, who is connected to whom, and what they wrote."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from shoal._check import check_count, check_names
from shoal.errors import InputWarning, InvalidInput
from shoal.graph.implied.with_implied import with_implied
from shoal.graph.network import USERS, Edges, Graph, heaviest, topic_lists
from shoal.graph.places.gazetteer import towns
from shoal.graph.places.match_places import match_places
from shoal.graph.places.world_countries import world
from shoal.graph.read_users import (
    Kinds,
    Roles,
    as_names,
    frame_of,
    other_columns,
    user_names,
    with_everybody,
)
from shoal.graph.tidy_edges import edge_weights, tidy_edges
from shoal.graph.topics.find_topics import find_topics
from shoal.graph.topics.topic_lists import Finder, Words, topic_tree
from shoal.hierarchy import Hierarchy
from shoal.table import Table


def as_graph(
    users: Any,
    edges: Any,
    *,
    posts: Any = None,
    directed: bool = False,
    roles: Roles | None = None,
    kinds: Kinds | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    places: Hierarchy | None = None,
    place_names: Mapping[str, str] | None = None,
    interests: Hierarchy | None = None,
    words: Words | None = None,
    finder: Finder | None = None,
    implied: Iterable[str] = (),
    most: int = 5,
) -> Graph:
    """Make a graph of users and connections: locations found in a gazetteer, topics found in posts.

    Parameters
    ----------
    users
        A frame (pandas, polars, pyarrow, a dict of columns or a `Table`), one row per user, with the column
        `user`, and where known `location` (free text), `topics` ("football=0.7; music=0.3", or "football;
        music") and any other columns.
    edges
        A frame whose first two columns name the two users of a connection; a column `weight` says how strong
        it is. Connections of a user with themselves are left out, repeated ones count once.
    posts
        A frame with the columns `user` and `text`; topics are found in them for users who have none yet.
    directed
        Connections lead from the first user to the second; else they have no direction.
    roles, kinds, hierarchies
        Of the other columns, as in `as_table` and `with_hierarchies`. What no role names is a
        quasi-identifier and will be protected; a text that is different for every user is an identifier.
    places, place_names
        The gazetteer and other names of its places; that of `towns` if not given, or for short `world`.
    interests, words
        The tree of topics and their keywords; those of shoal if not given (`topic_tree`, `word_topics`).
    finder
        What finds topics in posts, instead of keywords: see `find_topics` and `sentence_finder`.
    implied
        What else is taken from posts: "places" (of users who name none), "mentions" (with replies, as
        connections), "time_zone", "language" (columns of the posts, as attributes of users).
    most
        How many topics a user keeps, the heaviest ones.

    Returns
    -------
    Graph

    Warns
    -----
    InputWarning
        Says how many locations the gazetteer does not know, which count as unknown; who is only in the edges
        or posts, and is kept; which connections are repeated or of a user with themselves.

    Notes
    -----
    An unknown location counts as the label that covers all places, no topics as the label that covers all
    topics. Time and memory O(users + edges + words written).

    Examples
    --------
    >>> users = {"user": ["ana", "pau", "eva"], "location": ["Lisboa", "Spain", None]}
    >>> posts = {"user": ["pau", "eva"], "text": ["#jazz tonight", "a new recipe"]}
    >>> graph = as_graph(users, {"a": ["ana", "pau"], "b": ["pau", "eva"]}, posts=posts)
    >>> graph.users["location"].to_list()
    ['Lisbon, Lisbon, Portugal', 'Spain', None]
    >>> graph.edges.tolist()
    [[0, 1], [1, 2]]
    """
    check_count("most", most)
    known = users if isinstance(users, Table) else None
    frame, links = frame_of(users, "users"), _named_edges(edges)
    check_names(["user"], frame.columns, "column of the users")
    frame = frame.with_columns(user=user_names(frame["user"]))
    frame = with_everybody(frame, pl.concat([links[name] for name in links.columns[:2]]), "edges")
    written = None if posts is None else _written(posts)
    frame = frame if written is None else with_everybody(frame, written["user"], "posts")
    frame, links = with_implied(frame, links, written, implied, places=places, place_names=place_names)
    names, tree = frame["user"], topic_tree() if interests is None else interests
    topics = _given_topics(frame, tree, most)
    if written is not None:
        topics = _with_posts(
            names, topics, find_topics(written, words=words, interests=interests, finder=finder, most=most)
        )
    location = _locations(frame, places, place_names)
    pairs, weights = tidy_edges(_edges(names, links), edge_weights(links), directed=directed)
    return Graph(
        pl.DataFrame({"user": names, "location": location, "topics": topics}, schema=USERS),
        pairs,
        _gazetteer(location, places),
        tree,
        other_columns(frame, known, roles, kinds, hierarchies),
        directed,
        weights,
    )


def _gazetteer(location: pl.Series, places: Hierarchy | None) -> Hierarchy:
    """The one given, that of towns, or the small one where nobody has a place: it is read at once."""
    if places is not None:
        return places
    return towns() if location.null_count() < len(location) else world()


def _written(posts: Any) -> pl.DataFrame:
    """The posts, if they say who wrote what."""
    frame = frame_of(posts, "posts")
    check_names(["user", "text"], frame.columns, "column of the posts")
    return frame.with_columns(as_names(frame["user"]))


def _locations(frame: pl.DataFrame, places: Hierarchy | None, names: Mapping[str, str] | None) -> pl.Series:
    if "location" not in frame.columns:
        return pl.Series([None] * frame.height, dtype=pl.String)
    texts = [text if text and text.strip() else None for text in frame["location"].cast(pl.String)]
    if not any(text is not None for text in texts):
        return pl.Series([None] * frame.height, dtype=pl.String)
    found = match_places(texts, places=places, names=names)
    lost = [row for row, (a, b) in enumerate(zip(texts, found, strict=True)) if a is not None and b is None]
    if lost:
        warnings.warn(
            f"{len(lost)} of {sum(t is not None for t in texts)} locations are not in the gazetteer "
            f"(the first at row {lost[0]}) and count as unknown; add them to the place names.",
            InputWarning,
            stacklevel=4,
        )
    return pl.Series(found, dtype=pl.String)


def _given_topics(frame: pl.DataFrame, tree: Hierarchy, most: int) -> pl.Series:
    """Topics written as text, topic=weight with semicolons between."""
    n = frame.height
    if "topics" not in frame.columns:
        return pl.Series([None] * n, dtype=USERS["topics"])
    if frame["topics"].dtype == USERS["topics"]:
        return frame["topics"]
    rows, topics, weights = [], [], []
    for row, text in enumerate(frame["topics"].cast(pl.String).to_list()):
        for part in (text or "").split(";"):
            topic, _, weight = part.partition("=")
            if topic.strip():
                rows.append(row)
                topics.append(_topic(topic.strip(), tree, row))
                weights.append(_weight(weight, row))
    if not rows:
        return pl.Series([None] * n, dtype=USERS["topics"])
    names, number = np.array(topics, dtype=object), np.array(rows, dtype=np.intp)
    return topic_lists(*heaviest(number, names, np.array(weights), most), n)


def _topic(topic: str, tree: Hierarchy, row: int) -> str:
    if topic not in tree.node:
        raise InvalidInput(f"The topics of row {row} name one that the tree of topics does not have; add it.")
    return topic


def _weight(text: str, row: int) -> float:
    try:
        weight = float(text) if text.strip() else 1.0
    except ValueError:
        weight = -1.0
    if not 0 < weight < np.inf:
        raise InvalidInput(f"The topics of row {row} have a weight that is no number above 0.")
    return weight


def _with_posts(names: pl.Series, topics: pl.Series, found: pl.DataFrame) -> pl.Series:
    """The topics given, or else those found."""
    table = pl.DataFrame({"user": names, "topics": topics})
    joined = table.join(found, on="user", how="left", suffix="_found", maintain_order="left")
    return joined.select(pl.coalesce("topics", "topics_found").alias("topics"))["topics"]


def _edges(names: pl.Series, edges: pl.DataFrame) -> Edges:
    """Pairs of names as pairs of positions."""
    position = pl.DataFrame({"name": names, "row": np.arange(len(names))})
    ends = [
        edges.select(name=pl.col(column)).join(position, on="name", how="left", maintain_order="left")["row"]
        for column in edges.columns[:2]
    ]
    return np.column_stack([end.to_numpy() for end in ends]).astype(np.intp).reshape(-1, 2)


def _named_edges(edges: Any) -> pl.DataFrame:
    """The edges with their first two columns as names."""
    frame = frame_of(edges, "edges")
    if frame.width < 2:
        raise InvalidInput("The edges need two columns, the two users of a connection.")
    frame = frame.with_columns(as_names(frame[name]) for name in frame.columns[:2])
    for name in frame.columns[:2]:
        if frame[name].null_count():
            row = int(np.argmax(frame[name].is_null().to_numpy()))
            raise InvalidInput(f"Edge {row} lacks one of its two users; complete it or drop it.")
    return frame
