from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.networks import networks
from shoal import InvalidInput
from shoal.graph import as_graph, make_social, switch_edges


@pytest.mark.parametrize("directed", [False, True])
def test_everybody_keeps_their_numbers_and_the_share_moves(directed):
    social = make_social(200, rng=1)
    graph = as_graph(social.users.select("user"), social.edges, directed=directed)
    moved = switch_edges(graph, 0.4, rng=2)
    for side in (0, 1) if directed else ():
        now = np.bincount(moved.edges[:, side], minlength=200)
        assert (now == np.bincount(graph.edges[:, side], minlength=200)).all()
    assert (moved.degrees == graph.degrees).all()
    before, after = set(map(tuple, graph.edges.tolist())), set(map(tuple, moved.edges.tolist()))
    assert len(after) == len(before)
    assert len(before - after) / len(before) == pytest.approx(0.4, abs=0.02)
    assert switch_edges(graph, 0.4, rng=2).edges.tolist() == moved.edges.tolist()
    assert switch_edges(graph, 0.0) is graph


@settings(max_examples=40)
@given(networks(), st.floats(0, 1), st.integers(0, 5))
def test_nothing_is_connected_twice_or_with_itself(graph, share, seed):
    moved = switch_edges(graph, share, rng=seed)  # the graph itself refuses both
    assert (moved.degrees == graph.degrees).all()
    assert len(np.unique(moved.edges, axis=0)) == len(graph.edges)


def test_a_share_is_a_share():
    with pytest.raises(InvalidInput, match="`share` must be"):
        switch_edges(make_social(20, rng=1).graph(), 1.5)
