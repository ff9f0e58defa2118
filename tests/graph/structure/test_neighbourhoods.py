from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from shoal import InvalidInput
from shoal.graph import as_graph, make_social, neighbourhoods_below, to_networkx


def slow(graph, k):
    """By isomorphism of the graphs of friends."""
    network = to_networkx(graph).to_undirected()
    balls = [network.subgraph(network[node]) for node in network]
    alike = [sum(nx.is_isomorphic(one, other) for other in balls) for one in balls]
    return 100 * np.mean([count < k for count in alike])


@pytest.mark.parametrize(("seed", "friends"), [(1, 3), (2, 5), (3, 8)])
def test_small_networks_agree_with_isomorphism(seed, friends):
    graph = make_social(40, friends=friends, rng=seed).graph()
    for k in (2, 3, 5):
        assert neighbourhoods_below(graph, k) == pytest.approx(slow(graph, k))


def test_triangles_and_stars_of_one_degree_are_told_apart():
    edges = {"a": list("aabddg"), "b": list("bccefh")}
    graph = as_graph({"user": list("abcdefgh")}, edges)
    assert neighbourhoods_below(graph, 3) == pytest.approx(slow(graph, 3))
    everybody = as_graph({"user": list("abc")}, {"a": list("aab"), "b": list("bcc")})
    assert neighbourhoods_below(everybody, 3) == 0


def test_directions_do_not_count_and_a_sample_is_drawn():
    users, edges = {"user": list("abcd")}, {"a": ["a", "b", "c", "b"], "b": ["b", "c", "d", "a"]}
    assert neighbourhoods_below(as_graph(users, edges, directed=True), 2) == 0
    big = make_social(300, rng=1).graph()
    assert neighbourhoods_below(big, 5, sample=20) >= 50
    with pytest.raises(InvalidInput):
        neighbourhoods_below(big, 5, sample=0)
