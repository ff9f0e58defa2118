"""Eigenvalue loss: by hand on correlated columns, and its ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import NotApplicable, as_table
from shoal.measures import eigen_loss


def tables(*matrices):
    return [as_table({f"c{j}": column for j, column in enumerate(M.T)}) for M in matrices]


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.integers(3, 40), st.integers(1, 5), st.floats(0, 5))
def test_it_is_the_difference_of_the_spectra(seed, n, d, noise):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 1e3
    Y = X + noise * rng.normal(size=(n, d))
    scale = X.std(axis=0, ddof=1)
    before, after = (
        np.sort(np.linalg.svd((M - M.mean(axis=0)) / scale, compute_uv=False) ** 2)[::-1] for M in (X, Y)
    )
    expected = 100 * np.abs(before - after).sum() / (before.sum() + after.sum())
    assert eigen_loss(*tables(X, Y)) == pytest.approx(expected, abs=1e-6)


def test_a_turned_file_has_the_same_spectrum():
    X = np.random.default_rng(1).normal(size=(50, 2))
    X /= X.std(axis=0, ddof=1)
    assert eigen_loss(*tables(X, X[:, ::-1])) == pytest.approx(0, abs=1e-9)
    assert eigen_loss(*tables(X, np.zeros_like(X))) == pytest.approx(100)


def test_constants_alone_have_nothing_to_say():
    with pytest.raises(NotApplicable):
        eigen_loss(*tables(np.ones((5, 2)), np.ones((5, 2))))
