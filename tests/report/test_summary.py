"""The summary: plain facts, those of evaluate, and a public version that gives nothing away."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from report.files import LONELY, RICHEST, SEED, facts, judged, masked, original, recipe, tried
from shoal import Recipe, as_table, evaluate, mdav, microaggregate
from shoal.datasets import load_sme
from shoal.measures import class_sizes, interval_risk, sse_loss
from shoal.report import page, summary

PUBLIC = {
    *("title", "public", "shoal", "date", "size", "keys", "verdict", "information_loss", "measured"),
    *("skipped", "methods", "variables", "correlations", "citations", "roles", "treatments", "limits"),
}


def test_facts_are_plain_and_those_of_evaluate():
    found = facts()
    assert json.loads(json.dumps(found)) == found
    assert {row["name"]: row["value"] for row in found["losses"]} == dict(judged().loss)
    assert {row["name"]: row["value"] for row in found["risks"]} == dict(judged().risk)
    assert (found["information_loss"], found["disclosure_risk"], found["score"]) == (
        *(judged().information_loss, judged().disclosure_risk, judged().score),
    )
    assert found["skipped"] == dict(judged().skipped)
    assert (found["k"], found["promised_k"], found["reached"]) == (judged().k, 4, True)
    assert found["verdict"][0] == "Yes: the promise is kept (k = 4)."
    assert "compared with 2 other maskings" in found["verdict"][-1]
    assert found["exploration"]["chosen"] == "mdav, k = 4"
    assert summary(original(), masked(), recipe=recipe())["losses"] == found["losses"], (
        "evaluated if not given"
    )


def test_groups_and_remaining_risks_are_counted():
    found = facts()
    before, after = (class_sizes(table, columns=judged().keys) for table in (original(), masked()))
    assert found["groups"]["alone_before"] == (before == 1).sum()
    assert found["groups"]["smallest"] == after.min() == judged().k
    assert found["groups"]["classes"] == masked().frame.select(judged().keys).n_unique()
    at = found["groups"]["bins"].index("3-4")
    assert found["groups"]["after"][at] == pytest.approx(100 * ((after == 3) | (after == 4)).mean())
    assert sum(found["groups"]["before"]) == pytest.approx(100)
    smallest = [c["records"] for c in found["largest_risks"]["classes"]]
    classes = masked().frame.group_by(judged().keys).len()["len"].sort().to_list()
    assert smallest == classes[:10]
    for row in found["largest_risks"]["variables"]:
        assert row["interval_risk"] == interval_risk(original(), masked(), columns=[row["name"]])


def test_a_public_summary_has_only_what_is_on_the_list():
    found = facts(public=True)
    assert set(found) == PUBLIC
    assert json.loads(json.dumps(found)) == found
    assert {key for row in found["variables"] for key in row} == {
        *("name", "label", "kind", "mean_shift", "spread_change", "distribution"),
    }
    assert {key for row in found["methods"] for key in row} == {"name", "does", "references"}
    assert [row["name"] for row in found["methods"]] == ["microaggregate", "mdav"]
    assert [row["name"] for row in found["variables"]] == ["age", "pay", "town", "debt"], "not by change"


def test_a_public_page_gives_nothing_away():
    text = page(facts(public=True)) + json.dumps(facts(public=True))
    internal = page(facts())
    for secret in (
        str(SEED),
        "987654321",
        "98765432",
        LONELY,
        "person-",
        "committee-7",
        "rank_swap",
        "k = 4",
    ):
        assert secret not in text, secret
    assert "committee-7" in internal
    for secret in (str(SEED), "person-"):
        assert secret not in internal, secret
    for value in [*judged().risk.values(), judged().disclosure_risk, judged().score]:
        assert f"{value:.3f}" not in text
    pays = [value for value in original().column("pay").tolist() if value != RICHEST]
    assert not [value for value in pays if str(value) in text]


@settings(max_examples=25)
@given(st.integers(100, 260), st.integers(0, 2**31), st.booleans())
def test_public_figures_hold_whatever_the_file(n, seed, heavy):
    rng = np.random.default_rng(seed)
    values = rng.lognormal(0, 4, n) if heavy else rng.normal(1e9, 1, n)
    table = as_table({"x": values, "y": rng.integers(0, 3, n)}, roles={"quasi": ["x", "y"]})
    released = microaggregate(table, k=3)
    found = summary(
        table, released, evaluation=evaluate(table, released, loss=[sse_loss], risk=[]), public=True
    )
    top = np.sort(released.column("x"))[-10]
    for row in found["variables"]:
        if row["name"] == "x" and row["distribution"]:
            edges = row["distribution"]["edges"]
            assert edges[-1] <= top + max(np.diff(edges))
    if found["correlations"]:
        assert all(v is None or v == round(v, 1) for row in found["correlations"]["after"] for v in row)


def test_small_files_say_nothing_in_public():
    table = load_sme()
    found = summary(table, microaggregate(table, k=3), public=True)
    assert found["size"] == "fewer than 100 records"
    assert found["information_loss"] is None
    assert found["correlations"] is None
    assert all(row["distribution"] is row["mean_shift"] is None for row in found["variables"])


def test_the_public_is_not_told_that_records_are_alone():
    table = original()
    found = summary(table, table, evaluation=evaluate(table, table, loss=[sse_loss], risk=[]), public=True)
    assert "several others" not in " ".join(found["verdict"])
    assert "several others" in " ".join(facts(public=True)["verdict"])


def test_other_recipes_and_doubts_are_said():
    other = Recipe("other", recipe().roles, [{"method": "shuffle"}])
    found = summary(original(), masked(), evaluation=judged(), recipe=other, exploration=tried())
    assert found["exploration"]["chosen"] is None
    assert found["reached"] is None
    table = as_table({"id": np.arange(40), "x": np.arange(40.0)}, roles={"quasi": ["x"]})
    doubted = summary(table, table.take(np.arange(40)[::-1]))
    assert doubted["warnings"]


def test_rows_in_another_order_get_no_figure_that_compares_them():
    table = original()
    turned = table.take(np.random.default_rng(1).permutation(len(table)))
    judged_apart = evaluate(table, turned, rows="checked")
    found = summary(table, turned, evaluation=judged_apart)
    assert found["warnings"]
    assert found["map"] is None
    assert found["treatments"] == found["largest_risks"]["variables"] == []
    assert {row[name] for row in found["variables"] for name in ("loss", "changed", "suppressed")} == {None}
    assert "row by row" in page(found)


def test_households_count_once_everywhere_on_the_page():
    roles = {"quasi": "age", "household": "home"}
    table = as_table({"age": [20, 20, 30, 30], "home": [1, 1, 2, 3]}, roles=roles)
    found = summary(table, table)
    assert found["groups"]["alone"] == found["office"]["violations"][0]["after"] == 2
    assert [c["records"] for c in found["largest_risks"]["classes"]] == [1, 2]
    assert "members of one household count once" in page(found)


def test_measures_of_ones_own_have_no_source():
    def my_loss(original, masked, *, columns=None):
        return 12.5

    judged_alone = evaluate(original(), masked(), loss=[my_loss], risk=[interval_risk])
    found = summary(original(), masked(), evaluation=judged_alone)
    assert found["losses"] == [{"name": "my_loss", "title": "My loss", "value": 12.5, "does": ""}]
    assert all("my_loss" not in c["for"] for c in found["citations"])
    assert "12.5" in page(found)


def test_pandas_and_pyarrow_frames_say_the_same():
    pytest.importorskip("pandas", reason="frames of pandas need pandas")
    frames = [
        as_table(convert(original().frame), roles={r: original().names(r) for r in ("quasi", "identifier")})
        for convert in (pl.DataFrame.to_pandas, pl.DataFrame.to_arrow)
    ]
    expected = summary(original(), masked(), evaluation=judged())["groups"]
    for table in frames:
        assert (
            summary(table, microaggregate(table, k=4, partition=mdav), evaluation=judged())["groups"]
            == expected
        )
