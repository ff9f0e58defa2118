"""explore: the figures of evaluate, a front nobody beats, kept figures without data, stops and failures."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import Infeasible, InvalidInput, NotApplicable, Recipe, as_table, evaluate, explore
from shoal.datasets import load_sme, make_census, make_scattered
from shoal.measures import distance_linkage_risk, interval_risk, sse_loss
from shoal.workflow.explore import Candidate, Exploration, make_recipes, pareto_front, roles_of, rule_in_words

quick = partial(evaluate, loss=[sse_loss], risk=[interval_risk, distance_linkage_risk])
GRID = {"mdav": {"k": [3, 6]}, "rank_swap": {"percent": [10]}, "add_noise": {"amount": [0.2]}}


class Judge:
    """An evaluation whose name does not say what it does."""

    def __call__(self, original, masked):
        return quick(original, masked)


@pytest.fixture(scope="module")
def table():
    return make_scattered(40, d=3, rng=1)


@pytest.fixture(scope="module")
def found(table):
    return explore(table, GRID, evaluation=quick, rng=5)


def without_seconds(exploration):
    content = exploration.to_dict()
    return [{**candidate, "seconds": None} for candidate in content["candidates"]]


def test_figures_are_those_of_evaluate_and_a_seed_makes_the_file_again(table, found):
    for candidate in found.candidates:
        masked = candidate.recipe.run(table, rng=5)
        judged = quick(as_table(table, roles=candidate.recipe.roles), masked)
        assert judged == candidate.evaluation
        assert (candidate.loss, candidate.risk) == (judged.information_loss, judged.disclosure_risk)
        assert (candidate.score, candidate.k) == (judged.score, judged.k)
    assert found.frame["name"].to_list() == [
        *("mdav, k = 3", "mdav, k = 6", "rank_swap, percent = 10", "add_noise, amount = 0.2")
    ]
    assert json.loads(found.frame["options"][0]) == [
        {"method": "microaggregate", "k": 3, "partition": "mdav"}
    ]
    assert found.complete
    assert str(found).splitlines()[0] == "40 records"
    assert "<table>" in found._repr_html_()


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)) | st.none(), max_size=12))
def test_the_front_is_whoever_no_other_beats(points):
    def beaten(mine):
        others = [p for p in points if p is not None]
        return any(p[0] <= mine[0] and p[1] <= mine[1] and p != mine for p in others)

    assert pareto_front(points) == {at for at, p in enumerate(points) if p is not None and not beaten(p)}


def test_recommendations_follow_the_stated_rule(found):
    compared = found.candidates
    assert found.recommend().score == min(c.score for c in compared)
    limit = sorted(c.risk for c in compared)[2]
    taken = found.recommend(risk=limit)
    assert taken.loss == min(c.loss for c in compared if c.risk <= limit)
    assert taken.front
    assert found.recommend(k=6).k >= 6
    assert rule_in_words(risk=20, k=3).endswith("at most 20 among those where at least 3 records look alike")
    with pytest.raises(Infeasible, match=r"at most 0; the lowest is \d"):
        found.recommend(risk=0)
    with pytest.raises(Infeasible, match="No recipe makes 41 records look alike"):
        found.recommend(k=41)
    with pytest.raises(InvalidInput, match="`risk` must be a number from 0 to 100"):
        found.recommend(risk=101)


def test_a_failing_recipe_is_a_row_with_its_reason(table):
    found = explore(table, {"mdav": {"k": [3, 41]}, "exhaustive": {"k": [3]}}, evaluation=quick)
    failed = {c.name: c.failed for c in found.candidates if c.failed}
    assert failed["mdav, k = 41"].startswith("`k` must be an integer from 2 to 40")
    assert failed["exhaustive, k = 3"].startswith("Exhaustive search is for at most 20")
    assert found.frame["failed"].to_list()[1] == failed["mdav, k = 41"]
    assert [candidate.name for candidate in found.front] == ["mdav, k = 3"]
    assert len(found.rows()) == 1
    assert len(found.notes()) == 2


def test_an_unexpected_error_shows_no_value(table):
    def broken(original, masked):
        raise ValueError("value 1234 of the file")

    found = explore(table, {"mdav": {"k": [3]}}, evaluation=broken)
    assert found.candidates[0].failed == "It stopped on an unexpected ValueError."
    with pytest.raises(NotApplicable, match="No recipe gave a loss and a risk"):
        found.recommend()


def test_what_rests_on_other_columns_is_never_compared():
    table = as_table(make_census(120, rng=1), roles={"other": make_census(120, rng=1).names()})
    table = as_table(table, roles={"quasi": ["age", "sex", "household_size"]})
    grid = {"mondrian": {"k": [3, 5], "release": ["regions"]}, "mdav": {"k": [3]}}
    found = explore(table, grid)
    doubts = {c.name: c.doubt for c in found.candidates}
    assert doubts["mdav, k = 3"] == ""
    assert "No loss looks at" in doubts["mondrian, k = 3, release = regions"]
    assert [c.name for c in found.front] == ["mdav, k = 3"]
    assert found.recommend(risk=100).name == "mdav, k = 3"
    assert found.rows()[0][-1] == "?"


def test_kept_figures_are_used_again_and_hold_neither_data_nor_seed(table, tmp_path):
    calls = []
    secret = 918273645
    first = explore(table, GRID, evaluation=quick, folder=tmp_path, rng=secret)
    again = explore(table, GRID, evaluation=quick, folder=tmp_path, callback=calls.append)
    assert again == first, "seconds too: nothing was run"
    assert len(calls) == 1
    assert calls[0].fraction == 1
    text = "".join(path.read_text(errors="replace") for path in tmp_path.iterdir() if path.name != "key")
    assert str(secret) not in text
    for value in table.column(table.names()[0]):
        assert repr(float(value)) not in text
    assert {oct(path.stat().st_mode & 0o077) for path in tmp_path.iterdir()} == {"0o0"}


def test_another_table_recipe_or_measure_is_run_anew(table, tmp_path):
    def entries():
        return len(list(tmp_path.glob("*.json")))

    grid = {"mdav": {"k": [3]}}
    for count, (given_table, given_grid, given_evaluation) in enumerate(
        [
            (table, grid, quick),
            (table.take(np.arange(40)[::-1]), grid, quick),
            (table, {"mdav": {"k": [4]}}, quick),
            (table, grid, partial(quick, combine="max")),
            (as_table(table, roles={"other": table.names()[:1]}), grid, quick),
        ],
        1,
    ):
        explore(given_table, given_grid, evaluation=given_evaluation, folder=tmp_path)
        assert entries() == count
    renamed = [Recipe("mine", roles_of(table), make_recipes(grid)[0].steps)]
    assert explore(table, renamed, evaluation=quick, folder=tmp_path).candidates[0].name == "mine"
    assert entries() == 5


def test_damaged_figures_are_made_again_and_a_damaged_key_is_said(table, tmp_path):
    grid = {"mdav": {"k": [3]}}
    first = explore(table, grid, evaluation=quick, folder=tmp_path)
    (entry,) = tmp_path.glob("*.json")
    entry.write_text(entry.read_text()[:40])
    assert without_seconds(explore(table, grid, evaluation=quick, folder=tmp_path)) == without_seconds(first)
    (tmp_path / "key").write_bytes(b"short")
    with pytest.raises(InvalidInput, match="damaged key"):
        explore(table, grid, evaluation=quick, folder=tmp_path)
    with pytest.raises(InvalidInput, match="cannot keep figures"):
        explore(table, grid, evaluation=quick, folder=entry)
    for nameless in (lambda a, b: quick(a, b), Judge()):
        with pytest.raises(InvalidInput, match="cannot be kept, since its name does not say all"):
            explore(table, grid, evaluation=nameless, folder=tmp_path / "other")


def test_whole_numbers_beyond_floats_make_another_file(tmp_path):
    big = 2**60
    for offset in (0, 1):
        table = as_table({"a": [1, 2, 3, big + offset]}, roles={"quasi": ["a"]})
        explore(table, {"mdav": {"k": [2]}}, evaluation=quick, folder=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 2


def test_a_stop_keeps_what_is_done_and_goes_on_later(table, tmp_path):
    seen = []

    def stop_after_two(progress):
        seen.append(progress)
        return len(progress.best.candidates) == 2

    part = explore(table, GRID, evaluation=quick, folder=tmp_path, rng=5, callback=stop_after_two)
    assert [c.name for c in part.candidates] == ["mdav, k = 3", "mdav, k = 6"]
    assert not part.complete
    assert part.planned == 4
    fractions = [progress.fraction for progress in seen]
    assert fractions == sorted(fractions)
    whole = explore(table, GRID, evaluation=quick, folder=tmp_path, rng=5)
    assert whole.candidates[0].seconds == part.candidates[0].seconds, "kept, not run again"
    assert without_seconds(whole) == without_seconds(explore(table, GRID, evaluation=quick, rng=5))


def test_a_recipe_interrupted_in_the_middle_is_not_kept(table, tmp_path):
    part = explore(table, GRID, evaluation=quick, folder=tmp_path, callback=lambda progress: True)
    assert part.candidates == ()
    assert not list(tmp_path.glob("*.json"))


def test_workers_give_the_same_and_work_can_travel(table, tmp_path, found):
    with ThreadPoolExecutor(2) as pool:
        threaded = explore(table, GRID, evaluation=quick, folder=tmp_path, rng=5, workers=pool.map)
    assert without_seconds(threaded) == without_seconds(found)
    assert len(list(tmp_path.glob("*.json"))) == 4

    def travelling(function, tasks):
        return [pickle.loads(pickle.dumps(function(pickle.loads(pickle.dumps(task))))) for task in tasks]

    assert without_seconds(
        explore(table, GRID, evaluation=quick, rng=5, workers=travelling)
    ) == without_seconds(found)


def test_json_both_ways(found):
    again = Exploration.from_json(found.to_json())
    assert again == found
    assert found.to_csv().startswith("name,options,k,loss")
    with pytest.raises(InvalidInput, match="no exploration"):
        Exploration.from_json("[1]")


def test_grids_become_recipes_that_say_everything():
    recipes = make_recipes(["mdav", "mondrian", "pram"], k=[3, 5])
    assert [recipe.name for recipe in recipes] == [
        *("mdav, k = 3", "mdav, k = 5"),
        *("mondrian, k = 3", "mondrian, k = 5"),
        *("pram, p = 0.9", "pram, p = 0.7", "pram, p = 0.5"),
    ]
    assert recipes[2].steps == [{"method": "mondrian", "k": 3, "release": "centres"}]
    (step,) = make_recipes({"v_mdav": {"k": 3, "gamma": 0.1, "round": True}})[0].steps
    assert step == {
        "method": "microaggregate",
        "k": 3,
        "round": True,
        "partition": {"method": "v_mdav", "gamma": 0.1},
    }
    (step,) = make_recipes({"invariant_matrix": {"p": [0.8]}})[0].steps
    assert step == {"method": "pram", "matrices": {"method": "invariant_matrix", "p": 0.8}}


def test_a_grid_says_the_kinds_that_would_be_guessed_wrong():
    table = as_table(
        {"size": ["s", "m", "l", "s"], "code": [1, 2, 1, 2]},
        roles={"quasi": ["size", "code"]},
        kinds={"size": ["s", "m", "l"], "code": "nominal"},
    )
    found = explore(table, {"mdav": {"k": [2]}})
    assert found.candidates[0].recipe.kinds == {"size": ["s", "m", "l"], "code": "nominal"}
    recipe = Recipe.from_toml(found.candidates[0].recipe.to_toml())
    assert recipe.run(as_table(table.frame)).frame.equals(recipe.run(table).frame)


@pytest.mark.parametrize(
    ("recipes", "sentence"),
    [
        ([], "nothing to explore"),
        ({}, "nothing to explore"),
        (["mdav"], "nothing to explore"),
        ({"mdva": {}}, "Did you mean 'mdav'"),
        ({"mdav": {}}, "needs k"),
        ({"mdav": {"k": []}}, "is empty"),
        ({"mdav": {"k": [3], "gama": [1]}}, "no option of mdav 'gama'"),
        ([Recipe("a", {}, [{"method": "shuffle"}])] * 2, "Two recipes are called 'a'"),
    ],
)
def test_faults_are_one_sentence(table, recipes, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        explore(table, recipes)


def test_methods_are_a_list_not_a_text():
    with pytest.raises(InvalidInput, match="list of names"):
        make_recipes("mdav", k=[3])


def test_a_candidate_that_measured_nothing_says_so():
    found = explore(load_sme(), {"mdav": {"k": [3]}}, evaluation=partial(evaluate, loss=[]))
    (candidate,) = found.candidates
    assert isinstance(candidate, Candidate)
    assert candidate.doubt == "No loss or no risk could be measured, so it cannot be compared."
    assert found.front == ()
