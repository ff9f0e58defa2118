"""Propensity loss against a general optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import oracles_measures as slow
from measures.files import files
from shoal import NotApplicable, as_table, masking, measures
from shoal.measures._shared import logistic_fit


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


def test_another_draw_of_values_for_labels_is_fitted_in_as_few_steps(monkeypatch):
    """Hundreds of dates as ranges of Mondrian: each of five draws takes Newton a handful of steps."""
    rng = np.random.default_rng(0)
    days = [f"{year}-{month:02d}-11" for year in range(1950, 2000) for month in range(1, 13)]
    file = {"born": rng.choice(days, 400), "town": rng.choice(list("abcdefgh"), 400)}
    file["age"] = rng.normal(size=400)
    table = as_table(file, roles={"quasi": list(file)}, kinds={"born": "ordinal"})
    likelihood, steps = logistic_fit._likelihood, []
    monkeypatch.setattr(logistic_fit, "_likelihood", lambda *given: steps.append(1) or likelihood(*given))
    measures.pmse_loss(table, masking.mondrian(table, k=5))
    assert len(steps) < 5 * 30
