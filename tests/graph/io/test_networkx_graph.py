"""Graphs of networkx, there and back."""

from __future__ import annotations

import pytest

from shoal import InputWarning, InvalidInput
from shoal.graph import from_networkx, to_networkx


def test_networkx_there_and_back():
    networkx = pytest.importorskip("networkx", reason="networkx comes with the extra `graph`")
    network = networkx.MultiDiGraph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")])
    network.nodes["a"].update(location="Lisboa", topics={"music": 3, "football": 1}, age=33)
    network.nodes["b"].update(posts=["a goal", "#goal"])
    network.nodes["c"].update(posts="my cat")
    with pytest.warns(InputWarning, match="of users with themselves"):
        graph = from_networkx(network)
    assert graph.directed
    assert graph.edges.tolist() == [[0, 1], [1, 0], [1, 2]]
    back = to_networkx(graph)
    assert dict(back.nodes["a"]) == {
        "location": "Lisbon, Lisbon, Portugal",
        "topics": "music=0.75; football=0.25",
        "age": 33,
    }
    assert dict(back.nodes["c"]) == {"topics": "animals=1"}
    assert sorted(back.edges) == [("a", "b"), ("b", "a"), ("b", "c")]
    assert from_networkx(back).users.equals(graph.users)
    with pytest.warns(InputWarning):
        assert from_networkx(network, directed=False).edges.tolist() == [[0, 1], [1, 2]]
    with pytest.raises(InvalidInput, match="must be a graph of networkx, got list"):
        from_networkx([1, 2])
