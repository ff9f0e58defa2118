"""Distance-based information loss against a slow, obvious version and by hand."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import as_table
from shoal.measures import dbil, ebil

CATEGORICAL = files(kinds=("ordinal", "nominal"))


def known(original) -> bool:
    return any(v is not None for n in original.names() for v in slow.cells(original, n))


@pytest.mark.slow
@MANY
@given(pair=CATEGORICAL)
def test_dbil_agrees_with_the_slow_version(pair):
    assume(known(pair[0]))
    assert dbil(*pair) == pytest.approx(slow.dbil(*pair))


def test_suppression_costs_everything_and_filling_nothing():
    before = as_table({"a": ["x", "y", None, "x"]})
    gone = before.assign(a=[None] * 4)
    assert dbil(before, gone) == 100
    assert dbil(before, before.assign(a=["x", "y", "x", "x"])) == 0
    assert ebil(before, before.assign(a=["x", "y", "x", "x"])) == 0
