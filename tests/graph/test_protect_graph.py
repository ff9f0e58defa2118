from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.networks import PLACES, TOPICS, has, network, networks
from shoal import InputWarning, InvalidInput, PrivacyWarning
from shoal.graph import (
    as_graph,
    degree_anonymity,
    evaluate_graph,
    group_users,
    make_social,
    protect_graph,
    user_anonymity,
)
from shoal.graph.protect_graph import shared_topics
from shoal.hierarchy import common_ancestor, hierarchy_from_rows
from shoal.partition.labels import members, sizes

QUIET = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def looks(graph):
    """What is released of every user, as plain text, for counting."""
    return [f"{location} {topics}" for _, location, topics in graph.users.iter_rows()]


@pytest.mark.slow
@QUIET
@settings(max_examples=80)
@given(networks(), st.integers(2, 5), st.integers(1, 3))
def test_enough_users_look_alike_by_independent_count(graph, k, shared):
    if k > len(graph):
        with pytest.raises(InvalidInput, match="`k` must be"):
            protect_graph(graph, k=k, attributes=("location", "topics"))
        return
    if not graph.attributes:
        with pytest.raises(InvalidInput, match="Nothing would be protected"):
            protect_graph(graph, k=k)
        return
    masked = protect_graph(graph, k=k, shared=shared)
    counts = Counter(looks(masked))
    assert min(counts.values()) >= k
    assert user_anonymity(masked) == min(counts.values())
    assert masked.edges.tolist() == graph.edges.tolist()
    assert masked.users["user"].equals(graph.users["user"])


@pytest.mark.slow
@QUIET
@settings(max_examples=50)
@given(networks(), st.integers(2, 4))
def test_what_is_released_covers_what_users_had(graph, k):
    if k > len(graph) or not graph.attributes:
        return
    masked, labels = protect_graph(graph, k=k, shared=1), group_users(graph, k=k)
    for rows in members(labels):
        places = [next(iter(has(graph, row, "location"))) for row in rows.tolist()]
        told = graph.users["location"].is_not_null().any()  # a column that nobody has stays empty
        assert masked.users["location"][int(rows[0])] == (common_ancestor(PLACES, places) if told else None)
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


@pytest.mark.slow
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


@QUIET
def test_columns_of_any_kind_are_protected_with_their_hierarchies():
    rng = np.random.default_rng(3)
    n = 120
    tree = hierarchy_from_rows([[f"t{i}", f"area {i // 3}", "anywhere"] for i in range(9)])
    users = {
        "user": [f"u{i}" for i in range(n)],
        "age": rng.integers(18, 80, n).tolist(),
        "sex": [None if i == 5 else "fm"[i % 2] for i in range(n)],
        "town": [f"t{i}" for i in rng.integers(0, 9, n)],
        "ill": rng.integers(0, 2, n).tolist(),
    }
    edges = {"a": ["u0", "u1"], "b": ["u1", "u2"]}
    graph = as_graph(users, edges, hierarchies={"town": tree}, roles={"confidential": "ill"})
    masked = protect_graph(graph, k=4, rng=1)
    frame = masked.others.frame
    assert frame.group_by("age", "sex", "town").len()["len"].min() >= 4
    assert set(frame["town"]) <= set(tree.labels)
    assert frame["ill"].to_list() == users["ill"]
    assert user_anonymity(masked) >= 4 > user_anonymity(graph)
    only = protect_graph(graph, k=4, attributes=["town"], rng=1)
    assert only.others.frame["age"].to_list() == users["age"]
    found = evaluate_graph(graph, masked)
    assert 0 < found.information_loss < 100
    assert found.linkage_risk <= 25


@QUIET
def test_attributes_and_degrees_can_be_hidden_together():
    graph = make_social(200, friends=6, rng=3).graph()
    alone = protect_graph(graph, k=4, degrees=True, rng=1)
    both = protect_graph(graph, k=4, together=True, rng=1)
    assert user_anonymity(both, degrees=True) >= 4 > user_anonymity(alone, degrees=True)
    assert degree_anonymity(both) >= 4


@QUIET
def test_a_network_without_attributes_is_protected_by_its_connections():
    edges = make_social(150, friends=6, rng=3).edges
    graph = as_graph({"user": [f"user{i}" for i in range(150)]}, edges)
    with pytest.raises(InvalidInput, match="Nothing would be protected"):
        protect_graph(graph, k=4)
    assert degree_anonymity(protect_graph(graph, k=4, degrees=True, rng=1)) >= 4
    moved = protect_graph(graph, k=4, switch=0.5, rng=1)
    assert (moved.degrees == graph.degrees).all()


@QUIET
@pytest.mark.parametrize("together", [False, True])
def test_directed_networks_hide_both_numbers(together):
    rng = np.random.default_rng(5)
    pairs = np.unique(rng.zipf(1.7, (900, 2)) % 150, axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    graph = as_graph(
        {"user": [str(i) for i in range(150)], "side": [i % 2 for i in range(150)]},
        {"a": [str(a) for a in pairs[:, 0]], "b": [str(b) for b in pairs[:, 1]]},
        directed=True,
        kinds={"side": "nominal"},
    )
    masked = protect_graph(graph, k=5, degrees=True, together=together, rng=1)
    out, into = (np.bincount(end, minlength=150) for end in masked.edges.T)
    side = masked.others.frame["side"].to_list()
    kinds = list(zip(out, into, side if together else [0] * 150, strict=True))
    assert min(kinds.count(kind) for kind in kinds) >= 5
    assert (masked.edges[:, 0] != masked.edges[:, 1]).all()
    assert len(np.unique(masked.edges, axis=0)) == len(masked.edges)


def test_a_confidential_value_that_a_whole_group_has_is_said_aloud():
    users = {
        "user": list("abcdef"),
        "age": [20] * 3 + [60] * 3,
        "ill": ["no", "no", None, "yes", "yes", "yes"],
    }
    graph = as_graph(users, {"a": ["a"], "b": ["b"]}, roles={"confidential": "ill"})
    with pytest.warns(PrivacyWarning, match="3 of 6 users look like others who all have the same ill"):
        protect_graph(graph, k=3, degrees=True)
    mixed = as_graph(users | {"ill": list("nynnyn")}, {"a": ["a"], "b": ["b"]}, roles={"confidential": "ill"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        protect_graph(mixed, k=3, degrees=True)


def test_weights_that_new_connections_cannot_have_are_left_out_aloud():
    edges = {"a": list("abcd"), "b": list("bcde"), "weight": [1, 2, 3, 4]}
    graph = as_graph({"user": list("abcde")}, edges)
    with pytest.warns(InputWarning, match="Weights of connections are left out"):
        assert protect_graph(graph, k=2, degrees=True, rng=1).weights is None
