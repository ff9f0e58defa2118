"""Nearest records by the tree, against measuring all of them; among equals the lowest row position."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal._kernels.spatial import exact_neighbours as neighbours
from shoal._kernels.spatial.exact_neighbours import nearest_rows
from shoal._kernels.spatial.spatial_order import FAN, LEAF, spatial_order
from small_files import SORTS, make


def by_measuring(X, points, m):
    squares = np.zeros((len(points), len(X)))
    for j in range(X.shape[1]):
        squares += (X[:, j] - points[:, j][:, None]) ** 2
    rows = np.argsort(squares, axis=1, kind="stable")[:, :m]
    return rows, np.take_along_axis(squares, rows, axis=1)


@settings(max_examples=150)
@given(
    st.sampled_from([sort for sort in SORTS if sort not in ("heavy", "offset")]),
    st.integers(1, 400),
    st.integers(1, 12),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_nearest_rows(sort, n, d, seed, own):
    X = make(sort, n, d, seed)
    points = X if own else make(sort, 20, d, seed + 1)
    m = 1 + seed % min(n, 9)
    for found, expected in zip(nearest_rows(X, points, m), by_measuring(X, points, m), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_threads_change_nothing(monkeypatch):
    X = make("ties", 500, 3, 0)
    alone = nearest_rows(X, X, 4)
    monkeypatch.setattr(neighbours, "useful_threads", lambda numbers: 3)
    for one, other in zip(alone, nearest_rows(X, X, 4), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("n", [1, 2, LEAF, LEAF + 1, FAN * LEAF, FAN * LEAF + 1, 3 * FAN * LEAF - 5])
@pytest.mark.parametrize("values", [1, 3, 10**9])
def test_spatial_order(n, values):
    """Every row once; equal records in row order; along one column nobody is out of order between leaves."""
    X = np.random.default_rng(n).integers(0, values, size=(n, 1)).astype(float)
    rows = np.arange(n, dtype=np.int32)
    spatial_order(X, rows, np.empty(len(rows)))
    np.testing.assert_array_equal(np.sort(rows), np.arange(n))
    leaves = [X[rows[start : start + LEAF], 0] for start in range(0, n, LEAF)]
    for low, high in pairwise(leaves):
        assert low.max() <= high.min()
    for start in range(0, n - LEAF, LEAF):
        value = X[rows[start], 0]
        here = rows[start : start + LEAF][X[rows[start : start + LEAF], 0] == value]
        later = rows[start + LEAF :][X[rows[start + LEAF :], 0] == value]
        assert not len(later) or here.max() < later.min()
