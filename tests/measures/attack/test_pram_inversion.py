"""A matrix close to the identity gives the categories away; one that forgets them does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.attack.releases import coded, scene
from shoal import InvalidInput, NotApplicable, pram
from shoal.measures.attack.pram_inversion import estimated_shares, matrix_of, pram_inversion


def matrix(stay, names="stuv"):
    rest = (1 - stay) / (len(names) - 1)
    return {i: {j: stay if i == j else rest for j in names} for i in names}


def prammed(stay):
    table, given_ = coded(), {"a": matrix(stay)}
    return scene(table, pram(table, matrices=given_, rng=0), matrices=given_)


def test_a_matrix_close_to_the_identity_is_caught():
    found = pram_inversion(prammed(0.95))
    assert found.found
    assert found.success > 0.9
    assert found.records


def test_a_matrix_that_forgets_is_not():
    assert not pram_inversion(prammed(0.25)).found


@settings(max_examples=100)
@given(seed=st.integers(0, 10**6), size=st.integers(2, 5))
def test_shares_come_back_from_expected_counts(seed, size):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(size) * 5)
    M = 0.7 * np.eye(size) + 0.3 / size
    assert estimated_shares(M, 1e6 * shares @ M) == pytest.approx(shares, abs=2e-3)


def test_matrices_are_asked_for_and_checked():
    with pytest.raises(NotApplicable, match="matrices"):
        pram_inversion(scene(coded(), coded()))
    for wrong in ([[1.0]], {"f": 1.0}, {"f": {"f": 0.9, "m": 0.5}}, {"f": {"f": -0.1}}):
        with pytest.raises(InvalidInput, match="'a'"):
            matrix_of("a", wrong, ("f", "m"))
