"""Regression loss against a slow, obvious version."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles_measures as slow
from shoal import NotApplicable, as_table, measures


@settings(max_examples=100)
@given(seed=st.integers(0, 10**6), n=st.integers(8, 30), d=st.integers(2, 4), noise=st.floats(0, 3))
def test_regression_loss_agrees_with_the_slow_version(seed, n, d, noise):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
    Y = X + noise * rng.normal(size=(n, d))
    names = [f"c{j}" for j in range(d)]
    tables = [as_table(dict(zip(names, M.T, strict=True))) for M in (X, Y)]
    found = measures.regression_loss(*tables)
    assert found == pytest.approx(slow.regression_loss(X, Y), abs=1e-3)
    assert 0 <= found <= 100


def test_regression_loss_survives_totals_and_constants():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=50), rng.normal(size=50)
    table = as_table({"a": a, "b": b, "sum": a + b, "same": np.ones(50)})
    assert measures.regression_loss(table, table) == pytest.approx(0)
    noisy = table.assign(a=a + rng.normal(size=50))
    assert 0 < measures.regression_loss(table, noisy) <= 100
    assert measures.regression_loss(table, noisy, targets="b") >= 0


def test_regression_needs_records_and_two_columns():
    table = as_table({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 4.0]})
    with pytest.raises(NotApplicable, match="too few records"):
        measures.regression_loss(table, table)
    with pytest.raises(NotApplicable, match="two numeric columns"):
        measures.regression_loss(table, table, columns=["a"])
