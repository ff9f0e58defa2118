from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal.errors import NotApplicable
from shoal.partition import exhaustive, univariate
from small_files import SORTS, make, small_files, unit


@settings(max_examples=60)
@given(small_files(most=9, columns=1))
def test_no_groups_at_all_lose_less(file):
    X, k = file
    X = unit(X[:, :1])
    best = oracles.sse(X, exhaustive(X, k))
    np.testing.assert_allclose(oracles.sse(X, univariate(X, k)), best, rtol=1e-9, atol=1e-15)


@settings(max_examples=100)
@given(st.sampled_from(SORTS), st.integers(4, 200), st.integers(2, 4), st.integers(0, 10**6))
def test_groups_do_not_overlap(sort, n, k, seed):
    y = make(sort, n, 1, seed)[:, 0]
    labels = univariate(y[:, None], k)
    ordered = labels[np.argsort(y, kind="stable")]
    assert np.count_nonzero(np.diff(ordered)) == labels.max()


@pytest.mark.parametrize("offset", [1e9, -1e9, 2.0**40])
def test_an_offset_changes_nothing(offset):
    y = np.random.default_rng(1).integers(0, 10**5, size=(5000, 1)) / 64
    np.testing.assert_array_equal(univariate(y + offset, 3), univariate(y, 3))


def test_equal_values_are_taken_in_file_order():
    np.testing.assert_array_equal(univariate(np.zeros((7, 1)), 3), [0, 0, 0, 0, 1, 1, 1])


def test_several_columns_are_refused():
    with pytest.raises(NotApplicable, match="one column, got 2; use projection or path"):
        univariate(np.ones((5, 2)), 2)


def test_a_million_values():
    y = np.random.default_rng(0).normal(size=(1_000_000, 1))
    labels = univariate(y, 5)
    order = np.argsort(y[:, 0])
    assert np.count_nonzero(np.diff(labels[order])) == labels.max()
    assert 5 <= np.bincount(labels).min() <= np.bincount(labels).max() <= 9
