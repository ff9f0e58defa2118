"""The numeric losses against slow, obvious versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles_measures as slow
from measures.files import MANY, files
from shoal import NotApplicable, as_table, measures

NUMERIC = files(kinds=("numeric",), least=2)
PARTS = ("sse_loss", "eigen_loss", "il1s", "il2", "il3", "il4")


def varying(original, masked) -> list:
    return [c for c in slow.standardised(original, masked) if not c[2]]


@MANY
@given(pair=NUMERIC)
def test_losses_agree_with_the_slow_versions(pair):
    assume(varying(*pair))
    expected = {name: getattr(slow, name)(*pair) for name in PARTS}
    if len(varying(*pair)) > 1:
        expected["il5"] = slow.il5(*pair)
    else:
        with pytest.raises(NotApplicable):
            measures.il5(*pair)
    found = {name: getattr(measures, name)(*pair) for name in expected}
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)
    classic = [value for name, value in expected.items() if name.startswith("il")]
    assert measures.il_loss(*pair) == pytest.approx(np.mean(classic), rel=1e-6, abs=1e-6)


@MANY
@given(pair=NUMERIC)
def test_probabilistic_loss_agrees_with_the_slow_version(pair):
    assume(varying(*pair))
    found, expected = measures.pil_parts(*pair), slow.pil_parts(*pair)
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-4)
    assert measures.pil_loss(*pair) == pytest.approx(np.mean(list(found.values())))


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


def test_a_mean_of_zero_is_measured_in_deviations():
    before = as_table({"a": [-1.0, 0.0, 1.0]})
    assert measures.il2(before, as_table({"a": [0.0, 1.0, 2.0]})) == pytest.approx(100.0)
    tiny = as_table({"a": [-1.0, 0.0, 1.0 + 1e-12]})
    assert measures.il2(tiny, as_table({"a": [0.0, 1.0, 2.0]})) == pytest.approx(100.0, rel=1e-6)


def test_suppressed_columns_count_fully():
    before = as_table({"a": [1.0, 2.0, 4.0], "b": [1.0, 5.0, 2.0]})
    gone = before.assign(a=np.full(3, np.nan))
    assert measures.il2(before, gone) == pytest.approx(50.0)
    assert measures.il4(before, gone) == pytest.approx(50.0)
    assert measures.sse_loss(before, gone) == pytest.approx(50.0)


def test_probabilistic_loss_grows_with_the_file_but_stays_bounded():
    rng = np.random.default_rng(1)
    x, noise = rng.normal(size=20_000), rng.normal(size=20_000)
    losses = [
        measures.pil_loss(as_table({"a": x[:n]}), as_table({"a": (x + 0.2 * noise)[:n]}))
        for n in (50, 1000, 20_000)
    ]
    assert losses == sorted(losses)
    assert losses[-1] <= 100


def test_propensity_loss_needs_squares_to_see_microaggregation():
    rng = np.random.default_rng(2)
    x = np.sort(rng.normal(size=600))
    table, masked = as_table({"a": x}), as_table({"a": np.repeat(x.reshape(-1, 100).mean(axis=1), 100)})
    assert measures.pmse_loss(table, masked, order=1) == pytest.approx(0, abs=1e-6)
    assert measures.pmse_loss(table, masked) > 0.1


def test_propensity_loss_of_files_without_overlap_is_complete():
    table = as_table({"a": np.arange(100.0)})
    assert measures.pmse_loss(table, as_table({"a": np.arange(1000.0, 1100.0)})) > 99
