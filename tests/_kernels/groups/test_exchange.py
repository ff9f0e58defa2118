"""Exchanges between two groups: the loss falls until nothing helps, and rounding is not mistaken for gain."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal._kernels.groups.exchange import improve_pair
from shoal._kernels.groups.groups import groups_of, refresh
from shoal._kernels.groups.member_tiles import member_tiles
from shoal.partition import sse


@numba.njit
def dealt(groups, tiles, k, squares):
    return improve_pair(groups, tiles, k, 0, 1, squares)


def two_groups(X, labels, k):
    groups = groups_of(X, labels, k)
    tiles = member_tiles(groups)
    return groups, tiles, np.empty((2, tiles.own.shape[1]))


@pytest.mark.slow
@settings(max_examples=200)
@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(1, 4), st.booleans())
def test_the_sum_of_squares_falls_until_nothing_helps(seed, k, d, ties):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(k, 2 * k, 2)
    X = rng.integers(0, 3, (sizes.sum(), d)) * 0.1 if ties else rng.normal(size=(sizes.sum(), d))
    labels = rng.permutation(np.repeat([0, 1], sizes))
    groups, tiles, squares = two_groups(X, labels, k)
    changed = dealt(groups, tiles, k, squares)
    assert k <= groups.sizes[:2].min() <= groups.sizes[:2].max() < 2 * k
    assert (groups.labels != labels).any() if changed else (groups.labels == labels).all()
    assert sse(X, groups.labels) < sse(X, labels) if changed else True
    assert not dealt(groups, tiles, k, squares)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(1, 4))
def test_equal_records_stay_where_they_are(seed, k, d):
    """Means that have lost their last digits make it look as if some equal record were closer elsewhere."""
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.uniform(-1, 1, (1, d)), 4 * k - 3, axis=0)
    groups, _, _ = two_groups(X, np.repeat([0, 1], [2 * k - 1, 2 * k - 2]), k)
    groups.means[:] *= 1 + rng.integers(-4, 5, groups.means.shape) * 2.0**-52
    tiles = member_tiles(groups)
    assert not dealt(groups, tiles, k, np.empty((2, tiles.own.shape[1])))
    refresh(groups)
    assert not dealt(groups, member_tiles(groups), k, np.empty((2, tiles.own.shape[1])))
