"""Graphs of networkx, there and back."""

from __future__ import annotations

import pytest

from shoal import InvalidInput
from shoal.graph import from_networkx, to_networkx


def test_networkx_there_and_back():
    networkx = pytest.importorskip("networkx", reason="networkx comes with the extra `graph`")
    network = networkx.MultiDiGraph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")])
    network.nodes["a"].update(location="Lisboa", topics={"jazz": 3, "football": 1}, age=33)
    network.nodes["b"].update(posts=["a goal", "#goal"])
    network.nodes["c"].update(posts="my cat")
    graph = from_networkx(network)
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    back = to_networkx(graph)
    assert dict(back.nodes["a"]) == {"location": "Portugal", "topics": "jazz=0.75; football=0.25"}
    assert dict(back.nodes["c"]) == {"topics": "animals=1"}
    assert sorted(map(sorted, back.edges)) == [["a", "b"], ["b", "c"]]
    assert from_networkx(back).users.equals(graph.users)
    with pytest.raises(InvalidInput, match="must be a graph of networkx, got list"):
        from_networkx([1, 2])
