from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import Infeasible
from shoal.graph import anonymise_degrees, as_graph
from shoal.graph.structure.directed_degrees import _steps, rewired_links


def directed(n, pairs):
    users = {"user": [str(i) for i in range(n)]}
    return as_graph(users, {"a": pairs[:, 0], "b": pairs[:, 1]}, directed=True)


@settings(max_examples=60)
@given(st.integers(5, 30), st.integers(2, 4), st.integers(0, 10_000))
def test_both_numbers_are_shared_or_it_is_said(n, k, seed):
    rng = np.random.default_rng(seed)
    pairs = np.unique(rng.integers(0, n, (3 * n, 2)), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]].astype(str)
    graph = as_graph(
        {"user": [str(i) for i in range(n)]}, {"a": pairs[:, 0], "b": pairs[:, 1]}, directed=True
    )
    try:
        masked = anonymise_degrees(graph, k, rng=seed)
    except Infeasible:
        return
    numbers = np.column_stack([np.bincount(end, minlength=n) for end in masked.edges.T])
    assert np.unique(numbers, axis=0, return_counts=True)[1].min() >= k


def test_it_is_seldom_infeasible():
    failed = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        pairs = np.unique(rng.zipf(1.8, (300, 2)) % 60, axis=0)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]].astype(str)
        graph = as_graph(
            {"user": [str(i) for i in range(60)]}, {"a": pairs[:, 0], "b": pairs[:, 1]}, directed=True
        )
        try:
            anonymise_degrees(graph, 3, rng=seed)
        except Infeasible:
            failed += 1
    assert failed <= 2


@pytest.mark.parametrize(("gap", "sizes"), [(0, [3]), (7, [3, 4]), (-11, [3, 5]), (100, [5, 6]), (1, [5, 7])])
def test_steps_make_up_the_gap(gap, sizes):
    steps = _steps(gap, sizes)
    assert sum(steps) == gap
    assert {abs(step) for step in steps} <= set(sizes)


def test_a_gap_that_no_group_fits_is_said():
    with pytest.raises(Infeasible, match="another k"):
        _steps(1, [4])


def test_links_change_as_asked():
    edges = np.array([[0, 1], [1, 2], [2, 0], [3, 0]])
    change = np.array([[1, -1], [-1, 0], [0, 1], [0, 0]])
    found = rewired_links(edges, change, np.random.default_rng(1))
    for side in (0, 1):
        wanted = np.bincount(edges[:, side], minlength=4) + change[:, side]
        assert np.bincount(found[:, side], minlength=4).tolist() == wanted.tolist()
