"""What analysts estimate after PRAM, held against many draws."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput
from shoal.masking import estimate_crosstab, estimate_frequencies, frequency_errors, frequency_matrix


@pytest.mark.parametrize("frequencies", [[600, 300, 100], [50, 50], [900, 60, 30, 10]])
def test_standard_errors_are_the_spread_of_many_draws(frequencies):
    P = frequency_matrix(frequencies, p=0.8)
    rng = np.random.default_rng(1)
    draws = sum(rng.multinomial(count, row, size=4000) for count, row in zip(frequencies, P, strict=True))
    estimates = np.array([estimate_frequencies(row, P) for row in draws])
    errors = np.array([frequency_errors(row, P) for row in draws[:300]])
    assert estimates.mean(axis=0) == pytest.approx(
        frequencies, abs=4 * estimates.std(axis=0).max() / np.sqrt(4000)
    )
    assert errors.mean(axis=0) == pytest.approx(estimates.std(axis=0), rel=0.06)
    within = np.abs(estimates[:300] - frequencies) <= 2 * errors
    assert 0.9 < within.mean() < 0.99


def test_nothing_moved_nothing_is_uncertain():
    assert frequency_errors([5, 3], np.eye(2)) == pytest.approx([0, 0])


def test_a_table_of_two_columns_is_estimated_back():
    rng = np.random.default_rng(3)
    truth = rng.integers(20, 90, (3, 2, 4)).astype(float)
    A, B = frequency_matrix([5, 3, 2], p=0.7), frequency_matrix([1, 2, 3, 4], p=0.9)
    released = np.einsum("abc,ax,cz->xbz", truth, A, B)
    assert estimate_crosstab(released, [A, None, B]) == pytest.approx(truth)
    assert estimate_crosstab(released, [None, None, None]) == pytest.approx(released)


def test_a_matrix_too_few_is_one_sentence():
    with pytest.raises(InvalidInput, match="2 axes, got 1 matrices"):
        estimate_crosstab([[1, 2], [3, 4]], [None])
