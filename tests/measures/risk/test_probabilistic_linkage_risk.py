"""Probabilistic linkage against all pairs, and its weights against a slow step of EM."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles_measures as slow
from measures.files import files
from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import linkage_weights, probabilistic_linkage_risk
from shoal.measures.risk.probabilistic_linkage_risk import agreement_patterns, fit_weights

TIES = ("expected", "strict", "optimistic")


@pytest.mark.slow
@settings(max_examples=100)
@given(pair=files(most=12, columns=3))
def test_probabilistic_linkage_agrees_with_all_pairs(pair):
    A, B = slow.agreement_rows(*pair)
    weight = linkage_weights(*pair)["weight"].to_list()
    for ties in TIES:
        expected = slow.linked(slow.weighed_distances(A, B, weight), ties)
        assert probabilistic_linkage_risk(*pair, ties=ties) == pytest.approx(expected)


@pytest.mark.slow
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), n=st.integers(30, 60), d=st.integers(3, 5), keep=st.floats(0.7, 0.95))
def test_probabilities_are_a_fixed_point_of_expectation_and_maximisation(seed, n, d, keep):
    rng = np.random.default_rng(seed)
    A = rng.integers(0, 6, (n, d))
    B = np.where(rng.random((n, d)) < keep, A, rng.integers(0, 6, (n, d)))
    fit = fit_weights(A, B)
    m, u = slow.em_step(A.tolist(), B.tolist(), fit.m, fit.u)
    assert fit.m == pytest.approx(np.array(m), abs=1e-4)
    assert fit.u == pytest.approx(np.array(u), abs=1e-4)
    expected = np.log(fit.m / fit.u) - np.log((1 - fit.m) / (1 - fit.u))
    assert fit.weight == pytest.approx(np.where(expected > 1e-6, expected, 0.0))


@pytest.mark.slow
@settings(max_examples=100)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 60),
    d=st.integers(1, 7),
    count=st.integers(1, 9),
    keep=st.floats(0, 1),
)
def test_agreement_patterns_are_those_of_all_pairs(seed, n, d, count, keep):
    rng = np.random.default_rng(seed)
    A = rng.integers(0, count, (n, d))
    B = np.where(rng.random((n, d)) < keep, A, rng.integers(0, count, (n, d)))
    expected = slow.agreement_patterns(A.tolist(), B.tolist())
    found = agreement_patterns(A, B)  # pair by pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[agreement_patterns.__module__], "COMPARED", -1)
        np.testing.assert_array_equal(agreement_patterns(A, B), found)  # by joins
    assert found.sum() == n * n
    for pattern, pairs in enumerate(found.tolist()):
        assert pairs == expected[tuple(pattern >> j & 1 for j in range(d))]


def test_weights_find_the_truth_of_a_known_model():
    rng = np.random.default_rng(3)
    n, m = 2000, np.array([0.95, 0.8, 0.9, 0.7])
    A = rng.integers(0, 20, (n, 4))
    B = np.where(rng.random((n, 4)) < m, A, rng.integers(0, 20, (n, 4)))
    fit = fit_weights(A, B)
    assert fit.m == pytest.approx(m + (1 - m) / 20, abs=0.03)
    assert fit.u == pytest.approx(1 / 20, abs=0.01)
    assert (fit.weight > 0).all()


def test_weights_are_shown_per_column():
    table = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "b", "a", "b"]})
    assert linkage_weights(table, table).columns == ["column", "m", "u", "weight"]


def test_too_many_columns_to_weigh_is_said():
    table = as_table({f"c{j}": ["x", "y"] for j in range(21)})
    with pytest.raises(NotApplicable, match="21 columns"):
        probabilistic_linkage_risk(table, table)


@pytest.mark.parametrize("bins", [1, 0, 2.5, True])
def test_wrong_bins_are_refused(bins):
    table = as_table({"a": [1.0, 2.0]})
    with pytest.raises(InvalidInput, match="bins"):
        probabilistic_linkage_risk(table, table, bins=bins)
