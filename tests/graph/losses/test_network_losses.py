from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.networks import link_counts, network, networks, present, slow_loss, square, value_counts
from shoal import InvalidInput, NotApplicable, PrivacyWarning
from shoal.graph import Graph, aamil, cdil, make_social, protect_graph, semantic_dbil, semantic_loss
from shoal.graph.io.graph_files import renumbered

MEASURES = (aamil, cdil, semantic_dbil, semantic_loss)


def other_values(graph, seed):
    """The same edges, but everybody has what somebody else had."""
    order = np.random.default_rng(seed).permutation(len(graph))
    return Graph(renumbered(graph, order, True).users, graph.edges, graph.places, graph.interests)


@pytest.mark.slow
@settings(max_examples=80)
@given(networks(), networks(), st.integers(0, 99))
def test_losses_are_those_of_the_slow_versions(one, other, seed):
    if not present(one):
        with pytest.raises(NotApplicable):
            aamil(one, one)
        return
    for protected in [other_values(one, seed)] + ([other] if len(other) == len(one) else []):
        assert aamil(one, protected) == pytest.approx(slow_loss(link_counts, one, protected), abs=1e-9)
        assert cdil(one, protected) == pytest.approx(slow_loss(value_counts, one, protected), abs=1e-9)
        distances = [
            [np.sqrt(max(square(one, user, protected, user, name), 0)) for user in range(len(one))]
            for name in present(one)
        ]
        assert semantic_dbil(one, protected) == pytest.approx(100 * np.mean(distances), abs=1e-5)


@pytest.mark.slow
@settings(max_examples=60)
@given(networks())
def test_identical_graphs_lose_nothing_and_losses_are_percents(graph):
    if present(graph):
        for measure in MEASURES:
            assert measure(graph, graph) == 0
            assert 0 <= measure(graph, other_values(graph, 1)) <= 100


def test_a_country_for_a_town_counts_as_lost_on_one_level_of_three():
    original = network(["Nice", "Rome"], [None, None], [(0, 1)])
    masked = network(["Gaul", "Rome"], [None, None], [(0, 1)])
    assert cdil(original, masked) == pytest.approx(100 / 3 * 0.5)
    assert aamil(original, masked) == pytest.approx(100 / 3)
    assert semantic_dbil(original, masked) == pytest.approx(100 / 3 / 2)
    assert semantic_loss(original, masked) == pytest.approx(np.mean([100 / 6, 100 / 3, 100 / 6]))


def test_everything_suppressed_loses_everything():
    original = network(["Nice", "Rome", "Kyoto"], ["jazz", "rock", "go"], [(0, 1), (1, 2)])
    nothing = network([None] * 3, [None] * 3, [(0, 1), (1, 2)])
    for measure in MEASURES:
        assert measure(original, nothing) == pytest.approx(100)


def test_lost_connections_are_seen_by_aamil_alone():
    original = network(["Nice", "Rome", "Kyoto"], [None] * 3, [(0, 1), (1, 2)])
    fewer = network(["Nice", "Rome", "Kyoto"], [None] * 3, [(0, 1)])
    assert aamil(original, fewer) == pytest.approx(50)
    assert cdil(original, fewer) == semantic_dbil(original, fewer) == 0
    assert aamil(original, network(["Nice", "Rome", "Kyoto"], [None] * 3, [])) == 100


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_losses_grow_with_k_on_average():
    losses = []
    for seed in range(4):
        graph = make_social(150, rng=seed).graph()
        masked = [protect_graph(graph, k=k) for k in (2, 5, 15, 50, 150)]
        losses.append([[measure(graph, m) for measure in MEASURES] for m in masked])
    means = np.mean(losses, axis=0)
    assert (np.diff(means, axis=0) > 0).all(), means


def test_other_users_and_attributes_are_refused():
    graph = network(["Nice", "Rome"], ["jazz", None], [])
    with pytest.raises(InvalidInput, match="2 and 3 users"):
        aamil(graph, network(["Nice"] * 3, [None] * 3, []))
    with pytest.raises(InvalidInput, match="no attribute of users 'age'"):
        cdil(graph, graph, attributes=["age"])
    with pytest.raises(InvalidInput, match="different hierarchies"):
        semantic_dbil(graph, Graph(graph.users, graph.edges, graph.interests, graph.places))


def test_only_asked_attributes_count():
    original = network(["Nice", "Rome"], ["jazz", "rock"], [(0, 1)])
    masked = network(["Nice", "Rome"], ["go", "chess"], [(0, 1)])
    for measure in MEASURES:
        assert measure(original, masked, attributes="location") == 0
        assert measure(original, masked, attributes=["topics"]) == pytest.approx(100, abs=0.01)


def test_warning_class_is_the_one_the_filter_names():
    assert issubclass(PrivacyWarning, UserWarning)
