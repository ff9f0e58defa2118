"""Gaps filled from the nearest record, against a slow search."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.encode import fill_missing


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
