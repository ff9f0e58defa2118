"""The outer shell: the farthest record from a moving centre, or an honest "cannot tell"."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from shoal._kernels.mdav.farthest import outer_shell, outermost
from shoal._kernels.spatial.record_tree import NO_RECORD
from small_files import make


@njit
def ask(X, places, shell, centre):
    return outermost(X, places, shell, centre)


@settings(max_examples=150)
@given(
    st.sampled_from(["normal", "ties", "duplicates", "constant", "clusters"]),
    st.integers(1, 300),
    st.integers(1, 5),
    st.integers(0, 10**6),
)
def test_it_finds_the_farthest_or_nobody(sort, n, d, seed):
    X, rng = make(sort, n, d, seed), np.random.default_rng(seed)
    places, centre, told = np.zeros(n, np.int32), X.mean(axis=0), 0
    shell = outer_shell(X, places, centre)
    while (places >= 0).any():
        left = np.flatnonzero(places >= 0)
        squares = np.zeros(len(left))
        for j in range(d):
            squares += (X[left, j] - centre[j]) ** 2
        found = ask(X, places, shell, centre)
        if found != NO_RECORD:
            assert found == left[np.argmax(squares)]
            told += 1
        places[rng.choice(left, size=min(3, len(left)), replace=False)] = -1
        centre = centre + 0.01 * rng.normal(size=d)
    assert told > 0
