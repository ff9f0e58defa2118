"""The segment tree: the lowest row of a stretch, and the next place, while rows leave."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from shoal._kernels.mdav.lowest_row import build, lowest, next_place, remove
from shoal._kernels.spatial.record_tree import NO_RECORD


@njit
def ask(tree, begin, end):
    return lowest(tree, begin, end), next_place(tree, begin, 1), next_place(tree, end, -1)


@njit
def take(tree, row):
    remove(tree, row)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.sampled_from([1, 2, 15, 16, 17, 255, 256, 257, 300, 4097]), st.integers(0, 10**6))
def test_as_looking_at_everyone(n, seed):
    rng = np.random.default_rng(seed)
    order, places = rng.permutation(n).astype(np.int32), np.empty(n, np.int32)
    tree, there = build(order, places), np.ones(n, dtype=bool)
    np.testing.assert_array_equal(order[places], np.arange(n))
    for number in rng.permutation(n):
        begin, end = np.sort(rng.integers(0, n, size=2))
        row, up, down = ask(tree, begin, end)
        remaining = np.flatnonzero(there)
        inside = remaining[(remaining >= begin) & (remaining <= end)]
        assert row == (order[inside].min() if len(inside) else NO_RECORD)
        assert up == min(remaining[remaining >= begin], default=n)
        assert down == max(remaining[remaining <= end], default=-1)
        take(tree, order[number])
        there[number] = False
        if n > 1000 and rng.random() < 0.01:
            break
    assert ask(tree, n, -1) == (NO_RECORD, n, -1)
