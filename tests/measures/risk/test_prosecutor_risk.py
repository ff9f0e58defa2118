"""Prosecutor risk, counted slowly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.files import MANY, files
from shoal import InvalidInput, as_table
from shoal.measures import k_anonymity, prosecutor_risk, records_at_risk


def slow_sizes(table):
    rows = list(zip(*(table.column(name).tolist() for name in table.names()), strict=True))
    rows = [tuple("gap" if v is None or v != v else v for v in row) for row in rows]
    return [rows.count(row) for row in rows]


@pytest.mark.slow
@MANY
@given(pair=files(most=12), threshold=st.sampled_from([0.0, 0.2, 0.25, 0.5, 1.0]))
def test_counted_record_by_record(pair, threshold):
    sizes = slow_sizes(pair[1])
    assert prosecutor_risk(*pair) == pytest.approx(100 * sum(1 / f for f in sizes) / len(sizes))
    above = sum(1 / f > threshold for f in sizes)
    assert records_at_risk(*pair, threshold=threshold) == pytest.approx(100 * above / len(sizes))
    assert prosecutor_risk(*pair) <= k_anonymity(*pair) + 1e-9


def test_gaps_may_look_like_anything():
    table = as_table({"a": ["x", "x", None]}, roles={"quasi": "a"})
    assert prosecutor_risk(table, table) == pytest.approx(200 / 3)
    assert prosecutor_risk(table, table, gaps="wildcard") == pytest.approx(100 / 3)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, "x", float("nan")])
def test_thresholds_are_chances(threshold):
    table = as_table({"a": ["x", "y"]})
    with pytest.raises(InvalidInput, match="threshold"):
        records_at_risk(table, table, threshold=threshold)
