"""The changing network: a set of edges, changed as asked."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.graph.structure.rewire import Network, rewired
from shoal.graph.tidy_edges import simple_edges


@settings(max_examples=100)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5)), max_size=40))
def test_the_changing_network_is_a_set_of_edges(steps):
    start = np.array([[0, 1], [1, 2], [2, 5]])
    network, edges = Network(start, 6), {(0, 1), (1, 2), (2, 5)}
    for add, a, b in steps:
        edge = (min(a, b), max(a, b))
        if a == b or (edge in edges) == add:
            continue
        (network.add if add else network.remove)(a, b)
        edges = edges | {edge} if add else edges - {edge}
        assert network.joined(a, b) == network.joined(b, a) == add
    assert [tuple(edge) for edge in network.result().tolist()] == sorted(edges)
    for user in range(6):
        friends = sorted({a + b - user for a, b in edges if user in (a, b)})
        assert network.friends(user) == friends


def test_changes_are_made_as_asked_and_others_keep_their_number():
    rng = np.random.default_rng(2)
    edges = simple_edges(rng.integers(60, size=(300, 2)))
    before = np.bincount(edges.reshape(-1), minlength=60)
    change = np.zeros(60, dtype=np.intp)
    change[[3, 7, 9, 11, 20]] = [2, -1, -2, 4, 1]
    after = np.bincount(rewired(edges, change, rng).reshape(-1), minlength=60)
    assert (after - before).tolist() == change.tolist()
