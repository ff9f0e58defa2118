"""Protecting a graph: every user gets the common location and the shared topics of a group of at least k."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_count, check_k, check_number
from shoal.errors import Infeasible, InvalidInput, PrivacyWarning
from shoal.graph.geometry import check_attributes, other_values
from shoal.graph.group_users import group_users
from shoal.graph.network import ATTRIBUTES, Graph, Profile, heaviest, topic_lists, topic_texts
from shoal.graph.structure.degrees import anonymise_degrees, degree_kinds
from shoal.graph.structure.switch_edges import switch_edges
from shoal.graph.tidy_edges import say
from shoal.graph.topics.hide_topics import sensitive_users
from shoal.hierarchy.tree import common_ancestors
from shoal.masking.microaggregation.aggregate import aggregate
from shoal.partition.labels import sizes
from shoal.partition.mdav import mdav
from shoal.types import Callback, Labels, Partitioner, RandomState

MOST_TOPICS = 5  # topics a group releases, or as many as a user had


def protect_graph(
    graph: Graph,
    *,
    k: int,
    attributes: Iterable[str] | None = None,
    partition: Partitioner = mdav,
    shared: int = 2,
    degrees: bool = False,
    together: bool = False,
    switch: float = 0.0,
    block_size: int = 10_000,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Graph:
    """Give every user what at least k similar users have in common, and if asked change connections.

    Parameters
    ----------
    graph
        The graph to protect.
    k
        Minimum number of users who look alike; it has no default because it is the promise you make.
    attributes
        What an intruder may know and is protected: "location", "topics", columns of the users; all of them if
        not given. What is not named is released as it is, and a `PrivacyWarning` says so.
    partition
        Any partitioner `f(X, k) -> labels`; with `mdav` groups are those of MDAV-generic.
    shared
        A topic that fewer members of a group have is generalised until so many have it, or a finer one; 1
        keeps all.
    degrees
        Also change some connections, so that every number of connections is that of at least k users
        (`anonymise_degrees`). Else connections stay as they are, and a `PrivacyWarning` says so.
    together
        Like `degrees`, among users with the same attributes: who knows what a person has and how many
        connections finds at least k users. It changes many more connections.
    switch
        Share of the connections to switch at random (`switch_edges`), from 0 to 1.
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
    names = check_attributes(attributes, graph) if attributes is not None or graph.attributes else []
    k, shared = check_k(k, len(graph)), check_count("shared", shared)
    switch, degrees = check_number("switch", switch, 0, 1), degrees or together
    if not (names or degrees or switch):
        raise InvalidInput(
            "Nothing would be protected: users have no attributes, and connections would stay as they are; "
            "ask for degrees=True (--degrees) or switch=0.1 (--switch 0.1)."
        )
    masked = graph
    if names:
        blocks = max(block_size, 2 * k)
        labels = group_users(
            graph, k=k, attributes=names, partition=partition, block_size=blocks, rng=rng, callback=callback
        )
        masked = _released_users(graph, names, labels, shared)
    masked = switch_edges(masked, switch, rng=rng) if switch else masked
    if degrees:
        within = alike(masked, names) if together else None
        masked = anonymise_degrees(masked, k, within=within, rng=rng)
    if names and user_anonymity(masked, attributes=names) < k:
        raise Infeasible(f"The graph could not be made {k}-anonymous; please report this.")
    _warn(graph, names, degrees)
    if graph.weights is not None and masked.weights is None:
        say("Weights of connections are left out: some of the connections are new and have none.")
    _warn_of_topics(masked)
    _warn_of_confidential(masked, names)
    return masked


