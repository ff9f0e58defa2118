"""Grids of methods and options as recipes that say everything."""

from __future__ import annotations

from functools import partial

import pytest

from shoal import InvalidInput, Recipe, as_table, evaluate, explore
from shoal.datasets import make_scattered
from shoal.measures import distance_linkage_risk, interval_risk, sse_loss
from shoal.workflow.explore import make_recipes

quick = partial(evaluate, loss=[sse_loss], risk=[interval_risk, distance_linkage_risk])
GRID = {"mdav": {"k": [3, 6]}, "rank_swap": {"percent": [10]}, "add_noise": {"amount": [0.2]}}


@pytest.fixture(scope="module")
def table():
    return make_scattered(40, d=3, rng=1)


@pytest.fixture(scope="module")
def found(table):
    return explore(table, GRID, evaluation=quick, rng=5)


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


def test_methods_are_a_list_not_a_text():
    with pytest.raises(InvalidInput, match="list of names"):
        make_recipes("mdav", k=[3])
