"""Protecting a graph: every user gets the common location and the shared topics of a group of at least k."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_count, check_k
from shoal.errors import Infeasible, PrivacyWarning
from shoal.graph.degrees import anonymise_degrees
from shoal.graph.geometry import check_attributes
from shoal.graph.group_users import group_users
from shoal.graph.network import ATTRIBUTES, Graph, Profile, topic_lists, topic_texts
from shoal.graph.topics import heaviest
from shoal.hierarchy.tree import common_ancestors
from shoal.partition.labels import sizes
from shoal.partition.mdav import mdav
from shoal.types import Callback, Labels, Partitioner, RandomState

MOST = 5  # topics a group releases, or as many as a user had


def protect_graph(
    graph: Graph,
    *,
    k: int,
    attributes: Iterable[str] = ATTRIBUTES,
    partition: Partitioner = mdav,
    shared: int = 2,
    degrees: bool = False,
    block_size: int = 10_000,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Graph:
    """Give every user what a group of at least k similar users has in common: a location and topics.

    Parameters
    ----------
    graph
        The graph to protect.
    k
        Minimum number of users who look alike; it has no default because it is the promise you make.
    attributes
        What an intruder may know and is protected: "location", "topics" or both (the default). What is not
        named is released as it is, and a `PrivacyWarning` says so.
    partition
        Any partitioner `f(X, k) -> labels`; with `mdav` groups are those of MDAV-generic.
    shared
        A topic that fewer members of a group have is generalised until so many have it, or a finer one; 1
        keeps all.
    degrees
        Also change some connections, so that every number of connections is that of at least k users
        (`anonymise_degrees`). Else connections stay as they are, and a `PrivacyWarning` says so.
    block_size
        Most users that are grouped in one piece, see `group_users`.
    rng
        Seed or generator, for a partitioner that draws and for the choice of connections to change.
    callback
        Called with `Progress` as users are grouped.

    Returns
    -------
    Graph
        The same users in the same order with the same names: `write_graph` shuffles and renumbers them.

    Raises
    ------
    Infeasible
        If the graph released would not keep the promise, which is counted again at the end.

    Notes
    -----
    Groups are made by semantic distance (`group_users`). A group releases the lowest place that covers all
    its locations, and the mean weights of its topics (the heaviest five, or as many as a user had). A user
    without location counts as being anywhere, a user without topics as interested in anything.
    Memory O(users + edges); 100,000 users with a million connections take some seconds.

    References
    ----------
    Our design after the outline (chapter 6) of Marés: Categorical data protection on statistical datasets
    and social networks, PhD thesis, Universitat Autònoma de Barcelona (2013); Domingo-Ferrer, Torra: Data
    Mining and Knowledge Discovery 11 (2005), for MDAV-generic; Liu, Terzi: Towards identity anonymization
    on graphs, SIGMOD (2008), for degrees.

    Examples
    --------
    >>> from shoal.graph import as_graph
    >>> users = {"user": list("abcd"), "location": ["Spain", "Japan", "Portugal", "China"]}
    >>> graph = as_graph(users, {"a": ["a", "b"], "b": ["b", "c"]})
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", PrivacyWarning)
    ...     protect_graph(graph, k=2).users["location"].to_list()
    ['Southern Europe', 'Eastern Asia', 'Southern Europe', 'Eastern Asia']
    """
    rng = np.random.default_rng(rng)
    names = check_attributes(attributes)
    k, shared = check_k(k, len(graph)), check_count("shared", shared)
    labels = group_users(
        graph,
        k=k,
        attributes=names,
        partition=partition,
        block_size=max(block_size, 2 * k),
        rng=rng,
        callback=callback,
    )
    columns = [_released(graph, name, labels, shared) for name in names]
    masked = Graph(graph.users.with_columns(columns), graph.edges, graph.places, graph.interests)
    masked = anonymise_degrees(masked, k, rng=rng) if degrees else masked
    if user_anonymity(masked, attributes=names) < k:
        raise Infeasible(f"The graph could not be made {k}-anonymous; please report this.")
    _warn(names, degrees)
    return masked


def user_anonymity(graph: Graph, *, attributes: Iterable[str] = ATTRIBUTES) -> int:
    """How many users, at least, have the same location and topics as any user: counted, not promised.

    >>> from shoal.graph import as_graph
    >>> users = {"user": list("abc"), "location": ["Spain", "Japan", "Spain"]}
    >>> user_anonymity(as_graph(users, {"a": ["a"], "b": ["b"]}))
    1
    """
    seen = {"location": graph.users["location"], "topics": topic_texts(graph.users["topics"])}
    frame = pl.DataFrame({name: seen[name] for name in check_attributes(attributes)})
    return int(frame.group_by(pl.all()).len()["len"].min() or 0)  # type: ignore[arg-type]


def _released(graph: Graph, name: str, labels: Labels, shared: int) -> pl.Series:
    profile = graph.profile(name)
    if name == "location":
        places = common_ancestors(profile.hierarchy, profile.nodes, labels)
        return pl.Series(
            name, np.array(profile.hierarchy.labels, dtype=object)[places][labels], dtype=pl.String
        )
    most = max(MOST, int(np.bincount(profile.rows).max()))
    groups, nodes, weights = shared_topics(profile, labels, shared)
    groups, nodes, weights = heaviest(groups, nodes, weights, most)
    topics = np.array(profile.hierarchy.labels, dtype=object)[nodes]
    lists = topic_lists(groups, topics, weights, len(sizes(labels)))
    return lists.gather(labels).alias(name)


Entries = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]


def shared_topics(profile: Profile, labels: Labels, shared: int) -> Entries:
    """The topics of every group with their mean weights; what too few members have climbs the hierarchy.

    A member has a label if they have it or a finer one.

    Returns
    -------
    groups, nodes, weights
        One entry per group and topic.
    """
    hierarchy, nodes, climbing = profile.hierarchy, profile.nodes.copy(), np.ones(len(profile.nodes), bool)
    group, width = labels[profile.rows], len(profile.hierarchy.labels)
    shared = min(shared, int(sizes(labels).min()))
    for level in range(hierarchy.height):
        line = hierarchy.ancestors[profile.nodes, level]
        has, first = np.unique(profile.rows * width + line, return_index=True)  # a member counts once
        pairs, count = np.unique(group[first] * width + has % width, return_counts=True)
        climbing &= count[np.searchsorted(pairs, group * width + line)] < shared
        nodes[climbing] = hierarchy.ancestors[profile.nodes[climbing], level + 1]
    keys = group * width + nodes
    pairs = np.unique(keys)
    weights = np.bincount(np.searchsorted(pairs, keys), weights=profile.weights)
    return pairs // width, pairs % width, weights / sizes(labels)[pairs // width]


def _warn(names: list[str], degrees: bool) -> None:
    kept = [name for name in ATTRIBUTES if name not in names]
    if kept:
        warnings.warn(
            f"The {kept[0]} of users stay as they are and can tell users of a group apart; "
            f"name {kept[0]} among the attributes to protect them.",
            PrivacyWarning,
            stacklevel=3,
        )
    if not degrees:
        warnings.warn(
            "Connections stay as they are: who knows how many friends a person has, or who they are, may "
            "find that person; degrees=True (--degrees) hides at least their number.",
            PrivacyWarning,
            stacklevel=3,
        )
