"""SUDA and individual risk against slow, obvious versions and published tables."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles_measures as slow
from measures.files import MANY, files
from shoal import InvalidInput, as_table
from shoal.measures import (
    global_risk,
    household_risks,
    individual_risk,
    record_risks,
    sample_uniques,
    suda2,
    suda_scores,
)

KEYS = ["residence", "gender", "education", "labour"]
# the ten respondents of the SDC practice guide (Benschop, Machingauta, Welch), tables 4.1 and 4.5
GUIDE = {
    "residence": ["u", "u", "u", "u", "r", "u", "u", "u", "u", "u"],
    "gender": ["f", "f", "f", "m", "f", "m", "f", "m", "f", "f"],
    "education": ["si", "si", "pi", "sc", "sc", "sc", "pc", "ps", "si", "si"],
    "labour": ["e", "e", "n", "e", "un", "e", "n", "un", "n", "n"],
    "weight": [180.0, 180.0, 215.0, 76.0, 186.0, 76.0, 180.0, 215.0, 186.0, 76.0],
}


def guide():
    return as_table(GUIDE, roles={"quasi": KEYS})


def test_scores_of_the_practice_guide():
    scores = suda_scores(guide(), max_size=3)
    assert scores["score"].to_list() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert scores["msus"][4] == 4
    assert scores["smallest"].to_list() == [0, 0, 1, 0, 1, 0, 1, 1, 0, 0]
    assert sample_uniques(guide()).tolist() == [2, 4, 6, 7]
    assert suda2(guide(), guide()) == 40


def test_individual_risks_of_the_practice_guide():
    published = [0.0054, 0.0054, 0.0251, 0.0126, 0.0282, 0.0126, 0.0290, 0.0251, 0.0074, 0.0074]
    assert record_risks(guide(), weights="weight") == pytest.approx(np.array(published), abs=2e-4)


def test_dis_scores_spread_the_risk_of_the_file():
    """Skinner and Elliot: 0.01 * 4 / (0.01 * 4 + 0.99 * 6) on average over the four uniques."""
    scores = suda_scores(guide(), fraction=0.01)
    theta = 0.04 / (0.04 + 0.99 * 6)
    assert scores["dis"].sum() / 4 == pytest.approx(theta)
    assert scores["dis"][4] == pytest.approx(2 * scores["dis"][2])


@MANY
@given(pair=files(kinds=("ordinal", "nominal"), most=12, columns=4), size=st.integers(1, 5))
def test_minimal_uniques_agree_with_the_slow_version(pair, size):
    original, masked = pair
    d = len(masked.names())
    found = slow.minimal_uniques(masked, masked.names(), min(size, d))
    scores = suda_scores(masked, max_size=size)
    assert scores["msus"].to_list() == [len(found[row]) for row in range(len(masked))]
    assert scores["smallest"].to_list() == [
        min((len(s) for s in found[row]), default=0) for row in range(len(masked))
    ]
    last = min(size, d - 1)
    expected = [
        sum(prod(d - i for i in range(len(s), last + 1)) for s in found[row]) for row in range(len(masked))
    ]
    assert scores["score"].to_list() == expected
    assert suda2(original, masked, max_size=size) == pytest.approx(
        100 * np.mean([bool(s) for s in found.values()])
    )


@settings(max_examples=150)
@given(f=st.integers(1, 300), more=st.one_of(st.floats(0, 10), st.floats(0, 1e4)))
def test_expected_inverse_agrees_with_the_negative_binomial(f, more):
    weights = [(f + more) / f] * f
    table = as_table({"a": ["x"] * f, "w": weights}, roles={"quasi": "a"})
    assert record_risks(table, weights="w")[0] == pytest.approx(slow.expected_inverse(f, f + more), rel=1e-6)


def test_risk_falls_with_weight_and_with_company():
    risks = [
        record_risks(as_table({"a": ["x"] * f, "w": [w] * f}, roles={"quasi": "a"}), weights="w")[0]
        for f, w in [(1, 1.0), (1, 10.0), (1, 1000.0), (2, 1000.0), (50, 1000.0), (5000, 1e6)]
    ]
    assert risks == sorted(risks, reverse=True)
    assert risks[0] == 1
    assert risks[-1] > 0


def test_without_weights_the_file_is_the_population():
    table = as_table({"a": ["x", "x", "y"]}, roles={"quasi": "a"})
    assert record_risks(table).tolist() == [0.5, 0.5, 1]
    assert global_risk(table) == 2
    assert individual_risk(table, table) == pytest.approx(200 / 3)


def test_missing_as_wildcard_lowers_the_risk():
    table = as_table({"a": ["x", None], "w": [10.0, 10.0]}, roles={"quasi": "a"})
    assert record_risks(table, weights="w", missing="wildcard")[0] < record_risks(table, weights="w")[0]


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
        record_risks(table, weights="w")


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_sizes_must_be_whole(size):
    with pytest.raises(InvalidInput, match="max_size"):
        suda_scores(guide(), max_size=size)
