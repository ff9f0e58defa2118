from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import InvalidInput, NotApplicable, as_table
from shoal.encode import encode, encode_pair, fill_missing
from shoal.encode.categories import categorise


def test_numbers_become_z_scores_with_n_minus_1():
    X = encode(as_table({"a": [1.0, 2.0, 6.0]}), ["a"])[:, 0]
    np.testing.assert_allclose([X.mean(), X.std(ddof=1)], [0, 1], atol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e12])
@pytest.mark.parametrize("factor", [1.0, 1e150, 1e290, 1e-290])
def test_offset_and_scale_do_no_harm(offset, factor):
    values = np.array([1.0, 2.0, 4.0, 8.0])
    plain = encode(as_table({"a": values}), ["a"])
    np.testing.assert_allclose(encode(as_table({"a": (values + offset) * factor}), ["a"]), plain, rtol=1e-3)


def test_other_scales():
    table = as_table({"a": [2.0, 3.0, 6.0]})
    np.testing.assert_allclose(encode(table, ["a"], scale="range")[:, 0], [0, 0.25, 1])
    np.testing.assert_allclose(encode(table, ["a"], scale="none")[:, 0], [2, 3, 6])
    with pytest.raises(InvalidInput, match="`scale` must be one of"):
        encode(table, ["a"], scale="zscor")


def test_a_constant_column_is_zero_even_where_the_mean_rounds():
    np.testing.assert_array_equal(encode(as_table({"a": [0.1] * 3}), ["a"]).round(12), 0)


def test_distances_of_categories():
    table = as_table({"size": ["s", "l", "m"], "town": ["a", "b", "a"]}, kinds={"size": ["s", "m", "l"]})
    ranks = encode(table, ["size"])[:, 0]
    np.testing.assert_allclose(abs(ranks - ranks[0]), [0, 2 / 3, 1 / 3])
    towns = encode(table, ["town"])
    np.testing.assert_allclose(np.linalg.norm(towns - towns[0], axis=1), [0, 1, 0])


def test_missing_stays_missing_in_every_kind():
    table = as_table({"a": [1.0, None], "t": ["x", None], "o": ["x", None]}, kinds={"o": "ordinal"})
    assert np.isnan(encode(table, ["a", "t", "o"])[1]).all()
    assert not np.isnan(encode(table, ["a", "t", "o"])[0]).any()


def test_two_files_share_one_geometry():
    original = as_table({"a": [0.0, 2.0], "t": ["x", "y"]})
    masked = as_table({"a": [4.0, 2.0], "t": ["z", "y"]})
    X, Y = encode_pair(original, masked, ["a", "t"])
    assert X.shape == Y.shape
    np.testing.assert_allclose(X[1], Y[1])
    np.testing.assert_allclose(np.linalg.norm(X[0, 1:] - Y[0, 1:]), 1)
    with pytest.raises(NotApplicable, match="numeric in one file"):
        encode_pair(original, as_table({"a": ["u", "v"]}), ["a"])


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"a": [1.0, float("inf")]}, "Column 'a' has an infinite value at row 1"),
        ({"a": [1.0, 2.0]}, "No column has the role quasi"),
    ],
)
def test_mistakes_are_one_sentence(columns, sentence):
    names = ["a"] if "infinite" in sentence else None
    with pytest.raises(InvalidInput, match=sentence):
        encode(as_table(columns), names)


def test_too_many_categories_is_said_before_memory_runs_out():
    table = as_table(pl.DataFrame({"name": [str(i) for i in range(30_000)]}))
    with pytest.raises(InvalidInput, match="Column 'name' has 30000 categories"):
        encode(table, ["name"])


def test_categories_of_mixed_types_and_beyond_the_order():
    codes, categories = categorise(
        as_table({"x": ["m", "s", "other"]}, kinds={"x": ["s", "m", "other"]}), "x"
    )
    assert (codes.tolist(), categories) == ([1, 0, 2], ("s", "m", "other"))
    table = as_table({"x": ["m", "s"]}, kinds={"x": ["s", "m"]}).assign(x=["m", "s-m"])
    assert categorise(table, "x")[1] == ("s", "m", "s-m")


def test_filling_takes_the_nearest_record_over_the_observed_columns():
    X = np.array([[0.0, 0.0, 5.0], [9.0, 9.0, 7.0], [0.2, np.nan, np.nan], [np.nan, 8.0, 1.0]])
    filled = fill_missing(X)
    np.testing.assert_allclose(filled[2], [0.2, 0.0, 5.0])
    np.testing.assert_array_equal(filled[~np.isnan(X)], X[~np.isnan(X)])


def test_nothing_to_go_by():
    X = np.array([[np.nan, np.nan], [1.0, np.nan], [3.0, np.nan]])
    np.testing.assert_allclose(fill_missing(X), [[2.0, 0.0], [1.0, 0.0], [3.0, 0.0]])


@given(st.integers(0, 10_000), st.booleans())
def test_filling_agrees_with_a_slow_search(seed, complete):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(9, 3))
    X[rng.random(X.shape) < 0.3] = np.nan
    X[np.arange(9), rng.integers(0, 3, 9)] = np.nan if not complete else X[np.arange(9), 0]
    whole = [row for row in range(9) if not np.isnan(X[row]).any()]
    filled = fill_missing(X)
    for row, column in np.argwhere(np.isnan(X)):
        donors = whole or [d for d in range(9) if not np.isnan(X[d, column])]
        gaps = {d: np.nanmean((X[d] - X[row]) ** 2) for d in donors if not np.isnan(X[d] - X[row]).all()}
        if gaps:
            np.testing.assert_allclose(filled[row, column], X[min(gaps, key=gaps.get), column])
        else:
            seen = X[~np.isnan(X[:, column]), column]
            np.testing.assert_allclose(filled[row, column], seen.mean() if len(seen) else 0.0)
