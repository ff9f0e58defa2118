"""A graph as microdata: one record per user, with their own values and those of their friends."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_count
from shoal.graph.network import Graph, Profile, heaviest
from shoal.hierarchy import with_hierarchies
from shoal.table import Table, as_table


def to_table(graph: Graph, *, topics: int = 3) -> Table:
    """Microdata of the users: their own location and topics, and what is most common among their friends.

    Parameters
    ----------
    graph
        The graph.
    topics
        How many topics get a column, the heaviest first.

    Returns
    -------
    Table
        The columns `user` (an identifier), `location`, `topic_1`, `topic_2` ..., `friends` (their number),
        `friends_location` and `friends_topic_1` ...: quasi-identifiers with the hierarchies of the graph,
        ready for every masker. Missing where a user, or no friend, has a value.

    Notes
    -----
    The location of friends is the most frequent one that is known, their topics are those with the largest
    sum of weights; among equals the one first in the hierarchy. A table protects what it shows: the
    connections are not in it. Time and memory O(users + edges).

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> users = {"user": ["ana", "pau", "eva"], "location": ["Lisboa", "Spain", "Spain"]}
    >>> to_table(as_graph(users, {"a": ["ana", "ana"], "b": ["pau", "eva"]}), topics=1).frame.rows()[0]
    ('ana', 'Lisbon, Lisbon, Portugal', None, 2, 'Spain', None)
    """
    topics = check_count("topics", topics)
    location, interest = graph.profile("location"), graph.profile("topics")
    columns: dict[str, Any] = {
        "user": graph.users["user"],
        **_ranked(location, _entries(location), len(graph), ["location"]),
        **_ranked(interest, _entries(interest), len(graph), [f"topic_{i + 1}" for i in range(topics)]),
        "friends": graph.degrees,
        **_ranked(location, _of_friends(graph, location), len(graph), ["friends_location"]),
        **_ranked(
            interest,
            _of_friends(graph, interest),
            len(graph),
            [f"friends_topic_{i + 1}" for i in range(topics)],
        ),
    }
    frame = pl.DataFrame(columns)
    table = as_table(frame, roles={"identifier": "user", "quasi": frame.columns[1:]})
    trees = {name: graph.places if "location" in name else graph.interests for name in frame.columns[1:]}
    return with_hierarchies(table, {name: tree for name, tree in trees.items() if name != "friends"})


Entries = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]


def _entries(profile: Profile) -> Entries:
    return profile.rows, profile.nodes, profile.weights


def _of_friends(graph: Graph, profile: Profile) -> Entries:
    """What the friends of every user have, weights summed."""
    from scipy.sparse import csr_array

    friends = graph.links + graph.links.T if graph.directed else graph.links
    shape = (len(graph), len(profile.hierarchy.labels))
    own = csr_array((profile.weights, (profile.rows, profile.nodes)), shape=shape)
    found = (friends @ own).tocoo()
    return found.row.astype(np.intp), found.col.astype(np.intp), found.data.astype(np.float64)


def _ranked(profile: Profile, entries: Entries, n: int, names: list[str]) -> dict[str, pl.Series]:
    """One column per rank: the heaviest value of every user, the second ...; what covers all is no value."""
    rows, nodes, weights = entries
    known = nodes != len(profile.hierarchy.labels) - 1
    weights = weights.round(9)  # sums in another order must not settle ties
    rows, nodes, weights = heaviest(rows[known], nodes[known], weights[known], len(names))
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    labels = np.array(profile.hierarchy.labels, dtype=object)
    columns = {}
    for place, name in enumerate(names):
        values = np.full(n, None, dtype=object)
        values[rows[rank == place]] = labels[nodes[rank == place]]
        columns[name] = pl.Series(name, values.tolist(), dtype=pl.String)
    return columns
