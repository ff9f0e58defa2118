"""Weighted centres against counting every record as often as its weight says."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, as_table, microaggregate
from shoal.hierarchy import with_hierarchies
from shoal.masking.microaggregation.aggregate import aggregate

TOWNS = {"town": {"edges": {"a": "coast", "b": "coast", "c": "inland", "coast": "*", "inland": "*"}}}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("hierarchy", [False, True])
def test_weights_count_like_copies(seed, hierarchy):
    rng = np.random.default_rng(seed)
    n = 30
    columns = {
        "pay": rng.integers(0, 50, n).astype(float),
        "rank": rng.choice(["low", "middle", "high"], n),
        "town": rng.choice(["a", "b", "c"], n),
        "w": rng.integers(1, 5, n).astype(float),
    }
    columns["pay"][rng.random(n) < 0.1] = np.nan
    labels = np.concatenate([np.arange(5), rng.integers(0, 5, n - 5)])
    kinds = {"rank": ["low", "middle", "high"]}
    names = ["pay", "rank", "town"]
    table = as_table(columns, roles={"weight": "w"}, kinds=kinds)
    table = with_hierarchies(table, TOWNS) if hierarchy else table
    done = aggregate(table, labels, weighted=True, missing="fill", columns=names)
    copies = np.repeat(np.arange(n), columns["w"].astype(int))
    many = aggregate(table.take(copies), labels[copies], missing="fill", columns=names)
    first = np.unique(copies, return_index=True)[1]
    assert np.allclose(done.column("pay"), many.column("pay")[first], equal_nan=True)
    for name in ("rank", "town"):
        assert done.cells(name).tolist() == many.cells(name)[first].tolist()


def test_weighted_totals_stay_what_they_were():
    rng = np.random.default_rng(1)
    columns = {
        "pay": rng.lognormal(7, 1, 500),
        "rent": rng.lognormal(5, 1, 500),
        "w": rng.uniform(10, 90, 500),
    }
    table = as_table(columns, roles={"quasi": ["pay", "rent"], "weight": "w"})
    masked = microaggregate(table, k=5, weighted=True)
    for name in ("pay", "rent"):
        total = (table.column(name) * columns["w"]).sum()
        assert (masked.column(name) * columns["w"]).sum() == pytest.approx(total, rel=1e-12)
        plain = microaggregate(table, k=5).column(name)
        assert abs((plain * columns["w"]).sum() - total) > 1e-6 * total


def test_a_weight_is_needed():
    table = as_table({"pay": [1.0, 2.0]}, roles={"quasi": "pay"})
    with pytest.raises(InvalidInput, match="needs a column with the role weight"):
        microaggregate(table, k=2, weighted=True)


@pytest.mark.parametrize("weight", [0.0, -1.0, None, float("inf")])
def test_weights_that_count_nobody_are_refused_by_row(weight):
    table = as_table({"pay": [1.0, 2.0], "w": [3.0, weight]}, roles={"quasi": "pay", "weight": "w"})
    with pytest.raises(InvalidInput, match="row 1"):
        microaggregate(table, k=2, weighted=True)


def test_a_household_with_two_weights_is_refused_by_row():
    columns = {"home": [1, 1, 2, 2], "pay": [1.0, 2.0, 3.0, 4.0], "w": [5.0, 5.0, 6.0, 7.0]}
    table = as_table(columns, roles={"quasi": "pay", "weight": "w", "household": "home"})
    with pytest.raises(InvalidInput, match="two weights in the household of row 3"):
        microaggregate(table, k=2)
