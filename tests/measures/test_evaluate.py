"""evaluate: what runs on what, what is skipped and why, and how figures become one score."""

from __future__ import annotations

import json
import multiprocessing
import os
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from shoal import InvalidInput, NotApplicable, as_table, measures, microaggregate
from shoal.hierarchy import hierarchy_from_rows, with_hierarchies
from shoal.measures import (
    LOSS,
    RISK,
    ctbil,
    dbil,
    distance_linkage_risk,
    ebil,
    il_loss,
    interval_risk,
    k_anonymity,
    probabilistic_linkage_risk,
    sse_loss,
)
from shoal.measures.description.figure_words import words_of
from shoal.measures.evaluate import CATEGORICAL_LOSS, NUMERIC_LOSS, RISK_WEIGHTS, Evaluation, evaluate

N = 60


def mixed(seed=0):
    rng = np.random.default_rng(seed)
    return as_table(
        {
            "name": [f"person {i}" for i in range(N)],
            "age": rng.integers(18, 90, N).astype(float),
            "pay": rng.normal(2000, 500, N).round(),
            "town": rng.choice(list("abc"), N).tolist(),
            "ill": rng.choice(["flu", "none"], N).tolist(),
        },
        roles={"identifier": "name", "quasi": ["age", "pay", "town"], "confidential": "ill"},
    )


@pytest.fixture(scope="module")
def pair():
    return mixed(), microaggregate(mixed(), k=3)


@pytest.fixture(scope="module")
def result(pair):
    return evaluate(*pair)


def test_everything_on_the_menus_is_measured_or_skipped(result):
    menu = {measure.__name__ for measure in (*LOSS, *RISK)}
    assert {*result.loss, *result.risk, *result.skipped} == menu
    assert set(result.skipped) <= {"gcp"}, "columns with other values have no cover"
    assert result.k >= 3
    assert result.keys == ("age", "pay", "town")
    assert not result.warnings


def test_mixed_loss_weighs_kinds_by_their_columns(pair, result):
    numeric, categorical = sse_loss(*pair), np.mean([m(*pair) for m in (dbil, ctbil, ebil)])
    assert result.information_loss == pytest.approx((2 * numeric + categorical) / 3)


def test_disclosure_risk_has_the_standard_weights(pair, result):
    parts = [m(*pair) for m in (interval_risk, distance_linkage_risk, probabilistic_linkage_risk)]
    assert result.disclosure_risk == pytest.approx(np.dot(parts, [0.5, 0.25, 0.25]))
    assert result.score == pytest.approx((result.information_loss + result.disclosure_risk) / 2)


def test_pure_files_use_the_losses_of_their_kind(pair):
    numeric = evaluate(*pair, columns=["age", "pay"])
    assert numeric.information_loss == pytest.approx(sse_loss(*pair, columns=["age", "pay"]))
    assert {"dbil", "ctbil", "ebil"} <= set(numeric.skipped)
    assert numeric.loss_weights == dict(NUMERIC_LOSS)
    categorical = evaluate(*pair, columns=["town"])
    assert "sse_loss" in categorical.skipped
    assert categorical.loss_weights == dict(CATEGORICAL_LOSS)


def test_weights_of_what_does_not_apply_go_to_the_others():
    one = Evaluation({"sse_loss": 10.0}, {"interval_risk": 40.0, "distance_linkage_risk": 10.0})
    assert one.disclosure_risk == pytest.approx(30.0)
    assert one.information_loss == 10
    shown_only = Evaluation({"il_loss": 10.0, "sse_loss": 30.0}, {"k_anonymity": 20.0, "interval_risk": 40.0})
    assert (shown_only.information_loss, shown_only.disclosure_risk) == (30, 40)
    unweighted = Evaluation({"il_loss": 10.0, "pil_loss": 30.0}, {"k_anonymity": 20.0})
    assert (unweighted.information_loss, unweighted.disclosure_risk) == (20, 20)
    assert Evaluation({}, {"k_anonymity": 20.0}).score is None


def test_an_unbounded_loss_counts_at_most_100():
    assert Evaluation({"sse_loss": 5000.0}, {}).information_loss == 100


