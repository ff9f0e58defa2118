"""Distributions: every record counted once, extremes hidden, and in public no bin of few."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import as_table
from shoal.report.distributions import (
    MIN_PUBLIC_CELL,
    MIN_PUBLIC_RECORDS,
    bin_edges,
    count_in,
    distribution,
    merge_small,
)

numbers = st.lists(
    st.floats(-1e6, 1e6) | st.integers(-5, 5).map(float) | st.sampled_from([0.0, 1e12, 1e12 + 1, 1e300]),
    min_size=1,
    max_size=400,
)


@given(numbers, st.integers(2, 25), st.booleans(), st.sampled_from([0.01, 0.05, 0.3]))
def test_edges_rise_and_every_value_is_counted_once(values, count, whole, tail):
    values = np.array(values)
    edges = bin_edges(values, count, whole, tail)
    assert (np.diff(edges) > 0).all() or np.ptp(edges) == 0
    assert len(edges) <= 2 * count + 3
    slow = np.zeros(len(edges) - 1)
    for value in values:
        place = max(i for i in range(len(edges) - 1) if i == 0 or value >= edges[i])
        slow[place] += 1
    assert count_in(values, edges).tolist() == slow.tolist()


@given(st.lists(st.integers(0, 40), min_size=1, max_size=30))
def test_merging_keeps_everybody_and_leaves_no_small_bin(counts):
    edges = np.arange(len(counts) + 1.0)
    merged_edges, merged = merge_small(edges, np.array(counts, dtype=float))
    assert merged.sum() == sum(counts)
    assert len(merged) == 1 or merged.min() >= MIN_PUBLIC_CELL
    assert set(merged_edges) <= set(edges)
    assert (merged_edges[0], merged_edges[-1]) == (edges[0], edges[-1])
    for low, high, count in zip(
        merged_edges[:-1].astype(int), merged_edges[1:].astype(int), merged, strict=True
    ):
        assert sum(counts[low:high]) == count


@given(numbers, numbers)
def test_public_bins_have_company_and_no_extreme_edge(before, after):
    size = min(len(before), len(after))
    before, after = np.array(before[:size]), np.array(after[:size])
    table, released = as_table({"x": before}), as_table({"x": after})
    found = distribution(table, released, "x", True)
    if found is None:
        return
    assert size >= MIN_PUBLIC_RECORDS
    assert found["before"] is None, "nothing of the original"
    edges = np.array(found["edges"])
    assert count_in(after, edges).min() >= MIN_PUBLIC_CELL
    ranked = np.sort(after)
    step = np.diff(edges).max()
    assert edges[-1] <= ranked[-MIN_PUBLIC_CELL] + step, "the largest values set no edge"
    assert edges[0] >= ranked[MIN_PUBLIC_CELL - 1] - step
    assert all(share == round(share) for share in found["after"])


def test_an_outlier_is_invisible_in_public():
    values = np.concatenate([np.zeros(500), [1e9]])
    assert distribution(as_table({"x": values}), as_table({"x": values}), "x", True) is None
    values = np.concatenate([np.arange(500.0), [1e9]])
    found = distribution(as_table({"x": values}), as_table({"x": values}), "x", True)
    assert max(found["edges"]) <= 600


def test_whole_numbers_have_one_bin_each_although_means_do_not():
    kinds = {"rooms": "numeric"}
    before = as_table({"rooms": [1, 2, 3, 4] * 30}, kinds=kinds)
    after = as_table({"rooms": [1.5, 1.5, 3.5, 3.5] * 30}, kinds=kinds)
    found = distribution(before, after, "rooms", False)
    assert found["edges"] == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert found["before"] == [25.0] * 4
    assert found["after"] == [0.0, 50.0, 0.0, 50.0]


def test_categories_keep_their_order_and_the_rest_is_one():
    towns = [f"t{i:02}" for i in range(15) for _ in range(15 - i)]
    found = distribution(as_table({"town": towns}), as_table({"town": towns}), "town", False)
    assert found["labels"] == [*(f"t{i:02}" for i in range(10)), "all others"]
    assert sum(found["before"]) == pytest.approx(100)
    assert found["after"] == found["before"]


@given(st.lists(st.integers(0, 12), min_size=1, max_size=300))
def test_public_categories_have_company_and_so_has_the_rest(codes):
    table = as_table({"town": [f"town {code}" for code in codes]})
    found = distribution(table, table, "town", True)
    counts = {f"town {code}": codes.count(code) for code in set(codes)}
    if found is None:
        return
    shown = [text for text in found["labels"] if text != "all others"]
    assert len(codes) >= MIN_PUBLIC_RECORDS
    assert all(counts[text] >= MIN_PUBLIC_CELL for text in shown)
    rest = len(codes) - sum(counts[text] for text in shown)
    assert rest == 0 or rest >= MIN_PUBLIC_CELL


def test_numbers_that_became_bands_are_counted_in_them_before_and_after():
    before, after = as_table({"age": [20, 25, 30, 40]}), as_table({"age": ["20-29", None, "30+", "30+"]})
    found = distribution(before, after, "age", False)
    assert (found["labels"], found["before"]) == (["20-29", "30+"], [50, 50])
    assert found["after"] == pytest.approx([100 / 3, 200 / 3])
    overlapping = distribution(before, before.assign(age=["20-29", "25-39", "25-39", "40"]), "age", False)
    assert overlapping["before"] is None, "a value in two bands cannot be counted in one"


def test_nothing_observed_is_nothing_to_draw():
    empty = as_table({"x": [None, None]}, kinds={"x": "numeric"})
    assert distribution(empty, empty, "x", False) is None
    empty = as_table({"x": [None, None]}, kinds={"x": "nominal"})
    assert distribution(empty, empty, "x", False) is None
    constant = as_table({"x": [5.0] * 200})
    assert distribution(constant, constant, "x", False)["after"] == [100.0]
    assert distribution(constant, constant, "x", True) is None


def test_a_category_that_is_gone_is_shown_as_none():
    before = as_table({"roof": ["tin"] * 300 + ["reed"]})
    after = as_table({"roof": ["tin"] * 300 + [None]})
    found = distribution(before, after, "roof", public=False)
    assert (found["labels"], found["after"]) == (["reed", "tin"], [0.0, 100.0])
    assert distribution(before, after, "roof", public=True)["labels"] == ["tin"]


def test_many_dates_are_drawn_by_period():
    """Born on 9,000 different days: bars of decades, not one bar of all others."""
    days = [date(1930, 1, 1) + timedelta(days=11 * at) for at in range(2800)]
    table = as_table({"born": days})
    found = distribution(table, table, "born", False)
    assert found["labels"] == [f"{year}s" for year in range(1930, 2020, 10)]
    assert sum(found["before"]) == pytest.approx(100.0)
    of_a_year = as_table({"seen": [date(2024, 1, 8) + timedelta(days=at % 90) for at in range(300)]})
    assert distribution(of_a_year, of_a_year, "seen", False)["labels"] == [
        "2024-01",
        "2024-02",
        "2024-03",
        "2024-04",
    ]
