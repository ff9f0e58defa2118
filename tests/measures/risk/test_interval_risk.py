"""Interval disclosure against a slow, obvious version."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import oracles_measures as slow
from measures.files import files
from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import interval_risk


@pytest.mark.slow
@pytest.mark.parametrize("interval", ["rank", "value", "sd"])
@settings(max_examples=150)
@given(pair=files(most=25))
def test_it_agrees_with_the_slow_version(interval, pair):
    if not any(v is not None for n in pair[0].names() for v in slow.cells(pair[0], n)):
        with pytest.raises(NotApplicable):
            interval_risk(*pair, interval=interval)
        return
    assert interval_risk(*pair, interval=interval) == pytest.approx(slow.interval_risk(*pair, interval))


def test_ranks_by_hand():
    before = as_table({"a": np.arange(100.0)})
    after = as_table({"a": np.roll(np.arange(100.0), 5)})  # five ranks off, the first five far off
    assert interval_risk(before, after, widths=4) == 0
    assert interval_risk(before, after, widths=5) == 95
    assert interval_risk(before, after) == pytest.approx(95 * 6 / 10)


def test_value_interval_is_ten_percent_of_the_original():
    before, after = as_table({"a": [100.0, -100.0, 0.0, 0.0]}), as_table({"a": [110.0, -90.0, 0.0, 1e-9]})
    assert interval_risk(before, after, interval="value") == 75


def test_deviation_interval_by_hand():
    before, after = as_table({"a": [-1.0, 0.0, 1.0]}), as_table({"a": [-0.95, 0.2, 1.0]})
    assert interval_risk(before, after, interval="sd", widths=[5]) == pytest.approx(200 / 3)


def test_suppression_discloses_nothing():
    before = as_table({"a": [1.0, 2.0]})
    assert interval_risk(before, before.assign(a=[None, None])) == 0


@pytest.mark.parametrize("widths", [[], [-1], ["x"]])
def test_wrong_widths_are_refused(widths):
    table = as_table({"a": [1.0, 2.0]})
    with pytest.raises(InvalidInput, match="widths"):
        interval_risk(table, table, widths=widths)
