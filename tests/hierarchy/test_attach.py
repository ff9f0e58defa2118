"""Hierarchies that travel with a table."""

from __future__ import annotations

import pandas as pd
import pytest

from hierarchy.trees import PLACES
from shoal import InvalidInput, as_table
from shoal.hierarchy import (
    hierarchy_of,
    with_hierarchies,
)


def test_attaching_checks_every_value():
    table = as_table({"place": ["Paris", None, "Oslo"]})
    with pytest.raises(
        InvalidInput, match="Column 'place' has a value at row 2 that its hierarchy does not"
    ) as e:
        with_hierarchies(table, {"place": PLACES})
    assert "Oslo" not in str(e.value)
    with pytest.raises(InvalidInput, match="no column 'plaice'"):
        with_hierarchies(table, {"plaice": PLACES})
    with pytest.raises(InvalidInput, match="Column 'place' has no hierarchy"):
        hierarchy_of(table, "place")
    assert with_hierarchies(table, None) == table
    left = with_hierarchies(table, {"place": PLACES}, unnamed="leave")
    assert left.attribute("place").hierarchy is None


def test_the_file_of_a_hierarchy_is_named(tmp_path):
    (tmp_path / "towns.csv").write_text("Paris;France;*\n")
    with pytest.raises(InvalidInput, match=r"at row 1 that its hierarchy 'towns.csv' does not name"):
        with_hierarchies(as_table({"place": ["Paris", "Oslo"]}), {"place": tmp_path / "towns.csv"})


def test_lists_have_no_hierarchy():
    table = as_table(pd.DataFrame({"towns": [["Oslo"], []]}))
    with pytest.raises(InvalidInput, match="Column 'towns' holds values that no hierarchy can name"):
        with_hierarchies(table, {"towns": PLACES})
