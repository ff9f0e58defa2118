from __future__ import annotations

import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shoal import Infeasible, InvalidInput, NotApplicable, PrivacyWarning, as_table, microaggregate
from shoal.datasets import make_scattered
from shoal.measures.loss.sse_loss import sse_loss
from shoal.measures.risk.distance_linkage_risk import distance_linkage_risk
from shoal.measures.risk.interval_risk import interval_risk
from shoal.partition import mdav
from shoal.search import Cost, grouping_cost
from shoal.search.column_groups import grouping_costs as costs
from shoal.search.column_groups.grouping_costs import Costs, pose
from shoal.search.column_groups.grouping_genes import canonical, groups_of


def slow_cost(table, groups, k, partition=mdav):
    """The obvious way: mask the file, then measure the whole of it."""
    names = [name for group in groups for name in group]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)
        masked = microaggregate(table, k=k, groups=groups, partition=partition, columns=names)
    try:
        loss = sse_loss(table, masked, columns=names)
    except NotApplicable:  # every column is constant
        loss = 0.0
    return Cost(
        loss,
        interval_risk(table, masked, interval="value", columns=names),
        distance_linkage_risk(table, masked, ties="strict", columns=names),
    )


def links_by_hand(X, Y):
    """Records whose own masked record is nearer than every other one, distance by distance."""
    links = 0
    for i, x in enumerate(X):
        distances = np.sqrt(((Y - x) ** 2).sum(axis=1))
        others = np.delete(distances, i)
        links += bool((others > distances[i] * (1 + 1e-9) + 1e-12).all())
    return 100 * links / len(X)


VALUES = st.one_of(
    st.integers(-4, 4).map(float),  # many ties and duplicates
    st.floats(-1e3, 1e3, width=32),
    st.sampled_from([1e9, 1e9 + 1, 0.1, 1e-9, 0.0]),
)
SHAPES = st.tuples(st.integers(4, 16), st.integers(1, 4))


@settings(max_examples=200)
@given(SHAPES.flatmap(lambda s: arrays(float, s, elements=VALUES)), st.integers(2, 4), st.data())
def test_costs_are_those_of_masking_and_measuring(values, k, draw):
    d = values.shape[1]
    genes = canonical(draw.draw(st.lists(st.integers(0, 3), min_size=d, max_size=d)))
    table = as_table({f"c{j}": values[:, j] for j in range(d)})
    groups = [[f"c{column}" for column in group] for group in groups_of(genes)]
    fast, slow = grouping_cost(table, groups, k=k), slow_cost(table, groups, k)
    assert fast.information_loss == pytest.approx(slow.information_loss, abs=1e-6)
    assert fast.interval_risk == pytest.approx(slow.interval_risk)
    assert fast.linkage_risk == pytest.approx(slow.linkage_risk)


@pytest.mark.parametrize("seed", range(5))
def test_linkage_is_that_of_all_pairs(seed):
    table = make_scattered(60, d=5, rng=seed)
    genes = canonical(np.random.default_rng(seed).integers(3, size=5).tolist())
    problem = pose(table, 4, mdav, None)
    (cost,) = Costs(problem)([genes])
    Y = np.empty_like(problem.X)
    for group in groups_of(genes):
        labels = mdav(problem.X[:, group], 4)
        for cluster in np.unique(labels):
            Y[np.ix_(labels == cluster, group)] = problem.X[np.ix_(labels == cluster, group)].mean(axis=0)
    assert cost.linkage_risk == pytest.approx(links_by_hand(problem.X, Y))


def test_all_together_links_nobody():
    table = make_scattered(50, d=4, rng=1)
    assert grouping_cost(table, [table.names()], k=3).linkage_risk == 0


def test_duplicates_are_ties_and_no_links():
    values = [1.0, 1.0, 2.0, 2.0, 7.0, 7.0]
    table = as_table({"a": values, "b": values[::-1]})
    cost = grouping_cost(table, [["a"], ["b"]], k=2)
    assert cost == (0.0, 100.0, 0.0)
    assert cost.score == 25.0


def test_ten_percent_of_the_value_is_disclosed_and_more_is_not():
    table = as_table({"a": [9.0, 11.0, 100.0, 120.0]})
    assert grouping_cost(table, [["a"]], k=2).interval_risk == 75.0  # all but 9, which becomes 10


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_scale_does_not_matter(scale):
    values = np.random.default_rng(1).normal(size=(30, 3))
    one, other = (
        grouping_cost(
            as_table({c: factor * values[:, j] for j, c in enumerate("abc")}), [["a"], ["b", "c"]], k=3
        )
        for factor in (1.0, scale)
    )
    assert other == pytest.approx(one)


def test_constant_columns_lose_nothing():
    table = as_table({"a": [5.0] * 6, "b": [0.0] * 6})
    assert grouping_cost(table, [["a"], ["b"]], k=2) == (0.0, 100.0, 0.0)