def test_the_score_is_mean_maximum_or_weighted(pair):
    figures = {"loss": [sse_loss], "risk": [interval_risk]}
    mean, largest, weighted = (evaluate(*pair, **figures, combine=c) for c in ("mean", "max", 0.75))
    loss, risk = mean.information_loss, mean.disclosure_risk
    assert mean.score == pytest.approx((loss + risk) / 2)
    assert largest.score == max(loss, risk)
    assert weighted.score == pytest.approx(0.75 * loss + 0.25 * risk)


@pytest.mark.parametrize("combine", ["median", 1.5, -0.1, None])
def test_a_wrong_combination_is_refused(pair, combine):
    with pytest.raises(InvalidInput, match="combine"):
        evaluate(*pair, combine=combine)


def test_weights_can_be_given(pair):
    figures = {"loss": [sse_loss, il_loss], "risk": [interval_risk, k_anonymity]}
    found = evaluate(*pair, **figures, loss_weights={"il_loss": 1}, risk_weights={"k_anonymity": 2})
    assert found.information_loss == pytest.approx(min(found.loss["il_loss"], 100))
    assert found.disclosure_risk == found.risk["k_anonymity"]
    with pytest.raises(InvalidInput, match="il_los"):
        evaluate(*pair, **figures, loss_weights={"il_los": 1})
    with pytest.raises(InvalidInput, match="weight"):
        evaluate(*pair, **figures, loss_weights={"il_loss": 0})


def test_what_an_intruder_knows_limits_the_risks_but_not_interval_disclosure(pair):
    everything, little = evaluate(*pair, loss=[]), evaluate(*pair, loss=[], known="town")
    assert little.keys == ("town",)
    assert little.k > everything.k
    assert little.risk["distance_linkage_risk"] < everything.risk["distance_linkage_risk"]
    assert little.risk["interval_risk"] == everything.risk["interval_risk"]
    expected = distance_linkage_risk(*pair, columns=["town"])
    assert little.risk["distance_linkage_risk"] == pytest.approx(expected)
    with pytest.raises(InvalidInput, match="twon"):
        evaluate(*pair, known=["twon"])


def test_frozen_options_are_kept(pair):
    strict = partial(distance_linkage_risk, ties="strict")
    found = evaluate(*pair, loss=[], risk=[strict])
    assert found.risk == {"distance_linkage_risk": distance_linkage_risk(*pair, ties="strict")}
    chosen = evaluate(*pair, loss=[partial(sse_loss, columns=["age"])], risk=[])
    assert chosen.loss == {"sse_loss": sse_loss(*pair, columns=["age"])}


def test_a_measure_cannot_be_named_twice(pair):
    with pytest.raises(InvalidInput, match="twice"):
        evaluate(*pair, loss=[], risk=[interval_risk, partial(interval_risk, interval="sd")])


def test_a_measure_of_ones_own_runs_and_may_decline(pair):
    def nothing_to_say(original, masked, *, columns=None):
        raise NotApplicable("It is Sunday.")

    def seven(original, masked, *, columns=None):
        return 7

    found = evaluate(*pair, loss=[seven], risk=[nothing_to_say])
    assert found.loss == {"seven": 7.0}
    assert found.skipped == {"nothing_to_say": "It is Sunday."}
    assert found.information_loss == 7


