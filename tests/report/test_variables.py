"""Variables before and after: the figures of the measures, obvious correlations, bands that hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from report.files import facts, judged, masked, original
from shoal import as_table
from shoal.measures import column_changes, dbil, sse_loss
from shoal.report.variables import BANDS, band, correlation_facts, correlations, variable_facts

cells = st.floats(-1000, 1000) | st.just(float("nan")) | st.integers(-2, 2).map(float)


@given(
    arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=cells), st.sampled_from([0, 1e9])
)
def test_correlations_are_those_of_complete_pairs(X, offset):
    found = correlations(X + offset)
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            here = ~np.isnan(X[:, i]) & ~np.isnan(X[:, j])
            pair = X[here][:, [i, j]]
            spread = pair.std(axis=0) if len(pair) else np.zeros(2)
            if (spread == 0).any():
                assert np.isnan(found[i, j])
            elif (spread > 1).all():  # where columns hardly vary, rounding decides
                slow = np.corrcoef(pair.T)[0, 1]
                assert found[i, j] == pytest.approx(slow, abs=1e-4 if offset else 1e-6)


def test_few_pairs_are_not_told():
    X = np.array([[1.0, 2.0], [2.0, 4.1], [3.0, 5.0]])
    assert np.isnan(correlations(X, least=4)).all()
    assert not np.isnan(correlations(X, least=3)).any()


def test_variables_are_those_of_the_measures_most_changed_first():
    rows = facts()["variables"]
    assert [row["name"] for row in rows if row["role"] == "identifier"] == []
    changes = {
        row["column"]: row for row in column_changes(original(), masked(), columns=["age", "pay"]).to_dicts()
    }
    for row in rows:
        measure = sse_loss if row["kind"] == "numeric" else dbil
        assert row["loss"] == measure(original(), masked(), columns=[row["name"]])
    for name, change in changes.items():
        row = next(row for row in rows if row["name"] == name)
        assert row["mean_before"] == change["mean_before"]
        assert row["variance_after"] == pytest.approx(change["sd_after"] ** 2)
        assert row["changed"] == change["changed"]
    losses = [row["loss"] for row in rows]
    assert losses == sorted(losses, reverse=True)
    debt = next(row for row in rows if row["name"] == "debt")
    assert debt["missing_before"] == original().missing()["debt"] > 0
    assert debt["distribution"] is None, "it was not changed"
    assert judged().keys == ("age", "pay", "town")


def test_numbers_that_became_text_count_as_the_middle_of_what_they_say():
    before, after = as_table({"age": [20, 30, 40]}), as_table({"age": ["20-29", "30+", "30+"]})
    (row,) = variable_facts(before, after, ["age"])
    assert row["loss"] == pytest.approx(100 * (4.5**2 + 5**2 + 5**2) / 200)
    assert row["mean_after"] is None


def test_infinite_values_have_no_mean_and_do_no_harm():
    frame = {"age": [20.0, 30.0, 40.0], "ratio": [1.0, np.inf, 2.0]}
    table = as_table(frame, roles={"quasi": ["age"]})
    rows = {row["name"]: row for row in variable_facts(table, table, ["age", "ratio"])}
    assert rows["ratio"]["mean_before"] is rows["ratio"]["variance_after"] is rows["ratio"]["loss"] is None
    assert rows["age"]["mean_before"] == 30


def test_one_numeric_variable_has_no_correlations():
    table = as_table({"age": [20, 30, 40], "town": ["a", "b", "c"]})
    assert correlation_facts(table, table, table.names()) is None


@given(st.floats(0, 1000))
def test_a_band_holds_its_figure(value):
    words = band(value).replace("under ", "0 to ").replace(" or more", " to inf")
    low, high = (float(edge) for edge in words.split(" to "))
    assert low <= value < high
    assert low in BANDS
