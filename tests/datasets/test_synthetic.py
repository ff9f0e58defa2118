"""The generators of points: range, clusters, reproducibility, and the order of the published losses."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.datasets import make_clustered, make_scattered
from shoal.datasets.synthetic import _cluster_sizes
from shoal.errors import InvalidInput
from shoal.partition import mdav, sse


def matrix(table):
    return np.column_stack([table.column(name) for name in table.names()])


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)


@pytest.mark.parametrize("make", [make_scattered, make_clustered])
def test_shape_roles_and_range(make):
    table = make(500, d=3, rng=1)
    assert isinstance(table.frame, pl.DataFrame)
    assert table.names(role="quasi", kind="numeric") == ["x1", "x2", "x3"]
    assert len(table) == 500
    assert np.abs(matrix(table)).max() <= 10_000
    assert np.abs(matrix(table)).max() > 9_000
    assert make().frame.shape == (1000, 2)


@pytest.mark.parametrize("make", [make_scattered, make_clustered])
def test_same_seed_same_file(make):
    assert make(50, rng=7).frame.equals(make(50, rng=7).frame)
    assert make(50, rng=7).frame.equals(make(50, rng=np.random.default_rng(7)).frame)
    assert not make(50, rng=7).frame.equals(make(50, rng=8).frame)


@pytest.mark.parametrize(("make", "low", "high"), [(make_scattered, 4.4, 5.0), (make_clustered, 3.2, 3.9)])
def test_mdav_loss_is_of_the_published_order(make, low, high):
    """Table 7 of the paper: MDAV with k = 3 leaves 4.71 (scattered) and 3.57 (clustered)."""
    losses = [sse(X, mdav(X, 3)) for X in (standardised(matrix(make(rng=seed))) for seed in range(5))]
    assert low < np.mean(losses) < high


def test_a_record_has_its_cluster_close_by():
    """Two companions at most within the cluster's square; scattered points are much farther apart."""
    clustered = second_neighbour(matrix(make_clustered(400, spread=5, rng=3)))
    scattered = second_neighbour(matrix(make_scattered(400, rng=3)))
    assert clustered.max() <= 10 * np.sqrt(2)
    assert np.median(scattered) > 100


def second_neighbour(X):
    return np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)[:, 2]


def test_row_order_does_not_tell_the_cluster():
    X = matrix(make_clustered(600, spread=1, rng=3))
    neighbours = np.linalg.norm(np.diff(X, axis=0), axis=1) < 5
    assert neighbours.mean() < 0.05


@settings(max_examples=200)
@given(n=st.integers(1, 60), low=st.integers(1, 6), extra=st.integers(0, 4), seed=st.integers(0, 99))
def test_cluster_sizes_hold_every_record_or_say_no(n, low, extra, seed):
    high = low + extra
    possible = any(groups * low <= n <= groups * high for groups in range(1, n + 1))
    if not possible:
        with pytest.raises(InvalidInput, match="cannot be split"):
            make_clustered(n, sizes=(low, high), rng=seed)
        return
    _, sizes = _cluster_sizes(n, (low, high), np.random.default_rng(seed))
    assert sizes.sum() == n
    assert sizes.min() >= low
    assert sizes.max() <= high
    assert len(make_clustered(n, sizes=(low, high), rng=seed)) == n


def test_all_sizes_occur():
    _, sizes = _cluster_sizes(1000, (3, 5), np.random.default_rng(0))
    assert set(sizes.tolist()) == {3, 4, 5}


@pytest.mark.parametrize("n", [0, -3, 2.5, True, "10", None])
def test_bad_counts(n):
    for make in (make_scattered, make_clustered):
        with pytest.raises(InvalidInput, match="`n` must be a whole number of at least 1"):
            make(n)
    with pytest.raises(InvalidInput, match="`d` must be"):
        make_scattered(10, d=n)


@pytest.mark.parametrize("sizes", [3, (3,), (5, 3), (0, 3), (3, 4.5), None])
def test_bad_sizes(sizes):
    with pytest.raises(InvalidInput, match="`sizes`"):
        make_clustered(10, sizes=sizes)


@pytest.mark.parametrize("spread", [-1, 10_001, np.nan, "wide"])
def test_bad_spread(spread):
    with pytest.raises(InvalidInput, match="`spread`"):
        make_clustered(10, spread=spread)
