from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.errors import InvalidInput
from shoal.partition import projection
from shoal.partition._shared.optimal_cut import optimal_cut
from small_files import make


@settings(max_examples=100)
@given(st.integers(4, 40), st.integers(1, 4), st.integers(2, 4), st.integers(0, 10**6))
def test_records_are_cut_along_the_first_principal_component(n, d, k, seed):
    X = make("normal", n, d, seed) * np.arange(1, d + 1)
    X -= X.mean(axis=0)
    scores = X @ np.linalg.svd(X)[2][0]
    found = projection(X, k)
    either = [optimal_cut(X, k, np.argsort(side * scores)).tolist() for side in (1, -1)]
    assert found.tolist() in either


@settings(max_examples=100)
@given(st.integers(4, 40), st.integers(1, 4), st.integers(2, 4), st.integers(0, 10**6))
def test_records_are_cut_along_the_sum_of_z_scores(n, d, k, seed):
    X = make("normal", n, d, seed) * 10.0 ** np.arange(d)
    X = (X - X.mean(axis=0)) / np.ptp(X)
    order = np.argsort(((X - X.mean(axis=0)) / X.std(axis=0)).sum(axis=1))
    np.testing.assert_array_equal(projection(X, k, axis="zscores"), optimal_cut(X, k, order))


def test_a_constant_column_has_no_say():
    X = np.column_stack([make("normal", 20, 1, 1), np.full(20, 5.0)])
    for axis in ("principal", "zscores"):
        np.testing.assert_array_equal(projection(X, 3, axis=axis), projection(X[:, :1], 3, axis=axis))


def test_a_wrong_axis_is_one_sentence():
    with pytest.raises(InvalidInput, match="Did you mean 'principal'"):
        projection(np.ones((5, 1)), 2, axis="principle")