def alike(graph: Graph, attributes: Iterable[str]) -> Labels:
    """Users with the same values of these attributes have the same number.

    >>> from shoal.graph import as_graph
    >>> users = {"user": list("abc"), "location": ["Spain", "Japan", "Spain"]}
    >>> alike(as_graph(users, {"a": ["a"], "b": ["b"]}), ["location"])
    array([0, 1, 0])
    """
    names = list(attributes)
    if not names:
        return np.zeros(len(graph), dtype=np.intp)
    seen = {"location": graph.users["location"], "topics": topic_texts(graph.users["topics"])}
    columns = {
        name: seen[name] if name in seen else pl.Series([str(v) for v in other_values(graph).cells(name)])
        for name in names
    }
    frame = pl.DataFrame(columns).with_row_index("row")
    first = frame.select(pl.col("row").min().over(names, mapping_strategy="group_to_rows"))["row"]
    return np.unique(first.to_numpy(), return_inverse=True)[1].astype(np.intp)


def user_anonymity(graph: Graph, *, attributes: Iterable[str] | None = None, degrees: bool = False) -> int:
    """How many users, at least, have the same attributes (and degree) as any user: counted, not promised.

    >>> from shoal.graph import as_graph
    >>> users = {"user": list("abc"), "location": ["Spain", "Japan", "Spain"]}
    >>> user_anonymity(as_graph(users, {"a": ["a"], "b": ["b"]}))
    1
    """
    names = graph.attributes if attributes is None else check_attributes(attributes, graph)
    labels = alike(graph, names)
    if degrees:
        kinds = degree_kinds(graph)
        labels = np.unique(labels * (int(kinds.max(initial=0)) + 1) + kinds, return_inverse=True)[1]
    return int(sizes(labels).min()) if len(graph) else 0


def _released_users(graph: Graph, names: list[str], labels: Labels, shared: int) -> Graph:
    """Every user with what their group has in common."""
    columns = [_released(graph, name, labels, shared) for name in names if name in ATTRIBUTES]
    rest = [name for name in names if name not in ATTRIBUTES]
    others = graph.others
    if rest:
        others = aggregate(other_values(graph), labels, centre="ancestor", columns=rest)
    return replace(graph, users=graph.users.with_columns(columns), others=others)


def _released(graph: Graph, name: str, labels: Labels, shared: int) -> pl.Series:
    profile = graph.profile(name)
    if name == "location":
        places = common_ancestors(profile.hierarchy, profile.nodes, labels)
        return pl.Series(
            name, np.array(profile.hierarchy.labels, dtype=object)[places][labels], dtype=pl.String
        )
    most = max(MOST_TOPICS, int(np.bincount(profile.rows).max()))
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


def _warn(graph: Graph, names: list[str], degrees: bool) -> None:
    kept = [name for name in graph.attributes if name not in names]
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
    if graph.weights is not None and not degrees:
        warnings.warn(
            "Weights of connections are released as they are and can point to a pair of users.",
            PrivacyWarning,
            stacklevel=3,
        )


def _warn_of_topics(masked: Graph) -> None:
    found = sensitive_users(masked)
    if found.height:
        flat = masked.users.select("topics").with_row_index().explode("topics").unnest("topics")
        many = flat.filter(pl.col("topic").is_in(found["topic"].to_list()))["index"].n_unique()
        warnings.warn(
            f"{many} users are released with a sensitive topic ({', '.join(found['topic'])}): a group that "
            "shares it gives it away, whatever k is; hide_topics (--hide sensitive) leaves it out.",
            PrivacyWarning,
            stacklevel=3,
        )


def _warn_of_confidential(masked: Graph, names: list[str]) -> None:
    """What k does not hide: a confidential value that everybody has who looks alike."""
    others = masked.others
    if others is None or not names:
        return
    for name in others.names(role="confidential"):
        values = pl.Series(others._narwhal[name].to_list(), strict=False)
        frame = pl.DataFrame({"group": alike(masked, names), "value": values})
        groups = frame.group_by("group").agg(pl.len(), same=pl.col("value").n_unique() == 1)
        many = int(groups.filter("same")["len"].sum())
        if many and values.null_count() < len(values):
            warnings.warn(
                f"{many} of {len(masked)} users look like others who all have the same {name}: who finds the "
                "group learns it, whatever k is; a larger k helps, or leave the column out.",
                PrivacyWarning,
                stacklevel=3,
            )
