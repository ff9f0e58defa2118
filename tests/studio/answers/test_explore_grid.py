"""The grids: every entry makes a recipe that can be run."""

from __future__ import annotations

import pytest

from shoal import Recipe
from shoal.datasets import make_census
from shoal.studio.answers.explore_grid import WAYS, grid_of, points_of
from shoal.studio.plan import EMPTY


@pytest.mark.parametrize("grid", ["quick", "thorough", "own"])
@pytest.mark.parametrize("promise", [{"k": 5}, {"max_risk": 0.2}])
def test_every_entry_is_a_recipe(grid, promise):
    table = make_census(60, rng=1)
    sizes = [5, 10] if grid == "own" else []
    found = grid_of(table, {**EMPTY, "promise": promise}, grid, list(WAYS), sizes)
    assert len(found) >= 5
    for name, steps in found.items():
        recipe = Recipe(name, {}, steps, promise=promise)
        assert recipe.bound_steps()[-1].get("k") or recipe.promise.max_risk


def test_recoding_needs_hierarchies():
    table = make_census(60, rng=1)
    plain = grid_of(table, {**EMPTY, "promise": {"k": 5}}, "thorough", [], [])
    grown = grid_of(
        table, {**EMPTY, "promise": {"k": 5}, "hierarchies": {"age": {"widths": [10]}}}, "thorough", [], []
    )
    assert {name for name in grown if "categories" in name} - set(plain)


def test_no_exploration_yet():
    assert points_of(None, 7) == {"planned": 7, "points": []}
