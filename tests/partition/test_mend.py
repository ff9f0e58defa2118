"""Groups made in blocks trade records: sizes stay, the sum of squares falls, never a worse file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.partition import sizes, sse
from shoal.partition.mend import mend
from small_files import SORTS, make, unit


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(SORTS),
    st.integers(2, 80),
    st.integers(1, 5),
    st.integers(1, 9),
    st.integers(2, 80),
    st.integers(0, 10**6),
)
def test_sizes_stay_and_the_sum_of_squares_never_rises(sort, n, d, groups, block_size, seed):
    X = make(sort, n, d, seed)
    labels = np.random.default_rng(seed).integers(0, groups, size=n)
    labels = np.unique(labels, return_inverse=True)[1]
    before = labels.copy()
    mended = mend(X, labels, block_size=block_size)
    np.testing.assert_array_equal(labels, before)
    np.testing.assert_array_equal(sizes(mended), sizes(labels))
    assert sse(unit(X), mended) <= sse(unit(X), labels) * (1 + 1e-6) + 1e-12


def best_trade(X, labels):
    """The most that any two records of different groups gain by trading places."""
    best = 0.0
    for i in range(len(X)):
        for j in range(i):
            traded = labels.copy()
            traded[[i, j]] = labels[[j, i]]
            best = max(best, sse(X, labels) - sse(X, traded))
    return best


@pytest.mark.parametrize("sort", ["normal", "ties", "clusters"])
@pytest.mark.parametrize("seed", range(4))
def test_in_one_block_no_trade_is_left(sort, seed, monkeypatch):
    X = make(sort, 24, 2, seed)
    monkeypatch.setattr("shoal.partition.mend.MOST_WORTH", 0.0)
    start = np.repeat(np.arange(6), [3, 5, 4, 4, 3, 5])
    mended = mend(X, start, block_size=24)
    assert best_trade(X, start) > 0.01
    assert best_trade(X, mended) < 1e-9


def test_the_largest_numbers_are_no_trouble():
    X = make("normal", 60, 3, 0)
    labels = np.arange(60) % 15
    for scale in (1e-150, 1e150):
        np.testing.assert_array_equal(mend(X * scale, labels, block_size=20), mend(X, labels, block_size=20))


def test_stopping_keeps_what_is_done():
    X, labels = make("normal", 60, 3, 0), np.arange(60) % 15
    seen = []
    stopped = mend(X, labels, block_size=20, callback=lambda progress: seen.append(progress) or True)
    assert len(seen) == 1
    assert sse(X, mend(X, labels, block_size=20)) < sse(X, stopped) < sse(X, labels)
