"""The engines of MDAV, one by one, on the edges: the groups of the plain version, to the last tie."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal.partition.mdav  # noqa: F401
from shoal._kernels.mdav import mdav_scan, mdav_tree
from shoal._kernels.mdav.choose_engine import mdav_groups

plain = sys.modules["shoal.partition.mdav"]._plain_pairs

ENGINES = pytest.mark.parametrize("engine", ["tree", "scan", "any", "given up"])
EDGES = {
    "two records": np.array([[0.0, 1.0], [1.0, 0.0]]),
    "all equal": np.full((50, 3), 7.0),
    "one column": np.random.default_rng(0).normal(size=(300, 1)),
    "one column, equal": np.zeros((40, 1)),
    "duplicates": np.repeat(np.random.default_rng(1).normal(size=(40, 2)), 5, axis=0),
    "one far away": np.vstack([np.zeros((60, 2)), [[1e6, -1e6]]]),
    "huge offset": np.random.default_rng(2).integers(0, 9, size=(200, 3)) + 2.0**40,
    "constant column": np.column_stack([np.arange(120.0) % 11, np.full(120, -3.0)]),
    "hardly different": np.vstack([1e-17 * np.arange(300.0)[::-1, None], [[1.0]]]),
    "signed zeros": np.array([[0.0], [-0.0]] * 30),
    "on a line": np.outer(np.arange(200.0), [1.0, 2.0, -1.0]),
    "just a leaf": np.random.default_rng(3).normal(size=(128, 2)),
    "a leaf and one": np.random.default_rng(3).normal(size=(129, 2)),
    "just a branch": np.random.default_rng(4).integers(0, 50, size=(128 * 32, 2)).astype(float),
    "a branch and one": np.random.default_rng(4).integers(0, 50, size=(128 * 32 + 1, 2)).astype(float),
}


def check(engine, X, k, stop):
    """The same labels, and the same sum left over to the last bit, as numpy finds."""
    X = np.ascontiguousarray(X, dtype=float)
    total = X.sum(axis=0)
    with pytest.MonkeyPatch.context() as patch:
        if engine == "given up":
            patch.setattr(mdav_tree, "TRIAL_ROUNDS", 1)
            patch.setattr(mdav_tree, "OUT_OF_ORDER", 1e9)
            patch.setattr(mdav_scan, "useful_threads", lambda numbers: 2)
        before = X.copy()
        labels, left = mdav_groups(X, k, stop, total, "any" if engine == "given up" else engine)
    expected, expected_left = plain(X, k, stop, total)
    np.testing.assert_array_equal(labels, expected)
    np.testing.assert_array_equal(left, expected_left)
    np.testing.assert_array_equal(X, before)


@pytest.mark.slow
@ENGINES
@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("k", [2, 3, 40])
def test_edges(engine, name, k):
    k = k if len(EDGES[name]) < 4000 else 40 * k
    check(engine, EDGES[name], k, 3 * k)


@ENGINES
@pytest.mark.parametrize("n", [5, 64])
def test_k_is_n(engine, n):
    X = np.random.default_rng(n).normal(size=(n, 2))
    check(engine, X, n, 3 * n)
    check(engine, X, n // 2, n // 2 * 2)  # one round, and nobody is left, or one


@ENGINES
@settings(max_examples=120)
@given(st.integers(2, 120), st.integers(1, 5), st.integers(1, 6), st.integers(2, 12), st.integers(0, 10**6))
def test_whole_numbers_with_ties_and_every_remainder(engine, n, d, values, k, seed):
    X = np.random.default_rng(seed).integers(0, values, size=(n, d)).astype(float)
    X[:, 0] *= seed % 2  # sometimes a constant column
    check(engine, X, k, (2 + seed % 2) * k)


@ENGINES
@settings(max_examples=40)
@given(st.integers(130, 700), st.integers(1, 12), st.integers(2, 9), st.integers(0, 10**6))
def test_several_leaves(engine, n, d, k, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    copies = rng.integers(n, size=n // 3)
    X[rng.integers(n, size=n // 3)] = X[copies]
    check(engine, X, k, 3 * k)


@pytest.mark.slow
@ENGINES
@settings(max_examples=400)
@given(st.integers(2, 150), st.sampled_from([1e-17, 1e-9, 0.5]), st.integers(2, 9), st.integers(0, 10**6))
def test_one_column_of_values_that_nearly_tie(engine, n, step, k, seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 0.0, 0.5], size=(n, 1)) + step * rng.integers(0, 9, size=(n, 1))
    check(engine, X, k, (2 + seed % 2) * k)
