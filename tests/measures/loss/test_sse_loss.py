"""Sum-of-squares loss against the sum of squares of a partition, and its ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import as_table, microaggregate
from shoal.encode import encode
from shoal.measures import sse_loss
from shoal.partition import mdav, sse


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(6, 60), st.integers(1, 4), st.integers(2, 3))
def test_of_group_means_it_is_the_loss_of_the_partition(seed, n, d, k):
    X = np.random.default_rng(seed).normal(size=(n, d)) * 10.0 ** np.arange(d)
    names = [f"c{j}" for j in range(d)]
    table = as_table(dict(zip(names, X.T, strict=True)), roles={"quasi": names})
    masked = microaggregate(table, k=k, partition=mdav)
    Z = encode(table)
    expected = 100 * sse(Z, mdav(Z, k)) / sse(Z, np.zeros(n, dtype=int))
    assert sse_loss(table, masked) == pytest.approx(expected, rel=1e-9)


def test_nothing_changed_and_everything_at_the_mean():
    table = as_table({"a": [1.0, 2.0, 6.0]})
    assert sse_loss(table, table) == 0
    assert sse_loss(table, as_table({"a": [3.0, 3.0, 3.0]})) == pytest.approx(100)
