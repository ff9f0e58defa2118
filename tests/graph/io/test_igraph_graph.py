from __future__ import annotations

import pytest

from shoal import InvalidInput
from shoal.graph import from_igraph, to_igraph


@pytest.mark.slow
def test_igraph_there_and_back():
    igraph = pytest.importorskip("igraph", reason="igraph comes with the extra `graph`")
    network = igraph.Graph([(0, 1), (1, 0), (1, 2)], directed=True)
    network.vs["name"], network.vs["age"] = ["a", "b", "c"], [30, 40, 50]
    network.vs["location"] = ["Lisboa", None, None]
    network.es["weight"] = [1.0, 2.0, 3.5]
    graph = from_igraph(network)
    assert graph.users["user"].to_list() == ["a", "b", "c"]
    assert graph.users["location"].to_list() == ["Lisbon, Lisbon, Portugal", None, None]
    assert graph.edges.tolist() == [[0, 1], [1, 0], [1, 2]]
    back = to_igraph(graph)
    assert back.is_directed()
    assert back.get_edgelist() == [(0, 1), (1, 0), (1, 2)]
    assert back.es["weight"] == [1.0, 2.0, 3.5]
    assert back.vs["age"] == [30, 40, 50]
    with pytest.raises(InvalidInput, match="must be a graph of igraph, got list"):
        from_igraph([1])
