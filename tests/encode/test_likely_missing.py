"""Codes for missing cells are noticed by how they look, and nothing else is taken for one."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import as_table
from shoal.encode.likely_missing import likely_missing
from shoal.workflow.suggest_roles import suggest_roles

CODED = [
    ["yes", "no", "-9"],
    ["yes", "no", " -99 ", "-98"],
    [20.0, 31.5, -9.0],
    np.array([1, 2, 3, -999, -998]),
    [0, 1, -1],
]
PLAIN = [
    [],
    ["-9"],
    ["yes", "-9"],
    ["1", "2", "-9"],
    ["yes", "no", "9"],
    ["yes", "no", "-12"],
    [-9.0, -4.0, -3.0, -2.0, 5.0, 6.0],
    [-40.5, 3.0, 4.0],
    [-9.5, 3.0, 4.0],
    [True, False],
    [None, "a"],
    [f"word {at}" for at in range(2000)] + ["-9"],
]


@pytest.mark.parametrize("values", CODED, ids=str)
def test_codes(values):
    assert likely_missing(values)


@pytest.mark.parametrize("values", PLAIN, ids=lambda values: str(values[:4]))
def test_no_codes(values):
    assert not likely_missing(values)


def test_the_column_says_so_without_the_value():
    table = as_table({"smokes": ["yes", "no", "-97"] * 9, "age": [20, 31, 44] * 9})
    notes = {one.name: " ".join(one.notes) for one in suggest_roles(table)}
    assert "--missing-code" in notes["smokes"]
    assert "97" not in notes["smokes"]
    assert "--missing-code" not in notes["age"]
