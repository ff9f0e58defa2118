from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.networks import PLACES, TOPICS, has, network, networks
from shoal import InvalidInput, PrivacyWarning
from shoal.graph import (
    degree_anonymity,
    group_users,
    make_social,
    protect_graph,
    user_anonymity,
)
from shoal.graph.protect_graph import shared_topics
from shoal.hierarchy import common_ancestor
from shoal.partition.labels import members, sizes

QUIET = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def looks(graph):
    """What is released of every user, as plain text, for counting."""
    return [f"{location} {topics}" for _, location, topics in graph.users.iter_rows()]


@QUIET
@settings(max_examples=80)
@given(networks(), st.integers(2, 5), st.integers(1, 3))
def test_enough_users_look_alike_by_independent_count(graph, k, shared):
    if k > len(graph):
        with pytest.raises(InvalidInput, match="`k` must be"):
            protect_graph(graph, k=k)
        return
    masked = protect_graph(graph, k=k, shared=shared)
    counts = Counter(looks(masked))
    assert min(counts.values()) >= k
    assert user_anonymity(masked) == min(counts.values())
    assert masked.edges.tolist() == graph.edges.tolist()
    assert masked.users["user"].equals(graph.users["user"])


@QUIET
@settings(max_examples=50)
@given(networks(), st.integers(2, 4))
def test_what_is_released_covers_what_users_had(graph, k):
    if k > len(graph):
        return
    masked, labels = protect_graph(graph, k=k, shared=1), group_users(graph, k=k)
    for rows in members(labels):
        places = [next(iter(has(graph, row, "location"))) for row in rows.tolist()]
        assert masked.users["location"][int(rows[0])] == common_ancestor(PLACES, places)
        mean = Counter()
        for row in rows.tolist():
            for topic, weight in has(graph, row, "topics").items():
                mean[topic] += weight / len(rows)
        released = has(masked, int(rows[0]), "topics")
        assert sum(released.values()) == pytest.approx(1)
        kept = sum(mean[topic] for topic in released)
        for topic, weight in released.items():
            assert weight == pytest.approx(mean[topic] / kept)
        assert (
            min(mean[t] for t in released)
            >= max([w for t, w in mean.items() if t not in released] or [0]) - 1e-9
        )


def test_a_topic_of_one_member_is_generalised():
    graph = network(["Nice"] * 3, ["jazz", "rock", "jazz=1; go=1"], [])
    labels = np.zeros(3, dtype=np.intp)
    names = np.array(TOPICS.labels)
    _, nodes, weights = shared_topics(graph.profile("topics"), labels, 2)
    assert dict(zip(names[nodes].tolist(), weights, strict=True)) == pytest.approx(
        {"jazz": 1.5 / 3, "music": 1 / 3, "all": 0.5 / 3}
    )
    graph = network(["Nice"] * 3, ["jazz", "rock=1; jazz=1", "rock=1; go=1"], [])
    _, nodes, weights = shared_topics(graph.profile("topics"), labels, 3)
    assert dict(zip(names[nodes].tolist(), weights, strict=True)) == pytest.approx(
        {"music": 2.5 / 3, "all": 0.5 / 3}
    )


def test_a_topic_both_have_in_part_counts_once_a_member():
    graph = network(["Nice"] * 2, ["jazz=1; rock=1", "chess"], [])
    _, nodes, weights = shared_topics(graph.profile("topics"), np.zeros(2, dtype=np.intp), 2)
    assert [TOPICS.labels[node] for node in nodes] == ["all"], "music is only of one member, twice"
    assert weights == pytest.approx([1])


def test_structure_and_what_is_not_protected_is_said_aloud():
    graph = network(["Nice", "Rome", "Nice", "Rome"], ["jazz", "go", "go", "jazz"], [(0, 1)])
    with pytest.warns(PrivacyWarning, match="Connections stay as they are"):
        protect_graph(graph, k=2)
    with pytest.warns(PrivacyWarning, match="topics of users stay"):
        masked = protect_graph(graph, k=2, attributes="location", degrees=True, rng=1)
    assert masked.users["topics"].equals(graph.users["topics"])
    assert masked.users["location"].to_list() == ["Nice", "Rome", "Nice", "Rome"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        protect_graph(graph, k=2, degrees=True, rng=1)


@QUIET
def test_degrees_are_anonymous_if_asked():
    graph = make_social(150, friends=6, rng=3).graph()
    masked = protect_graph(graph, k=4, degrees=True, rng=1)
    assert degree_anonymity(graph) < 4 <= degree_anonymity(masked)
    again = protect_graph(graph, k=4, degrees=True, rng=1)
    assert again.edges.tolist() == masked.edges.tolist()
    assert again.users.equals(masked.users)


@QUIET
def test_the_input_is_never_changed_and_progress_is_told():
    graph = make_social(60, rng=5).graph()
    before, seen = graph.users.clone(), []
    protect_graph(graph, k=3, callback=seen.append)
    assert graph.users.equals(before)
    assert seen[-1].fraction == 1
    assert isinstance(graph.users, pl.DataFrame)


@settings(max_examples=60)
@given(networks(), st.integers(1, 4))
def test_every_topic_released_is_had_by_enough_or_covers_all(graph, shared):
    labels = group_users(graph, k=2)
    entries = zip(
        *(array.tolist() for array in shared_topics(graph.profile("topics"), labels, shared)), strict=True
    )
    mass = Counter()
    for group, node, weight in entries:
        label = TOPICS.labels[node]
        rows = members(labels)[group].tolist()
        having = [
            r
            for r in rows
            if any(
                label in path[path.index(t) :]
                for t in has(graph, r, "topics")
                for path in TOPICS.paths
                if t in path
            )
        ]
        assert len(having) >= min(shared, sizes(labels).min()) or label == TOPICS.labels[-1]
        mass[group] += weight
    assert all(total == pytest.approx(1) for total in mass.values())
