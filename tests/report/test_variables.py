"""Variables before and after: the figures of the measures, obvious correlations, bands that hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from report.files import facts, judged, masked, original
from shoal import as_table
from shoal.measures import column_changes
from shoal.report.variables import BANDS, band, correlation_facts, correlations, public_facts, variable_facts

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
    lost = {column.name: column.loss for column in judged().columns}
    for row in rows:
        assert row["loss"] == lost.get(row["name"], 0.0), "one column has one loss on a page"
    for name, change in changes.items():
        row = next(row for row in rows if row["name"] == name)
        assert row["mean_before"] == change["mean_before"]
        assert row["sd_after"] == change["sd_after"]
        assert row["quartiles_after"] == np.quantile(masked().column(name), [0.25, 0.5, 0.75]).tolist()
        assert row["changed"] == change["changed"]
    losses = [row["loss"] for row in rows]
    assert losses == sorted(losses, reverse=True)
    debt = next(row for row in rows if row["name"] == "debt")
    assert debt["missing_before"] == original().missing()["debt"] > 0
    assert debt["distribution"] is None, "it was not changed"
    assert judged().keys == ("age", "pay", "town")


def test_numbers_that_became_text_have_no_mean():
    before, after = as_table({"age": [20, 30, 40]}), as_table({"age": ["20-29", "30+", "30+"]})
    (row,) = variable_facts(before, after, ["age"], {"age": 40.0})
    assert (row["loss"], row["mean_after"], row["quartiles_after"]) == (40.0, None, None)


def test_rows_that_do_not_correspond_have_no_changes_and_no_loss():
    table = as_table({"age": [20, 30, 40]})
    (row,) = variable_facts(table, table.take(np.array([2, 0, 1])), ["age"], None)
    assert row["changed"] is row["suppressed"] is row["loss"] is None
    assert row["mean_after"] == 30


def test_infinite_values_have_no_mean_and_do_no_harm():
    frame = {"age": [20.0, 30.0, 40.0], "ratio": [1.0, np.inf, 2.0]}
    table = as_table(frame, roles={"quasi": ["age"]})
    rows = {row["name"]: row for row in variable_facts(table, table, ["age", "ratio"], {})}
    assert rows["ratio"]["mean_before"] is rows["ratio"]["sd_after"] is None
    assert rows["ratio"]["loss"] == 0
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


def test_households_and_weights_are_no_amounts():
    frame = {
        "pay": [1.0, 2.0, 4.0],
        "tax": [1.0, 3.0, 2.0],
        "same": [7.0] * 3,
        "home": [1, 1, 2],
        "w": [9.0, 9.0, 8.0],
    }
    table = as_table(
        frame, roles={"quasi": "pay", "household": "home", "weight": "w"}, kinds={"same": "numeric"}
    )
    assert correlation_facts(table, table, table.names())["names"] == ["pay", "tax"]
    told = public_facts(table, table, variable_facts(table, table, table.names(), {}), table.names())
    assert [row["name"] for row in told] == ["pay", "tax", "same"]
