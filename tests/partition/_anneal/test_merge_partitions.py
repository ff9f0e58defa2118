"""The better of two partitions in every part of a file: never worse than either, and groups stay whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.partition import mdav, projection, sizes, sse
from shoal.partition._anneal.merge_partitions import group_sse, merge_partitions


@given(st.integers(0, 10_000), st.integers(2, 5), st.booleans())
def test_at_least_as_good_as_either(seed, k, ties):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2 * k, 60))
    X = rng.integers(0, 3, (n, 2)).astype(float) if ties else rng.normal(size=(n, 2))
    one, other = mdav(X, k), projection(X, k)
    found = merge_partitions(X, one, other)
    assert sse(X, found) <= min(sse(X, one), sse(X, other)) + 1e-9
    assert sizes(found).min() >= k
    groups = {tuple(np.flatnonzero(labels == g)) for labels in (one, other) for g in range(labels.max() + 1)}
    assert {tuple(np.flatnonzero(found == g)) for g in range(found.max() + 1)} <= groups


def test_sums_of_squares_of_groups_add_up():
    X = np.random.default_rng(0).normal(size=(40, 3))
    labels = mdav(X, 3)
    assert group_sse(X, labels).sum() == pytest.approx(sse(X, labels))
