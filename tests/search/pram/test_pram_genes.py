"""Rows of a matrix as genes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.search.pram.pram_genes import cross_rows, made_invariant, mutate_row, random_genes, within_limits

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def rows_add_up(matrices):
    for P in matrices.values():
        assert (P >= 0).all()
        np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_rows_stay_stochastic_whatever_happens(seed, size):
    rng = np.random.default_rng(seed)
    t = [rng.integers(1, 50, size).astype(float), np.array([3.0, 1.0])]
    one, other = random_genes(t, rng), random_genes(t, rng)
    for _ in range(5):
        one, other = cross_rows(mutate_row(one, rng), other, rng)
    for P, counts in zip(one, t, strict=True):
        rows_add_up({"P": P, "limited": within_limits(P, 0.3, 0.7), "kept": made_invariant(P, counts, 0.2)})
        np.testing.assert_allclose(counts @ made_invariant(P, counts, 0.2), counts)
