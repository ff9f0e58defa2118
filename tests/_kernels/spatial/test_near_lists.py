"""Lists of near records, against measuring everyone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal._kernels.spatial import near_lists as near
from shoal._kernels.spatial.near_lists import groups_known, near_records
from shoal._kernels.spatial.spatial_order import LEAF, spatial_order
from small_files import SORTS, make


def in_order(X):
    rows = np.arange(len(X), dtype=np.int32)
    spatial_order(X, rows, np.empty(len(rows)))
    return np.ascontiguousarray(X[rows])


def squares_to_others(X):
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    return squares


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.sampled_from([sort for sort in SORTS if sort != "heavy"]),
    st.integers(2, 400),
    st.integers(1, 12),
    st.integers(0, 10**6),
)
def test_all_leaves_read_are_exact_lists(sort, n, d, seed):
    X = make(sort, n, d, seed)
    X = in_order(X - X.mean(axis=0))
    count, leaves = 1 + seed % min(n - 1, 40), -(-n // LEAF)
    first = 1 + seed % count
    lists, sums = near_records(X, count, leaves, leaves, first)
    squares = squares_to_others(X)
    found, true = np.take_along_axis(squares, lists, axis=1), np.sort(squares, axis=1)[:, :count]
    rounding = 1e-5 * squares[np.isfinite(squares)].max()
    np.testing.assert_allclose(found, true, rtol=1e-4, atol=rounding)
    np.testing.assert_allclose(sums, true[:, :first].sum(axis=1), rtol=1e-4, atol=first * rounding)
    assert all(len(set(line)) == count for line in lists)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([sort for sort in SORTS if sort != "heavy"]),
    st.integers(2, 900),
    st.integers(1, 12),
    st.integers(0, 10**6),
)
def test_small_files_give_the_same_lists_without_compiling(sort, n, d, seed):
    """To the last tie: `local_search` must not depend on what happens to be compiled."""
    X = make(sort, n, d, seed)
    X = in_order(X - X.mean(axis=0))
    count, leaves = 1 + seed % min(n - 1, 40), -(-n // LEAF)
    first = 1 + seed % count
    boxes = near._leaves(X)
    found, sums = np.empty((n, count), np.int32), np.empty(n)
    near._near_by_numpy(X, boxes, first, found, sums)
    true, true_sums = np.empty((n, count), np.int32), np.empty(n)
    near._near_records(X, boxes, first, true, true_sums, near._workspace(d, count, leaves, leaves), 0, leaves)
    np.testing.assert_array_equal(found, true)
    np.testing.assert_array_equal(sums, true_sums)


def test_close_records_far_from_the_origin_are_told_apart():
    """Single precision would not see the difference of 1e-6 between records at 1000."""
    rng = np.random.default_rng(0)
    X = in_order(np.vstack([rng.normal(size=(4 * LEAF, 2)), 1000 + 1e-6 * rng.normal(size=(LEAF, 2))]))
    lists, _ = near_records(X, 5, 8, 8, 1)
    together = np.flatnonzero(X[:, 0] > 500)
    squares = squares_to_others(X)[together]
    true = np.argsort(squares, axis=1)[:, :5]
    shared = [len(set(one) & set(other)) for one, other in zip(lists[together], true, strict=True)]
    assert np.mean(shared) > 4.9


@pytest.mark.slow
def test_most_near_records_are_found_among_many_leaves():
    X = in_order(np.random.default_rng(1).normal(size=(6_000, 10)))
    lists, _ = near_records(X, 8, 48, 8, 2)
    some = np.arange(0, 6_000, 40)
    squares = ((X[some][:, None] - X) ** 2).sum(axis=2)
    true = np.argsort(squares, axis=1)[:, 1:9]
    assert (
        np.mean([len(set(one) & set(other)) / 8 for one, other in zip(lists[some], true, strict=True)]) > 0.7
    )


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_change_nothing(monkeypatch, threads):
    X = in_order(make("ties", 1000, 3, 0))
    alone = near_records(X, 5, 4, 2, 3)
    monkeypatch.setattr(near, "useful_threads", lambda numbers: threads)
    for one, other in zip(alone, near_records(X, 5, 4, 2, 3), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("k", [2, 5, 30])
def test_groups_known_by_the_first_near_records(k):
    rng = np.random.default_rng(k)
    lists, labels = rng.integers(0, 300, (300, 6)).astype(np.int32), rng.permutation(np.arange(300) // k)
    some = np.flatnonzero(labels % 3 == 0)
    some = some[np.argsort(labels[some])]
    expected = [
        len({(labels[i], labels[j]) for i in some for j in lists[i, :count] if labels[i] != labels[j]})
        for count in range(1, 7)
    ]
    np.testing.assert_array_equal(groups_known(lists, labels, some), expected)


def test_other_threads_are_left_a_processor(monkeypatch):
    X, seen = in_order(make("normal", 1000, 3, 0)), []
    monkeypatch.setattr(near, "useful_threads", lambda numbers: 2)
    monkeypatch.setattr(
        near, "_workspace", lambda *shape, make=near._workspace: seen.append(1) or make(*shape)
    )
    alone = near_records(X, 5, 4, 2, 3, busy=1)
    assert len(seen) == 1
    for one, other in zip(alone, near_records(X, 5, 4, 2, 3), strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(seen) == 3
