from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hierarchy.trees import PLACES, random_rows
from shoal import InvalidInput, NotApplicable, as_table
from shoal.encode import encode, encode_pair
from shoal.hierarchy import (
    hierarchy_from_rows,
    semantic_distance,
    with_hierarchies,
)


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


@pytest.mark.slow
@settings(max_examples=100)
@given(random_rows(), st.data())
def test_the_encoded_copy_has_semantic_distances(rows, data):
    hierarchy = hierarchy_from_rows(rows)
    values = data.draw(
        st.lists(st.none() | st.sampled_from([row[0] for row in rows]), min_size=2, max_size=8)
    )
    values[0] = values[0] or rows[0][0]
    X = encode(with_hierarchies(as_table({"a": values}), {"a": rows}), ["a"])
    for i, one in enumerate(values):
        assert np.isnan(X[i]).all() == (one is None)
        for j, other in enumerate(values):
            if one is not None and other is not None:
                expected = semantic_distance(hierarchy, one, other)
                assert np.linalg.norm(X[i] - X[j]) == pytest.approx(expected, abs=1e-12)


def test_a_hierarchy_changes_the_distance_of_nominal_columns_only():
    table = as_table({"age": [18, 35], "size": ["s", "l"]}, kinds={"size": ["s", "m", "l"]})
    ways = {"age": {"widths": [10]}, "size": [["s", "x", "*"], ["m", "x", "*"], ["l", "y", "*"]]}
    assert np.array_equal(encode(with_hierarchies(table, ways), table.names()), encode(table, table.names()))


def test_generalised_and_foreign_labels_of_a_masked_file_can_be_compared():
    original = with_hierarchies(as_table({"place": ["Paris", "Lima"]}), {"place": PLACES})
    X, Y = encode_pair(original, as_table({"place": ["France", "Lima"]}), ["place"])
    assert 0 < np.linalg.norm(X[0] - Y[0]) < np.linalg.norm(X[0] - Y[1])
    X, Y = encode_pair(original, as_table({"place": ["{Paris, Lima}", "Lima"]}), ["place"])
    assert np.linalg.norm(X[0] - Y[0]) == pytest.approx(1), "no label of the hierarchy: simply different"


def test_weights_multiply_squared_distances():
    table = as_table({"a": [0.0, 1.0], "b": ["x", "y"]})
    X = encode(table, ["a", "b"], scale="none", weights={"a": 4, "b": 0})
    assert np.linalg.norm(X[0] - X[1]) == pytest.approx(2)
    with pytest.raises(InvalidInput, match="`weight of a` must be a number from 0"):
        encode(table, ["a"], weights={"a": -1})
    with pytest.raises(InvalidInput, match="no column 'b'"):
        encode(table, ["a"], weights={"b": 1})
