"""Groups made in blocks are searched across the cuts: k to 2k-1 records each, never a worse file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.partition import local_search, sizes, sse
from shoal.partition._blocks.cut_blocks import labels_of
from shoal.partition._blocks.mend import mend
from small_files import SORTS, make, unit


def random_groups(n, k, rng):
    """Rows group by group, of k records or more, some far too large, and their sizes."""
    return rng.permutation(n).astype(np.int32), rng.multinomial(n % k, np.ones(n // k) / (n // k)) + k


def mended(X, rows, size, k, **options):
    """Labels after mending."""
    rows = rows.copy()
    size = mend(X, rows, size, k, **options)
    np.testing.assert_array_equal(np.sort(rows), np.arange(len(X)))
    return labels_of(rows, size)


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.sampled_from(SORTS),
    st.integers(2, 80),
    st.integers(1, 5),
    st.integers(2, 9),
    st.integers(1, 80),
    st.integers(0, 10**6),
)
def test_groups_keep_k_and_the_sum_of_squares_never_rises(sort, n, d, k, together, seed):
    k = min(k, n)
    X, groups = make(sort, n, d, seed), random_groups(n, k, np.random.default_rng(seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.partition._blocks.mend.BLOCK_RECORDS", together)
        labels = mended(X, *groups, k)
    assert k <= sizes(labels).min()
    assert sizes(labels).max() < 2 * k
    assert sse(unit(X), labels) <= sse(unit(X), labels_of(*groups)) * (1 + 1e-6) + 1e-12


def test_one_block_is_one_local_search():
    X, groups = make("normal", 60, 3, 0), (np.arange(60, dtype=np.int32), np.full(20, 3))
    expected = local_search(X, 3, start=labels_of(*groups))
    np.testing.assert_array_equal(mended(X, *groups, 3), expected)


@pytest.mark.slow
def test_blocks_are_cut_elsewhere_in_the_second_round(monkeypatch):
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(600, 2)), random_groups(600, 5, rng)
    monkeypatch.setattr("shoal.partition._blocks.mend.BLOCK_RECORDS", 100)
    losses = []
    for rounds in (1, 2, 3):
        monkeypatch.setattr("shoal.partition._blocks.mend.ROUNDS", rounds)
        losses.append(sse(X, mended(X, *groups, 5)))
    assert losses[0] > 1.05 * losses[1]
    assert losses[1] > losses[2]


def test_the_largest_numbers_are_no_trouble(monkeypatch):
    monkeypatch.setattr("shoal.partition._blocks.mend.BLOCK_RECORDS", 20)
    X, groups = make("normal", 60, 3, 0), random_groups(60, 4, np.random.default_rng(0))
    expected = mended(X, *groups, 4)
    for scale in (2.0**-500, 2.0**1021):
        np.testing.assert_array_equal(mended(X * scale, *groups, 4), expected)


@pytest.mark.parametrize("after", [1, 2, 5])
def test_stopping_keeps_what_is_done(after, monkeypatch):
    monkeypatch.setattr("shoal.partition._blocks.mend.BLOCK_RECORDS", 20)
    X, groups = make("normal", 60, 3, 0), (np.random.default_rng(0).permutation(60), np.full(15, 4))
    seen = []

    def stop(progress):
        seen.append(progress.fraction)
        return len(seen) == after

    stopped = mended(X, *groups, 4, callback=stop)
    assert len(seen) == after
    assert seen == sorted(seen)
    assert sizes(stopped).min() >= 4
    assert sse(X, mended(X, *groups, 4)) < sse(X, stopped) < sse(X, labels_of(*groups))