def test_every_group_is_microaggregated_once_and_every_grouping_measured_once():
    calls = []

    def counting(X, k):
        calls.append(X.shape[1])
        return mdav(X, k)

    found = Costs(pose(make_scattered(30, d=4, rng=1), 3, counting, None))
    found([(0, 0, 1, 1), (0, 0, 1, 2), (0, 0, 1, 1)])
    assert sorted(calls) == [1, 1, 2, 2]
    found([(0, 0, 1, 1), (0, 1, 2, 2)])
    assert sorted(calls) == [1, 1, 1, 1, 2, 2]
    assert found.effort == (5, 3, 2 + 3 + 2 + 2 + 3, 6)


def random_groupings(d, count, seed):
    rng = np.random.default_rng(seed)
    return [canonical(rng.integers(d, size=d).tolist()) for _ in range(count)]


def test_little_memory_gives_the_same_costs(monkeypatch):
    problem = pose(make_scattered(40, d=6, rng=1), 4, mdav, None)
    batches = [random_groupings(6, 8, seed) for seed in range(4)]
    plenty = Costs(problem)
    monkeypatch.setattr(costs, "MEMORY", 4 * 40 * 3)
    little = Costs(problem)
    assert [plenty(batch) for batch in batches] == [little(batch) for batch in batches]
    assert len(little._parts) == 3
    assert little.effort.groups_microaggregated > plenty.effort.groups_microaggregated


@pytest.mark.parametrize(
    "pool", [ThreadPoolExecutor, partial(ProcessPoolExecutor, mp_context=get_context("spawn"))]
)
def test_any_workers_give_the_same_costs(pool):
    problem = pose(make_scattered(40, d=5, rng=1), 4, mdav, None)
    batch = random_groupings(5, 10, 1)
    with pool(2) as workers:
        assert Costs(problem, workers.map)(batch) == Costs(problem)(batch)


def test_the_partitioner_is_the_one_given():
    table = make_scattered(40, d=3, rng=1)
    groups, nearest = [["x1", "x2"], ["x3"]], partial(mdav, leftovers="nearest")
    cost = grouping_cost(table, groups, k=9, partition=nearest)
    assert cost == pytest.approx(slow_cost(table, groups, 9, nearest))
    assert cost != pytest.approx(slow_cost(table, groups, 9))


@pytest.mark.parametrize(
    "labels", [np.arange(20) // 2, np.r_[[-1] * 10, [0] * 10], np.zeros(19, int), np.zeros((20, 1), int)]
)
def test_no_partitioner_is_trusted(labels):
    with pytest.raises(Infeasible, match="fewer than k = 3"):
        grouping_cost(make_scattered(20, rng=1), [["x1", "x2"]], k=3, partition=lambda X, k: labels)


def test_a_partitioner_cannot_spoil_the_file():
    def spoil(X, k):
        X[:] = 0
        return np.zeros(len(X), dtype=int)

    problem = pose(make_scattered(20, rng=1), 3, spoil, None)
    before = problem.X.copy()
    Costs(problem)([(0, 0)])
    assert (before == problem.X).all()


def test_faults_are_one_sentence_without_values():
    table = as_table({"a": [1.0, None, 3.0, 77.0], "b": [1, 2, 3, 4], "c": ["x", "y", "x", "y"]})
    with pytest.raises(InvalidInput, match="Column 'a' has a missing value at row 1") as error:
        grouping_cost(table, [["a", "b"]], k=2)
    assert "77" not in str(error.value)
    with pytest.raises(NotApplicable, match="Column 'c' is nominal"):
        grouping_cost(table, [["b", "c"]], k=2)
    with pytest.raises(InvalidInput, match="from 2 to 4"):
        grouping_cost(table, [["b"]], k=5)
    with pytest.raises(InvalidInput, match="no records"):
        grouping_cost(as_table({"a": np.empty(0)}), [["a"]], k=2)
    with pytest.raises(InvalidInput, match="name at least one"):
        grouping_cost(table, [], k=2)
    with pytest.raises(InvalidInput, match="infinite value at row 1"):
        grouping_cost(as_table({"a": [1.0, np.inf, 2.0]}), [["a"]], k=2)


@pytest.mark.parametrize("seed", range(5))
def test_intervals_may_be_those_of_z_scores(seed):
    rng = np.random.default_rng(seed)
    values = {name: (rng.normal(size=30) * 5 + 100).tolist() for name in "abc"}
    table = as_table(values, roles={"quasi": list("abc")})
    z = {name: (np.array(v) - np.mean(v)) / np.std(v, ddof=1) for name, v in values.items()}
    scored = as_table({name: v.tolist() for name, v in z.items()}, roles={"quasi": list("abc")})
    groups = [["a", "b"], ["c"]]
    found = grouping_cost(table, groups, k=4, intervals="z-scores")
    assert found == pytest.approx(grouping_cost(scored, groups, k=4))
    assert found.interval_risk < grouping_cost(table, groups, k=4).interval_risk
    with pytest.raises(InvalidInput, match="intervals"):
        grouping_cost(table, groups, k=4, intervals="ranks")
