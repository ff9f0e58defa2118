"""Distance and probabilistic linkage against all pairs, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import distance_linkage_risk, probabilistic_linkage_risk, record_linkage
from shoal.measures.record_linkage import Points, rivals_of

BOTH = (distance_linkage_risk, probabilistic_linkage_risk)


@pytest.mark.parametrize("measure", BOTH)
def test_ties_share_a_hit(measure):
    table = as_table({"a": ["x", "x", "y", "z"]})
    assert measure(table, table) == 75
    assert measure(table, table, ties="strict") == 50
    assert measure(table, table, ties="optimistic") == 100


@pytest.mark.parametrize("measure", BOTH)
def test_knowing_less_finds_less_and_sets_are_averaged(measure):
    table = as_table({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]})
    assert measure(table, table) == 100
    assert measure(table, table, known=["a"]) == measure(table, table, known="a") == 50
    assert measure(table, table, known=[["a"], ["a", "b"]]) == 75


@pytest.mark.parametrize("measure", BOTH)
def test_wrong_knowledge_and_ties_are_refused(measure):
    table = as_table({"a": ["x", "y"]})
    with pytest.raises(InvalidInput, match="known"):
        measure(table, table, known=[])
    with pytest.raises(InvalidInput, match="aa"):
        measure(table, table, known=["aa"])
    with pytest.raises(InvalidInput, match="ties"):
        measure(table, table, ties="some")


def test_an_unreadable_column_is_not_applicable():
    before, after = as_table({"age": [21, 34]}), as_table({"age": ["20-29", "30-39"]})
    with pytest.raises(NotApplicable, match="age"):
        probabilistic_linkage_risk(before, after)
    assert distance_linkage_risk(before, after) == 100  # an interval is no obstacle


@pytest.mark.parametrize("seed", range(40))
def test_small_files_pair_by_pair_and_large_ones_in_a_tree_agree(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 700)), int(rng.integers(1, 5))
    nominal = rng.random(d) < 0.5
    X = np.where(nominal, rng.integers(0, 4, (n, d)), rng.normal(size=(n, d)).round(int(rng.integers(0, 3))))
    Y = np.where(rng.random((n, d)) < 0.6, X, np.where(nominal, rng.integers(0, 4, (n, d)), X + rng.normal()))
    weight, rows = rng.choice([0.0, 0.5, 1.0], d), rng.permutation(n)[: int(rng.integers(1, n + 1))]
    found = rivals_of(Points(X, Y, nominal), weight, rows)
    monkeypatch.setattr(record_linkage, "COMPARED", -1)
    np.testing.assert_array_equal(rivals_of(Points(X, Y, nominal), weight, rows), found)
