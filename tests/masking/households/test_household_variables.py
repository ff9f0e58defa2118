"""Which columns belong to the household."""

from __future__ import annotations

import pytest

from shoal import InvalidInput, as_table
from shoal.masking.households.household_variables import household_of, household_variables


def test_gaps_are_values_and_the_household_itself_is_none():
    columns = {"home": [1, 1, 2, 2], "a": [None, None, 1, 1], "b": [None, 1, 1, 1], "c": ["x", "x", "y", "y"]}
    table = as_table(columns, roles={"household": "home"})
    assert household_variables(table) == ["a", "c"]
    assert household_variables(table, columns=["b", "c"]) == ["c"]


def test_households_of_one_have_no_variables_of_their_own():
    table = as_table({"home": [1, 2, 3], "a": [1, 1, 2]}, roles={"household": "home"})
    assert household_variables(table) == []
    assert household_variables(as_table({"a": [1, 1]})) == []
    assert household_of(as_table({"a": []})).tolist() == []


def test_an_id_with_a_gap_is_refused():
    with pytest.raises(InvalidInput, match="has no household at row 0"):
        household_variables(as_table({"home": [None, 1]}), household="home")
