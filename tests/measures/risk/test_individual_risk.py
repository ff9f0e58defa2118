"""Individual risk against the negative binomial and the published table of the practice guide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles_measures as slow
from measures.files import guide
from shoal import InvalidInput, as_table
from shoal.measures import (
    global_risk,
    household_risks,
    individual_risk,
    individual_risks,
)


def test_individual_risks_of_the_practice_guide():
    published = [0.0054, 0.0054, 0.0251, 0.0126, 0.0282, 0.0126, 0.0290, 0.0251, 0.0074, 0.0074]
    assert individual_risks(guide(), weights="weight") == pytest.approx(np.array(published), abs=2e-4)


@pytest.mark.slow
@settings(max_examples=150)
@given(f=st.integers(1, 300), more=st.one_of(st.floats(0, 10), st.floats(0, 1e4)))
def test_expected_inverse_agrees_with_the_negative_binomial(f, more):
    weights = [(f + more) / f] * f
    table = as_table({"a": ["x"] * f, "w": weights}, roles={"quasi": "a"})
    assert individual_risks(table, weights="w")[0] == pytest.approx(
        slow.expected_inverse(f, f + more), rel=1e-6
    )


def test_risk_falls_with_weight_and_with_company():
    risks = [
        individual_risks(as_table({"a": ["x"] * f, "w": [w] * f}, roles={"quasi": "a"}), weights="w")[0]
        for f, w in [(1, 1.0), (1, 10.0), (1, 1000.0), (2, 1000.0), (50, 1000.0), (5000, 1e6)]
    ]
    assert risks == sorted(risks, reverse=True)
    assert risks[0] == 1
    assert risks[-1] > 0


def test_without_weights_the_file_is_the_population():
    table = as_table({"a": ["x", "x", "y"]}, roles={"quasi": "a"})
    assert individual_risks(table).tolist() == [0.5, 0.5, 1]
    assert global_risk(table) == 2
    assert individual_risk(table, table) == pytest.approx(200 / 3)


def test_missing_as_wildcard_lowers_the_risk():
    table = as_table({"a": ["x", None], "w": [10.0, 10.0]}, roles={"quasi": "a"})
    assert individual_risks(table, weights="w", gaps="wildcard")[0] < individual_risks(table, weights="w")[0]


def test_a_household_is_as_safe_as_its_members_together():
    table = as_table(
        {"home": [1, 1, 2, 2, None, None], "a": ["x", "y", "x", "y", "z", "z"]}, roles={"quasi": "a"}
    )
    assert household_risks(table, household="home") == pytest.approx([0.75] * 4 + [0.5] * 2)
    alone = as_table({"home": [1, 1], "a": ["x", "y"]}, roles={"quasi": "a"})
    assert household_risks(alone, household="home").tolist() == [1, 1]


@pytest.mark.parametrize("weights", [[1.0, 0.0], [1.0, None], [-1.0, 2.0], [1.0, float("inf")]])
def test_weights_must_be_positive_numbers(weights):
    table = as_table({"a": ["x", "y"], "w": weights}, roles={"quasi": "a"})
    with pytest.raises(InvalidInput, match=r"'w'.*row"):
        individual_risks(table, weights="w")
