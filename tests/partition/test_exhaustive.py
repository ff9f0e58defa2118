"""Exhaustive search against a list of all partitions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import oracles
from shoal.errors import NotApplicable
from shoal.partition import mdav, sizes, sse
from shoal.partition.exhaustive import exhaustive


def all_partitions(rows, k):
    """Every partition into groups of at least k, whatever their size."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for count in range(k - 1, len(rest) + 1):
        for others in combinations(rest, count):
            left = [row for row in rest if row not in others]
            yield from ([[first, *others], *groups] for groups in all_partitions(left, k))


def least_sse(X, k):
    def labels_of(groups):
        labels = np.empty(len(X), dtype=int)
        for g, rows in enumerate(groups):
            labels[rows] = g
        return labels

    return min(oracles.sse(X, labels_of(groups)) for groups in all_partitions(list(range(len(X))), k))


files = st.tuples(st.integers(2, 8), st.integers(1, 3)).flatmap(
    lambda shape: st.one_of(
        arrays(float, shape, elements=st.integers(-2, 2).map(float)),  # ties and duplicates
        arrays(float, shape, elements=st.floats(-1e3, 1e3)),
    )
)


@settings(max_examples=150)
@given(files, st.integers(2, 4))
def test_nothing_is_better(X, k):
    k = min(k, len(X))
    labels = exhaustive(X, k)
    assert sizes(labels).min() >= k
    assert sizes(labels).max() < 2 * k
    assert sse(X, labels) == pytest.approx(least_sse(X, k), rel=1e-9, abs=1e-9)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(9, 14), st.integers(2, 5))
def test_never_worse_than_mdav_and_row_order_does_not_matter(seed, n, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    loss = sse(X, exhaustive(X, k))
    assert loss <= sse(X, mdav(X, k)) * (1 + 1e-12)
    order = rng.permutation(n)
    assert sse(X[order], exhaustive(X[order], k)) == pytest.approx(loss)


def test_groups_of_variable_size_are_found():
    middles = np.repeat([0.0, 10.0, 20.0], [3, 4, 5])
    X = (middles + np.random.default_rng(1).uniform(-1, 1, 12))[:, None]
    np.testing.assert_array_equal(exhaustive(X, 3), np.repeat([0, 1, 2], [3, 4, 5]))


@pytest.mark.slow
def test_twenty_records_are_possible():
    X = np.random.default_rng(1).normal(size=(20, 3))
    assert sse(X, exhaustive(X, 3)) < sse(X, mdav(X, 3))


def test_a_large_file_is_refused_in_one_sentence():
    with pytest.raises(NotApplicable, match="at most 20 records, got 21; use two_step instead"):
        exhaustive(np.ones((21, 1)), 3)


def test_a_single_group_needs_no_search():
    np.testing.assert_array_equal(exhaustive(np.ones((59, 1)), 30), np.zeros(59))
