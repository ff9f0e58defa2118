from __future__ import annotations

import warnings
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import Infeasible, InvalidInput
from shoal.errors import InputWarning
from shoal.graph import anonymise_degrees, as_graph, degree_anonymity, make_social
from shoal.graph.structure.degrees import anonymous_degrees
from shoal.graph.tidy_edges import simple_edges


def graph_of(edges, n):
    names = [str(i) for i in range(n)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # loops and repetitions are meant
        return as_graph({"user": names}, {"a": [str(a) for a, _ in edges], "b": [str(b) for _, b in edges]})


def least_cost(numbers, k):
    """The cheapest way to cut sorted numbers into runs of at least k, by trying every cut."""

    @cache
    def best(start):
        if start == len(numbers):
            return 0
        costs = [
            sum(abs(x - sorted(run)[len(run) // 2]) for x in run) + best(end)
            for end in range(start + k, len(numbers) + 1)
            if (run := numbers[start:end])
        ]
        return min(costs, default=float("inf"))

    return best(0)


@settings(max_examples=150)
@given(st.lists(st.integers(0, 12), min_size=2, max_size=14), st.integers(2, 5))
def test_wanted_degrees_are_anonymous_even_and_as_near_as_can_be(degrees, k):
    if k > len(degrees):
        return
    degrees = np.array(degrees)
    degrees[0] += degrees.sum() % 2
    degrees = np.minimum(degrees, len(degrees) - 1)
    wanted = anonymous_degrees(degrees, k)
    assert min(Counter(wanted.tolist()).values()) >= k
    assert wanted.min() >= 0
    if degrees.sum() % 2 == 0:
        assert wanted.sum() % 2 == 0
        cost, least = np.abs(wanted - degrees).sum(), least_cost(tuple(sorted(degrees.tolist())), k)
        assert least <= cost <= least + 2 * k - 1, "one more step of a run where the sum had to be even"


@settings(max_examples=150)
@given(
    st.integers(6, 16),
    st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), max_size=40),
    st.integers(2, 3),
    st.integers(0, 99),
)
def test_small_graphs_become_anonymous_or_it_is_said(n, pairs, k, seed):
    graph = graph_of([(a % n, b % n) for a, b in pairs], n)
    try:
        masked = anonymise_degrees(graph, k, rng=seed)
    except Infeasible:
        return
    assert min(Counter(Counter(masked.edges.reshape(-1).tolist() + list(range(n))).values()).values()) >= k
    assert masked.edges.tolist() == simple_edges(masked.edges).tolist(), "no loops, no repetitions"
    assert len(masked) == n


def test_small_graphs_are_seldom_infeasible():
    failures = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(8, 30))
        try:
            anonymise_degrees(graph_of(rng.integers(n, size=(3 * n, 2)).tolist(), n), 2, rng=seed)
        except Infeasible:
            failures += 1
    assert failures <= 1


def test_few_connections_change_and_the_same_rng_gives_the_same_graph():
    graph = make_social(400, friends=10, rng=1).graph()
    wanted = anonymous_degrees(graph.degrees, 3)
    units = int(np.abs(wanted - graph.degrees).sum())
    masked = anonymise_degrees(graph, 3, rng=5)
    before, after = ({tuple(edge) for edge in g.edges.tolist()} for g in (graph, masked))
    assert degree_anonymity(masked) >= 3
    assert masked.degrees.tolist() == wanted.tolist()
    assert len(before ^ after) <= 1.5 * units
    assert masked.edges.tolist() == anonymise_degrees(graph, 3, rng=5).edges.tolist()


def test_a_graph_that_is_anonymous_stays_as_it_is():
    ring = graph_of([(i, (i + 1) % 6) for i in range(6)], 6)
    assert anonymise_degrees(ring, 3, rng=1).edges.tolist() == ring.edges.tolist()
    with pytest.raises(InvalidInput, match="`k` must be an integer from 2 to 6"):
        anonymise_degrees(ring, 7)


def test_no_connections_and_all_connections():
    nobody = graph_of([], 5)
    assert anonymise_degrees(nobody, 5, rng=1).edges.shape == (0, 2)
    everybody = graph_of([(a, b) for a in range(5) for b in range(a)], 5)
    assert len(anonymise_degrees(everybody, 5, rng=1).edges) == 10
