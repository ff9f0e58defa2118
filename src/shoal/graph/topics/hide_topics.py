"""Topics that nobody shall learn, taken out of a network before it is protected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import polars as pl

from shoal._check import check_names
from shoal.graph.network import Graph, heaviest, topic_lists
from shoal.graph.topics.topic_lists import SENSITIVE


def hide_topics(graph: Graph, topics: Iterable[str] | None = None) -> Graph:
    """The same network without some topics: who had no other counts as having none.

    Parameters
    ----------
    graph
        The graph.
    topics
        Labels of the tree of topics; what lies below one is hidden too. The `sensitive_topics` that the tree
        has, if not given.

    Returns
    -------
    Graph
        Weights of the topics that stay add up to 1 again.

    Notes
    -----
    k users who look alike do not help where all of them have a topic nobody should know. Time O(users).

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> users = {"user": ["a", "b"], "topics": ["health; music", "health"]}
    >>> hide_topics(as_graph(users, {"a": ["a"], "b": ["b"]})).users["topics"].to_list()
    [[{'topic': 'music', 'weight': 1.0}], None]
    """
    tree = graph.interests
    known = [topic for topic in SENSITIVE if topic in tree.node]
    names = known if topics is None else check_names(topics, tree.labels, "topic")
    hidden = [tree.node[name] for name in names]
    profile = graph.profile("topics")
    given = graph.users["topics"].is_not_null().to_numpy()[profile.rows]
    kept = given & ~np.isin(tree.ancestors[profile.nodes], hidden).any(axis=1)
    labels = np.array(tree.labels, dtype=object)[profile.nodes[kept]]
    entries = heaviest(profile.rows[kept], labels, profile.weights[kept], len(labels) + 1)
    return replace(graph, users=graph.users.with_columns(topics=topic_lists(*entries, len(graph))))


def sensitive_users(graph: Graph) -> pl.DataFrame:
    """How many users have every sensitive topic, the most frequent first.

    Parameters
    ----------
    graph
        The graph.

    Returns
    -------
    polars.DataFrame
        The columns `topic` and `users`; topics nobody has are left out.

    Notes
    -----
    Time O(users).

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> users = {"user": ["a", "b"], "topics": ["health; music", "health"]}
    >>> sensitive_users(as_graph(users, {"a": ["a"], "b": ["b"]})).rows()
    [('health', 2)]
    """
    flat = graph.users.select("topics").explode("topics").unnest("topics")["topic"]
    found = flat.filter(flat.is_in(list(SENSITIVE))).value_counts(sort=True)
    return found.select("topic", users=pl.col("count").cast(pl.Int64))
