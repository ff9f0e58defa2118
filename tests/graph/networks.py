"""Random small networks of every awkward sort, and slow, obvious versions of distances and measures."""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
from hypothesis import strategies as st

from shoal.errors import InputWarning
from shoal.graph import Graph, as_graph
from shoal.hierarchy import hierarchy_from_rows, semantic_distance

PLACES = hierarchy_from_rows(
    [
        ["Nice", "Gaul", "West", "World"],
        ["Lyon", "Gaul", "West", "World"],
        ["Rome", "Latium", "West", "World"],
        ["Kyoto", "Kansai", "East", "World"],
        ["Osaka", "Kansai", "East", "World"],
    ]
)
TOPICS = hierarchy_from_rows(
    [["jazz", "music", "all"], ["rock", "music", "all"], ["chess", "games", "all"], ["go", "games", "all"]]
)


def network(locations, topics, pairs) -> Graph:
    """A graph of the towns and topics above; topics as text."""
    users = {"user": [f"u{i}" for i in range(len(locations))], "location": locations, "topics": topics}
    edges = {"a": [f"u{a}" for a, _ in pairs], "b": [f"u{b}" for _, b in pairs]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # loops and repetitions are meant
        return as_graph(users, edges, places=PLACES, interests=TOPICS)


@st.composite
def networks(draw, most=14, least=2, inner=True):
    """Few towns and topics, so that ties are common; users without any; loops, repetitions, no edges."""
    n = draw(st.integers(least, most))
    towns = [None, *(PLACES.labels if inner else PLACES.labels[:5])]
    names = TOPICS.labels if inner else TOPICS.labels[:4]
    weighted = st.dictionaries(st.sampled_from(names), st.sampled_from([1, 2, 0.5, 3]), max_size=3)
    locations = draw(st.lists(st.sampled_from(towns), min_size=n, max_size=n))
    topics = draw(st.lists(weighted, min_size=n, max_size=n))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=3 * n))
    texts = ["; ".join(f"{t}={w}" for t, w in own.items()) or None for own in topics]
    return network(locations, texts, pairs)


def has(graph: Graph, user: int, attribute: str) -> dict[str, float]:
    """What a user has, by label; what covers all if nothing."""
    tree = graph.places if attribute == "location" else graph.interests
    value = graph.users[attribute][user]
    if value is None:
        return {tree.labels[-1]: 1.0}
    return {value: 1.0} if attribute == "location" else {pair["topic"]: pair["weight"] for pair in value}


def mean_square(tree, one, other) -> float:
    return sum(
        p * q * semantic_distance(tree, a, b) ** 2 for (a, p), (b, q) in product(one.items(), other.items())
    )


def square(one: Graph, user: int, other: Graph, rival: int, attribute: str) -> float:
    """Squared distance of two users in an attribute, from semantic distances of labels only."""
    tree = one.places if attribute == "location" else one.interests
    a, b = has(one, user, attribute), has(other, rival, attribute)
    return mean_square(tree, a, b) - mean_square(tree, a, a) / 2 - mean_square(tree, b, b) / 2


def above(tree, label: str, level: int) -> str:
    """The ancestor of a label at a level, or itself; with its level, as a label may be on several."""
    path = next(path for path in tree.paths if label in path)
    return path[max(level, path.index(label))]


def value_counts(graph: Graph, attribute: str, level: int) -> dict:
    tree = graph.places if attribute == "location" else graph.interests
    counts: dict = {}
    for user in range(len(graph)):
        for label, weight in has(graph, user, attribute).items():
            key = above(tree, label, level)
            counts[key] = counts.get(key, 0.0) + weight
    return counts


def link_counts(graph: Graph, attribute: str, level: int) -> dict:
    tree = graph.places if attribute == "location" else graph.interests
    counts: dict = {}
    for a, b in graph.edges.tolist():
        for x, y in ((a, b), (b, a)):
            pairs = product(has(graph, x, attribute).items(), has(graph, y, attribute).items())
            for (one, p), (other, q) in pairs:
                key = above(tree, one, level), above(tree, other, level)
                counts[key] = counts.get(key, 0.0) + p * q
    return counts


def share_change(before: dict, after: dict) -> float:
    one, other = sum(before.values()), sum(after.values())
    if not one or not other:
        return float(one != other)
    keys = set(before) | set(after)
    return sum(abs(before.get(key, 0) / one - after.get(key, 0) / other) for key in keys) / 2


def present(graph: Graph) -> list[str]:
    return [name for name in ("location", "topics") if graph.users[name].null_count() < len(graph)]


def slow_loss(counts, original: Graph, protected: Graph) -> float:
    """AAMIL or CDIL: mean over attributes of the mean over levels."""
    losses = []
    for name in present(original):
        height = (original.places if name == "location" else original.interests).height
        levels = [
            share_change(counts(original, name, level), counts(protected, name, level))
            for level in range(height)
        ]
        losses.append(np.mean(levels))
    return 100 * float(np.mean(losses))


def slow_risk(original: Graph, protected: Graph) -> float:
    hits = 0.0
    for user in range(len(original)):
        distances = [
            np.mean([square(original, user, protected, rival, name) for name in present(original)])
            for rival in range(len(protected))
        ]
        if min(distances) > distances[user] - 1e-10:
            hits += 1 / sum(d <= distances[user] + 1e-10 for d in distances)
    return 100 * hits / len(original)
