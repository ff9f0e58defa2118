"""What masking did to every column."""

from __future__ import annotations

import pytest
from hypothesis import given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import as_table
from shoal.measures import column_changes


@pytest.mark.slow
@MANY
@given(pair=files())
def test_shares_agree_with_counting_cells(pair):
    original, masked = pair
    for row in column_changes(original, masked).iter_rows(named=True):
        cells = zip(slow.cells(original, row["column"]), slow.cells(masked, row["column"]), strict=True)
        known = [(a, b) for a, b in cells if a is not None]
        total = max(len(known), 1)
        assert row["suppressed"] == pytest.approx(100 * sum(b is None for _, b in known) / total)
        assert row["changed"] == pytest.approx(100 * sum(b is not None and a != b for a, b in known) / total)
        assert row["kind"] == original.attribute(row["column"]).kind


def test_means_and_deviations_are_those_of_the_observed_cells():
    before, after = as_table({"a": [1.0, 2.0, 3.0, None]}), as_table({"a": [2.0, 2.0, None, None]})
    (row,) = column_changes(before, after).rows()
    assert row == ("a", "numeric", pytest.approx(100 / 3), pytest.approx(100 / 3), 2.0, 2.0, 1.0, 0.0)


def test_text_has_no_mean_and_numbers_that_became_text_are_changed():
    before, after = as_table({"age": [21, 25]}), as_table({"age": ["20s", "20s"]})
    (row,) = column_changes(before, after).iter_rows(named=True)
    assert row["changed"] == 100
    assert row["mean_before"] == 23
    assert row["mean_after"] is None
