"""Sampling weights: positive numbers, one to a household."""

from __future__ import annotations

import pytest

from shoal import InvalidInput, as_table
from shoal.encode.sampling_weights import sampling_weights


def test_the_column_of_that_role_or_the_one_named_or_none():
    table = as_table({"w": [1, 2], "v": [3.0, 4.0]}, roles={"weight": "w"})
    assert sampling_weights(table).tolist() == [1, 2]
    assert sampling_weights(table, "v").tolist() == [3, 4]
    assert sampling_weights(as_table({"w": [1, 2]})) is None


def test_who_has_no_household_has_a_weight_of_his_own():
    table = as_table(
        {"home": [1, None, None, 1], "w": [5, 6, 7, 5]}, roles={"household": "home", "weight": "w"}
    )
    assert sampling_weights(table).tolist() == [5, 6, 7, 5]


@pytest.mark.parametrize(
    ("weights", "sentence"), [(["a", "b"], "must be numbers"), ([1, 0], "not so at row 1")]
)
def test_what_counts_nobody_is_refused(weights, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        sampling_weights(as_table({"w": weights}, roles={"weight": "w"}))
