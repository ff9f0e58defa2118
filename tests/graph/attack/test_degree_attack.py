from __future__ import annotations

import pytest

from shoal.graph import anonymise_degrees, as_graph, degree_attack, make_social, switch_edges


def test_directions_tell_more():
    edges = {"a": ["a", "c"], "b": ["b", "b"]}
    users = {"user": list("abcd")}
    plain, directed = as_graph(users, edges), as_graph(users, edges, directed=True)
    assert degree_attack(plain, plain) == pytest.approx(75)  # degrees 1, 2, 1, 0
    assert degree_attack(directed, directed) == pytest.approx(75)  # (1,0), (0,2), (1,0), (0,0)
    ring = {"a": ["a", "b", "c", "a"], "b": ["b", "c", "d", "d"]}
    assert degree_attack(as_graph(users, ring), as_graph(users, ring)) == pytest.approx(25)
    both = as_graph(users, ring, directed=True)
    assert degree_attack(both, both) == pytest.approx(75)


@pytest.mark.slow
def test_k_degree_anonymity_helps_and_switching_does_not():
    graph = make_social(300, rng=1).graph()
    before = degree_attack(graph, graph)
    assert degree_attack(graph, switch_edges(graph, 0.5, rng=1)) == before
    assert degree_attack(graph, anonymise_degrees(graph, 10, rng=1)) < before
