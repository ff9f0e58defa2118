"""Building a graph from frames: users, who is connected to whom, and what they wrote."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_count, check_names
from shoal.errors import InputWarning, InvalidInput
from shoal.graph.network import USERS, Edges, Graph, topic_lists
from shoal.graph.places import match_places, world
from shoal.graph.topics import Words, find_topics, heaviest, topic_tree
from shoal.hierarchy import Hierarchy


def as_graph(
    users: Any,
    edges: Any,
    *,
    posts: Any = None,
    places: Hierarchy | None = None,
    place_names: Mapping[str, str] | None = None,
    interests: Hierarchy | None = None,
    words: Words | None = None,
    most: int = 5,
) -> Graph:
    """Make a graph of users and connections: locations found in a gazetteer, topics found in posts.

    Parameters
    ----------
    users
        A frame (pandas, polars, pyarrow or a dict of columns), one row per user, with the column `user`, and
        where known `location` (free text) and `topics` ("football=0.7; jazz=0.3", or "football; jazz").
        Other columns are not taken over, so that they cannot be released by mistake.
    edges
        A frame whose first two columns name the two users of a connection. Directions, repetitions and
        connections of a user with themselves do not count.
    posts
        A frame with the columns `user` and `text`; topics are found in them for users who have none yet.
    places, place_names
        The gazetteer and other names of its places; those of shoal if not given (`world`, `place_names`).
    interests, words
        The tree of topics and their keywords; those of shoal if not given (`topic_tree`, `topic_words`).
    most
        How many topics a user keeps, the heaviest ones.

    Returns
    -------
    Graph

    Warns
    -----
    InputWarning
        Says how many locations the gazetteer does not know; they count as unknown.

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
    ['Portugal', 'Spain', None]
    >>> graph.edges.tolist()
    [[0, 1], [1, 2]]
    """
    check_count("most", most)
    frame = _frame(users, "users")
    check_names(["user"], frame.columns, "column of the users")
    names = _user_names(frame["user"])
    location = _locations(frame, places, place_names)
    tree = topic_tree() if interests is None else interests
    topics = _given_topics(frame, tree, most)
    if posts is not None:
        topics = _with_posts(names, topics, _frame(posts, "posts"), words, interests, most)
    table = pl.DataFrame({"user": names, "location": location, "topics": topics}, schema=USERS)
    pairs = _edges(names, _frame(edges, "edges"))
    return Graph(table, pairs, world() if places is None else places, tree)


def simple_edges(pairs: NDArray[Any]) -> Edges:
    """Every connection once, lower position first, in order; none of a user with themselves.

    >>> simple_edges(np.array([[2, 1], [0, 0], [1, 2]])).tolist()
    [[1, 2]]
    """
    pairs = np.sort(np.asarray(pairs, dtype=np.intp).reshape(-1, 2), axis=1)
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    width = int(pairs.max(initial=0)) + 1
    keys = np.unique(pairs[:, 0] * width + pairs[:, 1])
    return np.column_stack(np.divmod(keys, width)).astype(np.intp)


def _frame(given: Any, what: str) -> pl.DataFrame:
    if isinstance(given, Mapping):
        return pl.DataFrame(given)
    try:
        frame: pl.DataFrame = nw.from_native(given, eager_only=True).to_polars()
    except TypeError:
        raise InvalidInput(f"The {what} need a frame of pandas, polars or pyarrow, or a dict.") from None
    return frame


def _user_names(column: pl.Series) -> pl.Series:
    names = column.cast(pl.String)
    if names.null_count():
        row = int(np.argmax(names.is_null().to_numpy()))
        raise InvalidInput(f"The user of row {row} has no name; give every user one.")
    if names.n_unique() < len(names):
        row = int(np.argmax(~names.is_first_distinct().to_numpy()))
        raise InvalidInput(f"The user of row {row} is there twice; keep one row per user.")
    return names


def _locations(frame: pl.DataFrame, places: Hierarchy | None, names: Mapping[str, str] | None) -> pl.Series:
    if "location" not in frame.columns:
        return pl.Series([None] * frame.height, dtype=pl.String)
    texts = [text if text and text.strip() else None for text in frame["location"].cast(pl.String)]
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


def _with_posts(
    names: pl.Series,
    topics: pl.Series,
    posts: pl.DataFrame,
    words: Words | None,
    interests: Hierarchy | None,
    most: int,
) -> pl.Series:
    posts = posts.with_columns(pl.col("user").cast(pl.String)) if "user" in posts.columns else posts
    found = find_topics(posts, words=words, interests=interests, most=most)
    unknown = ~posts["user"].is_in(names.implode())
    if unknown.any():
        row = int(np.argmax(unknown.fill_null(True).to_numpy()))
        raise InvalidInput(
            f"Post {row} is of a user who is not among the users; add the user or drop the post."
        )
    table = pl.DataFrame({"user": names, "topics": topics})
    joined = table.join(found, on="user", how="left", suffix="_found", maintain_order="left")
    return joined.select(pl.coalesce("topics", "topics_found").alias("topics"))["topics"]


def _edges(names: pl.Series, edges: pl.DataFrame) -> Edges:
    if edges.width < 2:
        raise InvalidInput("The edges need two columns, the two users of a connection.")
    position = {name: row for row, name in enumerate(names.to_list())}
    ends = []
    for column in edges.columns[:2]:
        ends.append([position.get(name, -1) for name in edges[column].cast(pl.String).to_list()])
        if -1 in ends[-1]:
            raise InvalidInput(
                f"Edge {ends[-1].index(-1)} names a user who is not among the users; add them or drop it."
            )
    return simple_edges(np.array(ends, dtype=np.intp).T)
