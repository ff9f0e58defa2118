"""Users in groups: blocks, and partitioners that break their promise."""

from __future__ import annotations

import numpy as np
import pytest

from graph.networks import network
from shoal import Infeasible, InvalidInput
from shoal.graph import (
    group_users,
    make_social,
    protect_graph,
)
from shoal.graph.geometry import user_vectors
from shoal.partition import mdav, sse
from shoal.partition.labels import sizes

QUIET = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


@QUIET
def test_a_partitioner_that_breaks_the_promise_is_refused():
    graph = network(["Nice", "Rome", "Nice", "Rome"], [None] * 4, [])
    with pytest.raises(Infeasible, match="fewer than k = 2"):
        protect_graph(graph, k=2, partition=lambda X, k: np.array([0, 1, 1, 1]))


@pytest.mark.slow
def test_one_block_is_mdav_generic_and_blocks_lose_little():
    graph = make_social(600, rng=2).graph()
    X = user_vectors([graph], ["location", "topics"])[0].toarray()
    whole = group_users(graph, k=4)
    assert whole.tolist() == mdav(X[:, np.ptp(X, axis=0) > 0], 4).tolist()
    parts = group_users(graph, k=4, block_size=150)
    assert sizes(parts).min() >= 4
    assert sse(X, whole) < sse(X, parts) < 1.15 * sse(X, whole)


def test_users_who_are_all_alike_and_wrong_block_sizes():
    graph = network(["Nice"] * 7, ["jazz"] * 7, [])
    assert sorted(sizes(group_users(graph, k=3)).tolist()) == [3, 4]
    with pytest.raises(InvalidInput, match="at least 2k = 6"):
        group_users(graph, k=3, block_size=5)
