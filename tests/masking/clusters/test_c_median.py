from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, as_table
from shoal.hierarchy import hierarchy_from_rows, semantic_distance
from shoal.masking import c_median
from shoal.measures import adjusted_rand_index
from shoal.partition.labels import members, sizes

TOWNS = hierarchy_from_rows(
    [["Nice", "Gaul", "*"], ["Lyon", "Gaul", "*"], ["Rome", "Italy", "*"], ["Pisa", "Italy", "*"]]
)


@st.composite
def small_tables(draw, most=12, missing=True):
    """Numbers, ranks, names and towns, with ties and holes."""
    n = draw(st.integers(1, most))
    hole = [None] if missing else []
    values = {
        "age": [*hole, 0, 1, 5, 9],
        "rank": [*hole, "low", "middle", "high"],
        "sex": [*hole, "f", "m"],
        "town": [*hole, "Nice", "Lyon", "Rome", "Pisa"],
    }
    columns = {
        name: draw(st.lists(st.sampled_from(choice), min_size=n, max_size=n))
        for name, choice in values.items()
    }
    kinds = {"age": "numeric", "rank": ["low", "middle", "high"], "sex": "nominal", "town": "nominal"}
    schema = {"age": pl.Int64, "rank": pl.String, "sex": pl.String, "town": pl.String}
    return as_table(pl.DataFrame(columns, schema=schema), kinds=kinds, roles={"quasi": list(columns)})


def distance(table, name, one, other):
    """Of two values of a column, by the definition."""
    if one is None:
        return 0.0
    if other is None:
        return 1.0
    if name == "age":
        seen = [v for v in table.frame["age"].to_list() if v is not None]
        return abs(one - other) / max(max(seen) - min(seen), 1e-300)
    if name == "rank":
        order = ["low", "middle", "high"]
        return abs(order.index(one) - order.index(other)) / 2
    return float(one != other) if name == "sex" else semantic_distance(TOWNS, one, other)


def best_cost(table, rows):
    """Least sum of distances of records to one record made of their values, column by column."""
    total = 0.0
    for name in table.names():
        values = table.frame[name].to_list()
        mine = [values[row] for row in rows]
        candidates = {value for value in mine if value is not None} or {None}
        total += min(sum(distance(table, name, v, c) for v in mine) for c in candidates)
    return total


def cost(table, labels):
    return sum(best_cost(table, rows.tolist()) for rows in members(labels))


@pytest.mark.slow
@settings(max_examples=60)
@given(small_tables(), st.integers(1, 4), st.integers(0, 9))
def test_clusters_are_numbered_repeatable_and_better_than_one(table, c, seed):
    labels = c_median(table, c, hierarchies={"town": TOWNS}, rng=seed)
    assert len(labels) == len(table)
    assert set(labels.tolist()) == set(range(labels.max() + 1))
    assert labels.max() < c
    assert labels.tolist() == c_median(table, c, hierarchies={"town": TOWNS}, rng=seed).tolist()
    assert cost(table, labels) <= cost(table, np.zeros(len(table), dtype=np.intp)) + 1e-9


@settings(max_examples=25)
@given(small_tables(most=7, missing=False))
def test_two_clusters_are_nearly_the_best_of_all(table):
    n = len(table)
    every = (np.array(choice, dtype=np.intp) for choice in product([0, 1], repeat=n) if choice[0] == 0)
    best = min(cost(table, np.unique(labels, return_inverse=True)[1]) for labels in every)
    labels = c_median(table, 2, hierarchies={"town": TOWNS}, starts=30, rng=1)
    assert best - 1e-9 <= cost(table, labels) <= 1.25 * best + 1e-9


def test_natural_clusters_of_mixed_records_are_found():
    rng = np.random.default_rng(1)
    true = rng.integers(3, size=150)
    columns = {
        "age": (true * 20 + rng.normal(size=150)).tolist(),
        "sex": np.where(rng.random(150) < 0.9, np.array(["f", "m", "x"])[true], "f").tolist(),
        "huge": (1e300 + true * 1e298).tolist(),
    }
    labels = c_median(as_table(columns, roles={"quasi": list(columns)}), 3, rng=1)
    assert adjusted_rand_index(labels, true) > 0.9


def test_weights_decide_and_small_clusters_are_given_up():
    columns = {"a": [0, 0, 0, 1, 1, 1, 1], "b": [0, 1, 0, 1, 0, 1, 9]}
    table = as_table(columns, roles={"quasi": ["a", "b"]})
    assert c_median(table, 2, weights={"b": 0}, rng=1).tolist() == [0, 0, 0, 1, 1, 1, 1]
    labels = c_median(table, 5, smallest=3, rng=1)
    assert sizes(labels).min() >= 3
    assert c_median(table, 7, smallest=7, rng=1).tolist() == [0] * 7


def test_no_values_and_one_value_make_one_cluster():
    holes = as_table({"a": [None, None]}, kinds={"a": "numeric"}, roles={"quasi": ["a"]})
    assert c_median(holes, 2, rng=1).tolist() == [0, 0]
    assert c_median(as_table({"a": [3, 3, 3]}, roles={"quasi": ["a"]}), 2, rng=1).tolist() == [0, 0, 0]


def test_callback_stops_and_faults_are_sentences():
    table = as_table({"a": [1, 2, 3]}, roles={"quasi": ["a"]})
    seen = []
    c_median(table, 2, rng=1, callback=lambda p: seen.append(p) or True)
    assert len(seen) == 1
    for c, options, sentence in [
        (0, {}, "`c` must be a whole number"),
        (2, {"weights": {"b": 1}}, "no column 'b'"),
        (2, {"starts": 0}, "`starts`"),
        (2, {"columns": ["b"]}, "no column 'b'"),
    ]:
        with pytest.raises(InvalidInput, match=sentence):
            c_median(table, c, **options)
    with pytest.raises(InvalidInput, match="no records"):
        c_median(table.take(np.array([], dtype=np.intp)), 2)
    with pytest.raises(InvalidInput, match="infinite value at row 1"):
        c_median(as_table({"a": [1.0, np.inf]}, roles={"quasi": ["a"]}), 2)
