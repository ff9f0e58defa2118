"""Totals summed anew after masking."""

from __future__ import annotations

import pytest

from shoal import InvalidInput, PrivacyWarning, as_table, microaggregate
from shoal.edits import check_edits
from shoal.masking import keep_edits

RULE = "total = wages + other"


def test_totals_hold_after_microaggregating_the_parts():
    columns = {"wages": [1, 2, 30, 41], "other": [5, 6, 0, 1], "total": [6, 8, 30, 42]}
    table = as_table(columns, roles={"quasi": ["wages", "other"]}, kinds={"wages": "numeric"})
    masked = microaggregate(table, k=2)
    assert check_edits(table, masked, [RULE])[0].after
    kept = keep_edits(masked, rules=[RULE])
    assert not check_edits(table, kept, [RULE])[0].after
    assert kept.frame["wages"].to_list() == masked.frame["wages"].to_list()


def test_whole_sums_stay_whole_gaps_stay_gaps_and_totals_feed_totals():
    table = as_table({"a": [1, None], "b": [2, 3], "t": [9, 9], "u": [9, 9]})
    done = keep_edits(table, rules=["t = a + b", "u = t + t"]).frame
    assert done["t"].to_list() == [3, None]
    assert done["u"].to_list() == [6, None]
    assert all(isinstance(value, int) for value in (done["t"][0], done["u"][0]))


def test_a_quasi_identifier_summed_anew_is_said():
    table = as_table({"a": [1], "b": [2], "t": [9]}, roles={"quasi": "t"})
    with pytest.warns(PrivacyWarning, match="'t' is a quasi-identifier and was summed anew"):
        keep_edits(table, rules="t = a + b")


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [("a > 1", "has no total to sum anew"), ("x = a + b", "is not numeric"), ("t = a + c", "no column 'c'")],
)
def test_bad_rules_are_one_sentence(rules, sentence):
    table = as_table({"a": [1], "b": [2], "t": [9], "x": ["text"]})
    with pytest.raises(InvalidInput, match=sentence):
        keep_edits(table, rules=rules)
