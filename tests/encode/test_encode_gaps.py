"""Gaps in the geometry: near each other, some way from values, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import InvalidInput, as_table
from shoal.encode import encode, encode_gaps
from shoal.encode.encode_gaps import GAP_DISTANCE

CELL = st.none() | st.sampled_from([0.0, 1.0, -7.5, 1e9, 1e300, 5e-324])


@pytest.mark.slow
@given(st.lists(st.tuples(CELL, st.none() | st.sampled_from("abc")), min_size=2, max_size=20))
def test_complete_and_as_before_where_there_is_a_value(rows):
    table = as_table({"x": [float("nan") if x is None else x for x, _ in rows], "t": [t for _, t in rows]})
    table = as_table(table, kinds={"t": "nominal"})
    X = encode_gaps(table, ["x", "t"])
    assert np.isfinite(X).all()
    plain = encode(table, ["x", "t"])
    x_gaps = np.isnan(plain[:, 0])
    assert (X[~x_gaps, 0] == plain[~x_gaps, 0]).all()
    assert len(np.unique(X[x_gaps, 0])) <= 1


@pytest.mark.parametrize("scale", ["zscore", "range", "none"])
def test_a_gap_is_so_many_standard_deviations_from_the_mean(scale):
    table = as_table({"x": [1.0, 3.0, None, 8.0], "y": [1, 2, 3, 4]})
    X = encode_gaps(table, ["x", "y"], scale=scale, weights={"x": 4})
    seen = X[[0, 1, 3], 0]
    assert X.shape == (4, 3)
    assert X[2, 0] == pytest.approx(seen.mean())
    assert X[2, 1] == pytest.approx(GAP_DISTANCE * seen.std())
    assert X[[0, 1, 3], 1].tolist() == [0, 0, 0]


def test_one_column_stays_one_and_its_gaps_lie_above_all_values():
    X = encode_gaps(as_table({"x": [1.0, None, 9.0, None]}), ["x"])
    assert X.shape == (4, 1)
    assert X[1, 0] == X[3, 0] > X[2, 0] > X[0, 0]


def test_huge_values_a_constant_column_and_a_column_of_gaps():
    huge = encode_gaps(as_table({"x": [1.7e308, None, 1.6e308]}), ["x"], scale="none")
    assert np.isfinite(huge).all()
    constant = encode_gaps(as_table({"x": [7, None, 7], "y": [1, 2, 3]}), ["x", "y"])
    assert constant[:, 1].tolist() == [0, GAP_DISTANCE, 0]
    nothing = encode_gaps(as_table({"x": [None, None], "y": [1, 2]}), ["x", "y"])
    assert nothing[:, 0].tolist() == [0, 0]


def test_a_weight_of_an_unknown_column_is_refused():
    with pytest.raises(InvalidInput, match="no column 'z'"):
        encode_gaps(as_table({"x": [1, 2]}), ["x"], weights={"z": 1})
