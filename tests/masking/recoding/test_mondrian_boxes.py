from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import as_table
from shoal.hierarchy import with_hierarchies
from shoal.masking.recoding.mondrian_boxes import release_regions
from shoal.partition import relabel

PLACES = {"x": [["a", "A", "*"], ["b", "A", "*"], ["c", "C", "*"]]}


def region(kind, values, hierarchy):
    """What a group releases, one value after the other."""
    values = sorted(set(values), key="abc".index if kind != "numeric" else None)
    if len(values) < 2:
        return str(values[0]) if values else None
    if hierarchy:
        return "A" if values == ["a", "b"] else "*"
    if kind == "nominal":
        return "{" + ", ".join(values) + "}"
    return f"[{values[0]}, {values[-1]}]"


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["keep", "fill", "suppress"])
@pytest.mark.parametrize("kind", ["numeric", "ordinal", "nominal", "hierarchy"])
@settings(max_examples=60)
@given(st.data())
def test_regions_agree_with_the_oracle(kind, missing, data):
    n = data.draw(st.integers(2, 12))
    cell = st.integers(-3, 40) if kind == "numeric" else st.sampled_from(["a", "b", "c"])
    values = [data.draw(cell), *data.draw(st.lists(st.none() | cell, min_size=n - 1, max_size=n - 1))]
    labels = relabel(np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))))
    table = as_table({"x": values}, kinds={"x": ["a", "b", "c"]} if kind == "ordinal" else None)
    table = with_hierarchies(table, PLACES) if kind == "hierarchy" else table
    result = release_regions(table, labels, missing=missing, columns=["x"])
    expected = []
    for row in range(n):
        group = [values[other] for other in range(n) if labels[other] == labels[row]]
        gone = (missing == "keep" and values[row] is None) or (missing == "suppress" and None in group)
        text = region(
            "nominal" if kind == "hierarchy" else kind,
            [v for v in group if v is not None],
            kind == "hierarchy",
        )
        expected.append(None if gone else text)
    released = [None if v is None else str(v) for v in result.frame["x"].to_list()]
    assert released == expected


def test_a_column_of_single_values_keeps_its_type_and_kind():
    table = as_table({"age": [30, 30, 41, 41], "pay": [1.5, 2.5, 9.0, 9.0]})
    result = release_regions(table, np.array([0, 0, 1, 1]), missing="keep", columns=["age", "pay"])
    assert result.frame["age"].to_list() == [30, 30, 41, 41]
    assert result.attribute("age").kind == "numeric"
    assert result.attribute("pay").kind == "nominal"
    assert result.frame["pay"].to_list() == ["[1.5, 2.5]", "[1.5, 2.5]", "9", "9"]
