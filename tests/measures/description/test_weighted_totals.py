"""Weighted totals, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from frames import LIBRARIES
from shoal import InvalidInput, as_table
from shoal.masking import sample_records
from shoal.measures import weighted_totals


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_totals_are_those_counted_by_hand(make):
    rng = np.random.default_rng(1)
    columns = {
        "town": [None if v > 3 else "abcd"[v] for v in rng.integers(0, 5, 50)],
        "pay": [None if v > 90 else float(v) for v in rng.integers(0, 100, 50)],
        "w": rng.uniform(1, 5, 50).tolist(),
    }
    table = as_table(make(columns), roles={"quasi": ["town"], "confidential": ["pay"], "weight": "w"})
    found = {(c, k): (b, a) for c, k, b, a, _ in weighted_totals(table, table).rows()}
    for town in ("a", "b", "c", "d", None):
        by_hand = sum(w for t, w in zip(columns["town"], columns["w"], strict=True) if t == town)
        assert found["town", town or "missing"] == pytest.approx((by_hand, by_hand))
    by_hand = sum(p * w for p, w in zip(columns["pay"], columns["w"], strict=True) if p is not None)
    assert found["pay", "total"] == pytest.approx((by_hand, by_hand))


def test_changes_are_in_percent_and_new_categories_are_listed():
    before = as_table({"town": ["a", "b"]}, roles={"quasi": "town"})
    rows = weighted_totals(before, before.assign(town=["a", "z"])).rows()
    assert rows == [("town", "a", 1, 1, 0), ("town", "b", 1, 0, -100), ("town", "z", 0, 1, None)]


def test_a_sample_with_raised_weights_estimates_the_same_households():
    table = as_table({"home": range(100), "w": [2.0] * 100, "one": ["x"] * 100}, roles={"weight": "w"})
    sample = sample_records(table, share=0.25, rng=1)
    assert weighted_totals(table, sample, columns=["one"]).rows() == [("one", "x", 200.0, 200.0, 0.0)]


@pytest.mark.parametrize("bad", [None, -1.0, 0.0, float("inf")])
def test_bad_weights_are_refused_by_row(bad):
    table = as_table({"a": ["x", "y"], "w": [1.0, bad]}, roles={"quasi": "a", "weight": "w"})
    with pytest.raises(InvalidInput, match=r"'w' .* row 1"):
        weighted_totals(table, table)


def test_weights_that_are_texts_or_not_there_are_refused():
    table = as_table({"a": ["x", "y"], "w": ["1", "many"]}, roles={"quasi": "a"})
    with pytest.raises(InvalidInput, match="must be numbers"):
        weighted_totals(table, table, weights="w")
    with pytest.raises(InvalidInput, match="no column 'v'"):
        weighted_totals(table, table, weights="v")
