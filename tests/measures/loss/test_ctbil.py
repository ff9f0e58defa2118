"""Loss of contingency tables against a slow, obvious version and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import InvalidInput, as_table
from shoal.measures import ctbil

CATEGORICAL = files(kinds=("ordinal", "nominal"))


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2, 3])
@MANY
@given(pair=CATEGORICAL)
def test_ctbil_agrees_with_the_slow_version(order, pair):
    assert ctbil(*pair, order=order) == pytest.approx(slow.ctbil(*pair, order=order))


def test_ctbil_counts_large_tables_without_making_them(monkeypatch):
    import importlib

    rng = np.random.default_rng(0)
    columns = {f"c{j}": rng.integers(0, 30, 400).astype(str).tolist() for j in range(4)}
    original = as_table(columns)
    masked = original.assign(c0=rng.permutation(columns["c0"]).tolist())
    expected = ctbil(original, masked, order=4)
    monkeypatch.setattr(importlib.import_module("shoal.measures.loss.ctbil"), "DENSE", 10)
    assert ctbil(original, masked, order=4) == expected


def test_ctbil_per_cell_is_the_mean_difference():
    before, after = as_table({"a": ["x", "y", "y", "z"]}), as_table({"a": ["x", "x", "y", "z"]})
    assert ctbil(before, after, per_cell=True) == pytest.approx(2 / 3)


@pytest.mark.parametrize("order", [0, -1, 1.5, True, "2"])
def test_ctbil_refuses_a_wrong_order(order):
    table = as_table({"a": ["x", "y"]})
    with pytest.raises(InvalidInput, match="order"):
        ctbil(table, table, order=order)
