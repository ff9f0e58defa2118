"""Categories as codes."""

from __future__ import annotations

from shoal import as_table
from shoal.encode.categories import categorise


def test_categories_of_mixed_types_and_beyond_the_order():
    codes, categories = categorise(
        as_table({"x": ["m", "s", "other"]}, kinds={"x": ["s", "m", "other"]}), "x"
    )
    assert (codes.tolist(), categories) == ([1, 0, 2], ("s", "m", "other"))
    table = as_table({"x": ["m", "s"]}, kinds={"x": ["s", "m"]}).assign(x=["m", "s-m"])
    assert categorise(table, "x")[1] == ("s", "m", "s-m")