def test_workers_may_be_any_map(pair, result):
    with ThreadPoolExecutor(2) as pool:
        found = evaluate(*pair, workers=pool.map)
    assert found.to_dict() == result.to_dict()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_workers_may_be_forked_processes(pair, result):
    """The threads of polars and numba do not survive a fork; a measure that needs them would never return."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons advise against fork
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
            found = evaluate(*pair, workers=partial(pool.map, timeout=100))
    assert found.to_dict() == result.to_dict()


def test_progress_is_told_and_may_be_stopped(pair):
    seen = []
    evaluate(*pair, loss=[sse_loss, il_loss], risk=[k_anonymity], callback=seen.append)
    assert [(p.fraction, p.message) for p in seen] == [
        (0.0, "Spread of numbers lost"),
        (pytest.approx(1 / 3), "Classic information loss"),
        (pytest.approx(2 / 3), "Highest risk in a class"),
    ], "said before the measure, not after it"
    stop = iter([False, True])
    found = evaluate(*pair, loss=[sse_loss, il_loss], risk=[k_anonymity], callback=lambda p: next(stop))
    assert list(found.loss) == ["sse_loss"]
    assert set(found.skipped) == {"il_loss", "k_anonymity"}


def test_it_prints_and_exports(result):
    text = str(result)
    assert text == repr(result)
    lines = text.splitlines()
    assert lines[0] == "60 records"
    assert lines[1].startswith(f"k = {result.k}: every record looks like at least {result.k - 1} other")
    assert "on average" in lines[2]
    assert "links" in lines[3]
    assert "Analysts lose" in lines[4]
    assert f"most changed: {result.most_changed.name}" in lines[4]
    for name in (*result.loss, *result.risk, "information_loss", "disclosure_risk", "score"):
        assert words_of(name).name in text
        assert words_of(name).name in result._repr_html_()
        assert name not in text, "ids are for machines"
    assert json.loads(result.to_json()) == json.loads(json.dumps(result.to_dict()))
    assert result.to_dict()["score"] == result.score


def test_names_cannot_break_the_page():
    found = Evaluation({}, {}, {"<b>": "a < b"}, 3, warnings=("x < y",))
    assert "<b>" not in found._repr_html_()
    assert "x &lt; y" in found._repr_html_()
    assert str(found).startswith("3 records\n")


def test_shuffled_rows_are_doubted(pair):
    original, masked = pair
    found = evaluate(original, masked.take(np.random.default_rng(0).permutation(N)), loss=[], risk=[])
    (warning,) = found.warnings
    assert "'name'" in warning
    assert "shuffled" in warning


def test_unrelated_numbers_are_doubted():
    rng = np.random.default_rng(1)
    original, other = as_table({"a": rng.normal(size=500)}), as_table({"a": rng.normal(size=500)})
    (warning,) = evaluate(original, other, loss=[], risk=[]).warnings
    assert "more often than chance" in warning


def test_swapping_one_column_is_no_reason_to_doubt(pair):
    original, _ = pair
    rng = np.random.default_rng(2)
    swapped = original.assign(ill=rng.permutation(original.column("ill")).tolist())
    assert not evaluate(original, swapped, loss=[], risk=[]).warnings


def test_numbers_that_became_text_are_counted_by_what_they_may_stand_for():
    before = as_table({"age": [21, 25, 38, 39], "pay": [1.0, 2.0, 3.0, 4.0]})
    after = as_table({"age": ["[21, 25]", "[21, 25]", "38-39", "38-39"], "pay": [1.5, 1.5, 3.5, 3.5]})
    found = evaluate(before, after)
    assert found.k == 2
    middles = as_table({"age": [23.0, 23, 38.5, 38.5], "pay": [1.5, 1.5, 3.5, 3.5]})
    assert found.loss["sse_loss"] == pytest.approx(sse_loss(before, middles))
    assert found.risk["distance_linkage_risk"] > 0
    assert not found.warnings
    assert {column.name: column.how for column in found.columns} == {"age": "coarser", "pay": "other values"}


def test_cells_nobody_can_read_are_said():
    before = as_table({"age": [21, 25, 38, 39]})
    found = evaluate(before, as_table({"age": ["20s", "20s", "30s", "30s"]}))
    (warning,) = found.warnings
    assert "4 cells of column 'age'" in warning
    assert "20s" not in warning


def test_labels_of_a_hierarchy_count_as_their_leaves():
    ages = hierarchy_from_rows([["21", "20s", "*"], ["25", "20s", "*"], ["38", "30s", "*"]])
    before = with_hierarchies(as_table({"age": [21, 25, 38]}), {"age": ages})
    found = evaluate(before, before.assign(age=["20s", "20s", "30s"]))
    assert not found.warnings
    assert found.loss["dbil"] == 50
    assert found.loss["gcp"] == pytest.approx(100 * 2 * 4 / 17 / 3)


def test_losses_look_at_every_column_that_changed_whatever_its_role(pair):
    original, _ = pair
    masked = original.assign(ill=["flu"] * N)
    found = evaluate(original, masked)
    assert found.keys == ("age", "pay", "town")
    assert found.most_changed.name == "ill"
    assert found.to_dict()["loss_by_role"]["quasi"] == 0
    assert found.to_dict()["loss_by_role"]["confidential"] > 0
    assert found.information_loss > 0
    assert "ill" not in {c.name for c in evaluate(original, masked, columns=["age"]).columns}


def test_a_column_recoded_to_its_top_is_lost_and_the_identity_loses_nothing(pair):
    original, _ = pair
    top = original.assign(age=["*"] * N, pay=["*"] * N, town=["*"] * N)
    assert evaluate(original, top, risk=[]).information_loss == pytest.approx(100)
    assert {column.loss for column in evaluate(original, top, risk=[]).columns} == {100}
    assert evaluate(original, original, risk=[]).information_loss == 0


def test_the_risk_by_class_counts_records_above_the_threshold():
    table = as_table({"age": [1, 1, 1, 1, 1, 2, 2, 3]}, roles={"quasi": "age"})
    found = evaluate(table, table, loss=[], risk=[]).classes
    assert (found.highest, found.mean, found.above) == (100, pytest.approx(100 * 3 / 8), 3)
    assert evaluate(table, table, loss=[], risk=[], threshold=0.1).classes.above == 8


def test_rows_in_another_order_are_not_compared_row_by_row(pair):
    original, masked = pair
    found = evaluate(original, masked.take(np.random.default_rng(0).permutation(N)), rows="checked")
    assert found.information_loss is None
    assert found.score is None
    assert "correspond" in found.skipped["sse_loss"]
    assert "ctbil" in found.loss, "what can still be computed"
    assert found.columns == ()


def test_an_evaluation_is_read_back(result):
    assert Evaluation.from_dict(json.loads(result.to_json())) == result


def test_standard_weights_name_measures_that_exist():
    names = {measure.__name__ for measure in (*LOSS, *RISK)}
    assert {*RISK_WEIGHTS, *NUMERIC_LOSS, *CATEGORICAL_LOSS} <= names
    for weights in (RISK_WEIGHTS, NUMERIC_LOSS, CATEGORICAL_LOSS):
        assert sum(weights.values()) == pytest.approx(1)


def test_the_old_spelling_of_loss_works_with_a_warning():
    pair = as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [1.0, 2.0, 4.0]})
    with pytest.warns(FutureWarning, match="`loss=`"):
        old = evaluate(*pair, utility=[sse_loss], risk=[])
    assert old.loss == evaluate(*pair, loss=[sse_loss], risk=[]).loss
    with pytest.warns(FutureWarning, match=r"Evaluation\.loss"):
        assert old.utility == old.loss
    with pytest.warns(FutureWarning, match="LOSS"):
        assert measures.UTILITY is measures.LOSS


@pytest.mark.parametrize(("role", "k"), [("household", 1), ("stratum", 2), ("other", 4)])
def test_a_masked_file_without_roles_is_counted_by_those_of_the_original(role, k):
    frame = {"age": [30, 30, 30, 30], "home": [1, 1, 2, 2]}
    if role == "household":
        frame["home"] = [1, 1, 1, 1]
    original = as_table(frame, roles={"quasi": "age"} | ({role: "home"} if role != "other" else {}))
    assert evaluate(original, as_table(frame)).k == k
    assert measures.k_anonymity(original, as_table(frame)) == 100 / k


def test_strata_are_known_to_every_intruder():
    """Within its stratum a record is found more often: the linkage is that of the strata as keys."""
    rng = np.random.default_rng(3)
    columns = {"age": rng.integers(20, 60, 80), "pay": rng.integers(1, 99, 80), "area": ["n", "s"] * 40}
    roles = {"quasi": ["age", "pay"], "stratum": "area"}
    table = as_table(columns, roles=roles)
    masked = microaggregate(table, k=4)
    found = evaluate(table, masked)
    asked = evaluate(table, masked, known=["age", "pay", "area"])
    assert found.keys == ("age", "pay", "area")
    assert found.risk["distance_linkage_risk"] == asked.risk["distance_linkage_risk"]
    fewer = evaluate(table, masked, known=["age", "pay"])
    assert found.risk["distance_linkage_risk"] > fewer.risk["distance_linkage_risk"]
    assert found.loss == fewer.loss
    for measure in (distance_linkage_risk, probabilistic_linkage_risk, measures.suda2):
        assert measure(table, masked) == measure(table, masked, columns=asked.keys), measure.__name__
    assert measures.cover_linkage(table, masked).percent == pytest.approx(
        measures.cover_linkage(table, masked, columns=asked.keys).percent
    )
    alone = measures.record_risks(table, masked)
    assert alone.equals(measures.record_risks(table, masked, columns=asked.keys))
