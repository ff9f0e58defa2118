from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frames import LIBRARIES, to_lists
from shoal import InvalidInput, NotApplicable, PrivacyWarning, as_table
from shoal.masking.recoding.top_bottom_code import bottom_code, top_code

SIZES = ["s", "m", "l", "xl"]


@pytest.mark.slow
@settings(max_examples=200)
@given(st.lists(st.none() | st.integers(-9, 9), min_size=1, max_size=25), st.integers(-11, 11))
def test_thresholds_cut_what_lies_beyond_and_nothing_else(values, limit):
    values = [0, *values]
    table = as_table({"x": values}, roles={"quasi": ["x"]})
    top = top_code(table, threshold=limit).frame["x"]
    bottom = bottom_code(table, threshold=limit).frame["x"]
    assert top.to_list() == [None if v is None else min(v, limit) for v in values]
    assert bottom.to_list() == [None if v is None else max(v, limit) for v in values]
    assert top.dtype.is_integer(), "integers stay integers"


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=25), st.sampled_from([0.0, 0.05, 0.29, 0.5, 0.95, 1.0])
)
def test_quantiles_are_existing_values(values, share):
    table = as_table({"x": values}, roles={"quasi": ["x"]})
    ordered, n = sorted(values), len(values)
    limit = ordered[max(math.ceil(round(share * n, 9)) - 1, 0)]
    assert top_code(table, quantile=share).frame["x"].to_list() == [min(v, limit) for v in values]
    limit = ordered[min(math.floor(round(share * n, 9)), n - 1)]
    assert bottom_code(table, quantile=share).frame["x"].to_list() == [max(v, limit) for v in values]


def test_the_mean_keeps_the_total():
    values = [1.0, 2.0, 10.0, 20.0, 60.0, None]
    table = as_table({"x": values}, roles={"quasi": ["x"]})
    assert top_code(table, threshold=5, replacement="mean").frame["x"].to_list() == [1, 2, 30, 30, 30, None]
    released = bottom_code(table, threshold=15, replacement="mean").frame["x"].to_list()
    assert released == pytest.approx([13 / 3] * 3 + [20, 60, None])


def test_a_mean_of_few_is_said_aloud():
    table = as_table({"x": [1, 2, 10, 20]}, roles={"quasi": ["x"]})
    with pytest.warns(PrivacyWarning, match="In x a mean of fewer than 3 values"):
        assert top_code(table, threshold=5, replacement="mean").frame["x"].to_list() == [1, 2, 15, 15]


def test_strata_have_their_own_quantiles():
    table = as_table({"x": [1, 2, 3, 10, 20, 30], "r": ["n"] * 3 + ["s"] * 3}, roles={"quasi": ["x"]})
    assert top_code(table, quantile=0.5, strata="r").frame["x"].to_list() == [1, 2, 2, 10, 20, 20]


def test_ordinal_columns_take_categories_and_quantiles():
    table = as_table({"x": ["s", "m", "l", "xl", None]}, roles={"quasi": ["x"]}, kinds={"x": SIZES})
    assert top_code(table, threshold="m").frame["x"].to_list() == ["s", "m", "m", "m", None]
    assert bottom_code(table, threshold="l").frame["x"].to_list() == ["l", "l", "l", "xl", None]
    assert top_code(table, quantile=0.75).frame["x"].to_list() == ["s", "m", "l", "l", None]
    with pytest.raises(NotApplicable, match="'x' is ordinal and has no mean"):
        top_code(table, quantile=0.5, replacement="mean")
    with pytest.raises(InvalidInput, match="threshold of column 'x' is none of its categories"):
        top_code(table, threshold="xxl")


def test_a_mapping_gives_each_column_its_own():
    table = as_table({"x": [1, 9], "y": [1.0, 9.0], "z": [1, 9]}, roles={"quasi": ["x", "y", "z"]})
    released = top_code(table, threshold={"x": 5, "y": 2.5}).frame
    assert released.rows() == [(1, 1.0, 1), (5, 2.5, 9)]
    with pytest.raises(InvalidInput, match="no threshold for column 'z'"):
        top_code(table, threshold={"x": 5}, columns=["x", "z"])
    with pytest.raises(InvalidInput, match="no column 'w'"):
        top_code(table, quantile={"w": 0.5})


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_big_integers_and_other_cells_stay_exact(make):
    table = as_table(make({"x": [2**52 + 1, 5, 7]}), roles={"quasi": ["x"]})
    assert to_lists(bottom_code(table, threshold=6).frame) == {"x": [2**52 + 1, 6, 7]}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "either `threshold` or `quantile`"),
        ({"threshold": 1, "quantile": 0.5}, "either `threshold` or `quantile`"),
        ({"quantile": 1.5}, "`quantile of x` must be a number from 0 to 1"),
        ({"threshold": "a"}, "`threshold of x` must be a number"),
        ({"threshold": float("nan")}, "`threshold of x` must be a number"),
        ({"threshold": 1, "replacement": "median"}, "`replacement` must be one of"),
    ],
)
def test_mistakes_are_one_sentence(options, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        top_code(as_table({"x": [1, 2]}, roles={"quasi": ["x"]}), **options)
