"""Propensity loss against a general optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import oracles_measures as slow
from measures.files import files
from shoal import NotApplicable, as_table, measures


@pytest.mark.slow
@settings(max_examples=60)
@given(pair=files(least=3, most=9, columns=3))
def test_propensity_loss_agrees_with_a_general_optimiser(pair):
    try:
        found = measures.pmse_loss(*pair)
    except NotApplicable:
        numbers = [n for n in pair[0].names(kind="numeric") if set(slow.cells(pair[0], n)) != {None}]
        compared = [*numbers, *slow.columns_of(pair[0], "ordinal", "nominal")]  # numbers the original has
        assert all(len(set(slow.cells(pair[0], n) + slow.cells(pair[1], n))) == 1 for n in compared)
        return
    assert found == pytest.approx(slow.pmse_loss(*pair), abs=0.05)


def test_propensity_loss_needs_squares_to_see_microaggregation():
    rng = np.random.default_rng(2)
    x = np.sort(rng.normal(size=600))
    table, masked = as_table({"a": x}), as_table({"a": np.repeat(x.reshape(-1, 100).mean(axis=1), 100)})
    assert measures.pmse_loss(table, masked, order=1) == pytest.approx(0, abs=1e-6)
    assert measures.pmse_loss(table, masked) > 0.1


def test_propensity_loss_of_files_without_overlap_is_complete():
    table = as_table({"a": np.arange(100.0)})
    assert measures.pmse_loss(table, as_table({"a": np.arange(1000.0, 1100.0)})) > 99
