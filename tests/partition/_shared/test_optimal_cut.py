from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from shoal._kernels.sequences.optimal_cuts import best_cuts, best_value_cuts
from shoal.partition import sizes
from shoal.partition._shared.optimal_cut import ascending, optimal_cut
from small_files import make, small_files, unit


def all_cuts(n, k):
    """Every way to write n as a sum of sizes k..2k-1, in order."""
    if n == 0:
        yield []
    for size in range(k, min(2 * k - 1, n) + 1):
        for rest in all_cuts(n - size, k):
            yield [size, *rest]


@settings(max_examples=150)
@given(small_files(most=13), st.integers(0, 10**6))
def test_no_other_cuts_lose_less(file, seed):
    X, k = file
    X = unit(X)
    order = np.random.default_rng(seed).permutation(len(X))
    labels = optimal_cut(X, k, order)
    losses = [oracles.sse(X[order], np.repeat(np.arange(len(c)), c)) for c in all_cuts(len(X), k)]
    np.testing.assert_allclose(oracles.sse(X, labels), min(losses), rtol=1e-9, atol=1e-15)


@settings(max_examples=150)
@given(small_files())
def test_groups_are_neighbours_in_the_order(file):
    X, k = file
    order = np.random.default_rng(len(X)).permutation(len(X))
    labels = optimal_cut(unit(X), k, order)
    assert np.count_nonzero(np.diff(labels[order])) == labels.max()
    assert list(dict.fromkeys(labels.tolist())) == list(range(labels.max() + 1))


@settings(max_examples=150)
@given(st.integers(2, 60), st.integers(2, 9), st.integers(0, 10**6))
def test_one_column_is_cut_like_several(n, k, seed):
    y = make("normal", n, 1, seed)
    np.testing.assert_array_equal(best_value_cuts(y[:, 0], k), best_cuts(np.hstack([y, 0 * y]), k))


def test_values_of_very_different_size_do_not_drown_each_other():
    """Sums from the beginning of the file would lose the small values behind the large ones."""
    far = np.repeat(np.arange(1, 51), 2)[:, None] * 1e8 + np.tile([0.0, 1.0], 50)[:, None]
    near = np.array([[0.0], [1e-6], [5e-6], [6e-6], [7e-6]])
    X = np.vstack([far[::-1], near])
    labels = optimal_cut(X, 2, np.arange(len(X)))
    np.testing.assert_array_equal(labels[-5:] - labels[-5], [0, 0, 1, 1, 1])
    np.testing.assert_array_equal(sizes(labels)[:50], np.full(50, 2))


@settings(max_examples=200)
@given(small_files(columns=1))
def test_ascending_is_a_stable_sort(file):
    values = file[0][:, 0]
    np.testing.assert_array_equal(ascending(values), np.argsort(values, kind="stable"))


def test_the_list_of_all_cuts_is_complete():
    for n, k in product(range(2, 12), (2, 3)):
        assert all(sum(c) == n and k <= min(c) and max(c) <= 2 * k - 1 for c in all_cuts(n, k))
    assert len(list(all_cuts(7, 2))) == 3  # 2+2+3 in three orders
