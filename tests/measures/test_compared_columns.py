"""Which columns a measure compares, and what it says when there is none."""

from __future__ import annotations

import pytest

from shoal import NotApplicable, as_table
from shoal.measures import ctbil, dbil, ebil


def test_numeric_columns_are_none_of_their_business():
    table = as_table({"a": [1, 2]})
    for measure in (dbil, ctbil, ebil):
        with pytest.raises(NotApplicable, match="ordinal or nominal"):
            measure(table, table)
