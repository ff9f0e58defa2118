from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput, NotApplicable, PrivacyWarning, as_table
from shoal.masking.swapping.rank_swap import _partners, rank_swap


@settings(max_examples=300)
@given(st.integers(0, 60), st.integers(1, 70), st.integers(0, 10**6))
def test_every_rank_is_swapped_once_within_the_window(n, window, seed):
    partner = _partners(n, window, np.random.default_rng(seed))
    ranks = np.arange(n)
    assert np.array_equal(partner[partner], ranks), "two ranks change places"
    assert (np.abs(partner - ranks) <= window).all()
    assert (partner == ranks).sum() == n % 2, "of an odd number one stays"


def test_partners_are_spread_over_the_window():
    steps = np.abs(_partners(20_000, 50, np.random.default_rng(1)) - np.arange(20_000))
    assert set(steps.tolist()) >= set(range(1, 51))
    assert 20 < steps.mean() < 32


@settings(max_examples=100)
@given(
    st.lists(st.none() | st.integers(-5, 5), min_size=1, max_size=30), st.floats(0.1, 100), st.integers(0, 99)
)
def test_values_stay_in_the_file_and_gaps_stay_gaps(values, percent, seed):
    values = [1, 2, *values]
    table = as_table({"x": values}, roles={"quasi": ["x"]})
    released = rank_swap(table, percent=percent, rng=seed).frame["x"].to_list()
    assert Counter(released) == Counter(values)
    assert [v is None for v in released] == [v is None for v in values]
    ordered = sorted(v for v in values if v is not None)
    window = max(1, int(len(ordered) * percent / 100))
    for before, after in zip(values, released, strict=True):
        if before is not None:
            low, high = ordered.index(before), len(ordered) - 1 - ordered[::-1].index(before)
            assert ordered[max(low - window, 0)] <= after <= ordered[min(high + window, len(ordered) - 1)]


def test_types_and_big_integers_survive():
    big = [2**60 + 1, 2**60 + 3, 2**60 + 5, 2**60 + 7]
    released = rank_swap(as_table({"x": big}, roles={"quasi": ["x"]}), percent=100, rng=1).frame["x"]
    assert sorted(released.to_list()) == big
    assert released.dtype.is_integer()


def test_ordinal_columns_follow_their_order():
    table = as_table(
        {"x": ["low", "mid", "high", "low", "mid", "high"]},
        roles={"quasi": ["x"]},
        kinds={"x": ["low", "mid", "high"]},
    )
    released = rank_swap(table, percent=17, rng=2).frame["x"].to_list()
    for before, after in zip(table.frame["x"].to_list(), released, strict=True):
        assert {before, after} != {"low", "high"}


def test_strata_keep_their_values():
    rng = np.random.default_rng(1)
    columns = {"x": rng.integers(0, 1000, 100).tolist(), "r": ["n", "s"] * 50}
    released = (
        rank_swap(as_table(columns, roles={"quasi": ["x"]}), percent=50, strata="r", rng=1)
        .frame["x"]
        .to_list()
    )
    for part in (slice(0, None, 2), slice(1, None, 2)):
        assert Counter(released[part]) == Counter(columns["x"][part])
    assert released != columns["x"]


def test_a_lonely_value_is_said_aloud():
    table = as_table({"x": [1, 2, 3], "r": ["n", "n", "s"]}, roles={"quasi": ["x"]})
    with pytest.warns(PrivacyWarning, match="1 times a stratum had one value only"):
        rank_swap(table, percent=10, strata="r", rng=1)


def test_what_it_is_not_for():
    table = as_table({"x": ["a", "b"]}, roles={"quasi": ["x"]})
    with pytest.raises(NotApplicable, match="No quasi-identifier is numeric or ordinal"):
        rank_swap(table, percent=5)
    with pytest.raises(NotApplicable, match="Column 'x' is nominal"):
        rank_swap(table, percent=5, columns=["x"])
    for percent in (0, -1, 101, "x"):
        with pytest.raises(InvalidInput, match="`percent` must be a number from"):
            rank_swap(as_table({"x": [1, 2]}, roles={"quasi": ["x"]}), percent=percent)
