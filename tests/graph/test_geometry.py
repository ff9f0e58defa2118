from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from graph.networks import PLACES, network, networks, square
from shoal import InvalidInput
from shoal.graph.geometry import check_attributes, check_same_hierarchies, user_vectors
from shoal.hierarchy import semantic_distance


@pytest.mark.slow
@settings(max_examples=60)
@given(networks(most=7))
def test_distances_are_those_of_the_definition(graph):
    for names in (["location"], ["topics"], ["location", "topics"]):
        X = user_vectors([graph], names)[0].toarray()
        for a in range(len(graph)):
            for b in range(len(graph)):
                expected = np.mean([square(graph, a, graph, b, name) for name in names])
                assert ((X[a] - X[b]) ** 2).sum() == pytest.approx(expected, abs=1e-12)
                assert expected <= 1 + 1e-12


def test_labels_of_any_level_are_at_their_semantic_distance():
    labels = list(dict.fromkeys(PLACES.labels))
    X = user_vectors([network(labels, [None] * len(labels), [])], ["location"])[0].toarray()
    for a, one in enumerate(labels):
        for b, other in enumerate(labels):
            assert np.linalg.norm(X[a] - X[b]) == pytest.approx(semantic_distance(PLACES, one, other))


def test_nobody_known_is_as_far_from_all_as_can_be():
    X = user_vectors([network(["Nice", None, "World"], [None] * 3, [])], ["location"])[0].toarray()
    assert np.linalg.norm(X[0] - X[1]) == pytest.approx(1)
    assert np.linalg.norm(X[1] - X[2]) == 0


def test_wrong_attributes_and_graphs_are_refused():
    graph = network(["Nice"] * 2, [None] * 2, [])
    with pytest.raises(InvalidInput, match=r"no attribute of users 'topic'\. Did you mean 'topics'"):
        check_attributes(["topic"], graph)
    with pytest.raises(InvalidInput, match="empty"):
        check_attributes([], graph)
    small, large = network(["Nice"] * 2, [None] * 2, []), network(["Nice"] * 3, [None] * 3, [])
    with pytest.raises(InvalidInput, match="2 and 3 users"):
        check_same_hierarchies(small, large)
