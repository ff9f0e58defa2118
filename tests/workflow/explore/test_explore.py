"""explore: the figures of evaluate, a front nobody beats, kept figures without data, stops and failures."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest

from shoal import InvalidInput, NotApplicable, Recipe, as_table, evaluate, explore
from shoal.datasets import make_census, make_scattered
from shoal.measures import distance_linkage_risk, interval_risk, sse_loss
from shoal.workflow.explore.result import arrange

quick = partial(evaluate, loss=[sse_loss], risk=[interval_risk, distance_linkage_risk])
GRID = {"mdav": {"k": [3, 6]}, "rank_swap": {"percent": [10]}, "add_noise": {"amount": [0.2]}}


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


def test_regions_are_compared_with_centres_but_cells_nobody_can_read_with_nothing():
    table = as_table(make_census(120, rng=1), roles={"quasi": ["age", "sex", "household_size"]})
    grid = {"mondrian": {"k": [3, 5], "release": ["regions"]}, "mdav": {"k": [3]}}
    found = explore(table, grid)
    assert {c.doubt for c in found.candidates} == {""}
    assert all(0 < c.loss < 100 for c in found.candidates)
    odd = replace(found.candidates[0], left_out=("age",))
    doubted = arrange(120, 3, [odd, *found.candidates[1:]])
    assert "Nobody can read all cells of age" in doubted.candidates[0].doubt
    assert doubted.rows()[0][-1] == "?"


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
    ],
)
def test_faults_are_one_sentence(table, recipes, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        explore(table, recipes)


def test_recipes_of_one_name_get_names_of_their_own(table):
    recipe = Recipe("a", {"quasi": table.names()}, [{"method": "microaggregate", "k": 3}])
    found = explore(table, [recipe, recipe], evaluation=quick)
    assert [candidate.name for candidate in found.candidates] == ["a", "a (2)"]


def test_a_recipe_is_held_to_its_own_promise(table):
    step = {"method": "microaggregate", "k": 3}
    more = Recipe("more", {"quasi": table.names()}, [step], promise={"k": 5})
    found = explore(table, [Recipe("as many", {"quasi": table.names()}, [step]), more], evaluation=quick)
    assert [candidate.kept for candidate in found.candidates] == [True, False]
    assert found.recommend().name == "as many"
    assert "breaks its promise (k = 5; k = 3 is reached)" in found.notes()[0]
