from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput
from shoal.masking.pram.matrices import (
    check_transitions,
    estimate_frequencies,
    frequency_matrix,
    invariant_matrix,
    inverse_frequency_matrix,
)

FREQUENCIES = st.lists(st.integers(0, 1000), min_size=1, max_size=12).filter(lambda t: sum(t) > 0)
SHARES = st.floats(0, 1)


@settings(max_examples=200)
@given(FREQUENCIES, SHARES)
def test_every_builder_gives_a_stochastic_matrix(frequencies, share):
    for P in (
        frequency_matrix(frequencies, p=share),
        inverse_frequency_matrix(frequencies, theta=share),
        invariant_matrix(frequencies, p=share),
    ):
        check_transitions(P, len(frequencies))
        assert np.abs(P.sum(axis=1) - 1).max() < 1e-12


@pytest.mark.slow
@settings(max_examples=200)
@given(FREQUENCIES, SHARES)
def test_invariant_frequencies_stay_and_the_diagonal_is_controlled(frequencies, p):
    t = np.array(frequencies) / sum(frequencies)
    P = invariant_matrix(frequencies, p=p)
    assert np.abs(t @ P - t).max() < 1e-12
    assert P.diagonal().min() >= p - 1e-12
    assert (P[t > 0][:, t == 0] == 0).all(), "nobody gets a category that nobody has"


def test_the_smallest_diagonal_entry_of_an_invariant_matrix_is_p():
    assert invariant_matrix([700, 200, 90, 10], p=0.6).diagonal().min() == pytest.approx(0.6)


def test_the_formula_of_the_first_builder():
    T, p = np.array([10.0, 25.0, 5.0, 60.0]), 0.7
    P = frequency_matrix(T, p=p)
    for k in range(4):
        for other in range(4):
            expected = p if k == other else (1 - p) * (T.sum() - T[k] - T[other]) / (2 * (T.sum() - T[k]))
            assert P[k, other] == pytest.approx(expected)


def test_the_formula_of_the_second_builder():
    T, theta = np.array([10.0, 25.0, 5.0, 60.0]), 0.4
    P = inverse_frequency_matrix(T, theta=theta)
    for k in range(4):
        stay = 1 - theta * 5 / T[k]
        assert P[k, k] == pytest.approx(stay)
        assert np.delete(P[k], k) == pytest.approx((1 - stay) / 3)


def test_one_two_and_lonely_categories():
    assert frequency_matrix([7], p=0.2).tolist() == [[1.0]]
    assert invariant_matrix([7], p=0.2).tolist() == [[1.0]]
    assert frequency_matrix([7, 3], p=0.2) == pytest.approx(np.array([[0.2, 0.8], [0.8, 0.2]]))
    P = frequency_matrix([7, 0, 0], p=0.2)  # all the others are equally rare
    assert P[0].tolist() == pytest.approx([0.2, 0.4, 0.4])


@settings(max_examples=100)
@given(st.lists(st.integers(1, 1000), min_size=1, max_size=8), st.floats(0.6, 1))
def test_expected_frequencies_are_estimated_back(frequencies, p):
    P = frequency_matrix(frequencies, p=p)
    assert estimate_frequencies(np.array(frequencies) @ P, P) == pytest.approx(np.array(frequencies, float))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: frequency_matrix([1, 2], p=1.2), "`p` must be a number from 0 to 1"),
        (lambda: invariant_matrix([1, 2], p=-1), "`p` must be a number from 0 to 1"),
        (lambda: inverse_frequency_matrix([1, 2], theta=2), "`theta` must be a number from 0 to 1"),
        (lambda: frequency_matrix([0, 0], p=0.5), "at least one of them above 0"),
        (lambda: frequency_matrix([3, -1], p=0.5), "one count per category"),
        (lambda: estimate_frequencies([1, 1], [[0.5, 0.5], [0.5, 0.5]]), "no inverse"),
        (lambda: check_transitions([[0.5, 0.6], [0, 1]], 2), "Row 0 of the matrix .* got a sum of 1.1"),
        (lambda: check_transitions([[1, 0], [-0.5, 1.5]], 2), "Row 1 of the matrix"),
        (lambda: check_transitions([[1, np.nan], [0, 1]], 2), "Row 0 of the matrix"),
        (lambda: check_transitions([[1.0]], 2), "2 rows and columns"),
        (lambda: check_transitions([["a"]], 1), "made of numbers"),
    ],
)
def test_mistakes_are_one_sentence(call, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        call()
