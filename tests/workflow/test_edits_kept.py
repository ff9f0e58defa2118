"""Edit rules in recipes: zeros stay, totals add up, everything is counted, nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, Promise, Recipe, as_table, check
from shoal.edits import check_edits
from shoal.workflow.edits_kept import check_rules, edits_in_words, with_totals, with_zeros

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
EDITS = ["total = wages + rent", "zeros of rent stay zero", "wages >= 0"]


def file(seed=1, n=200):
    rng = np.random.default_rng(seed)
    wages = rng.integers(0, 5000, n)
    rent = np.where(rng.random(n) < 0.5, 0, rng.integers(1, 900, n))
    columns = {"age": rng.integers(18, 90, n), "wages": wages, "rent": rent, "total": wages + rent}
    return as_table(columns, roles={"quasi": ["age", "wages", "rent"]})


def recipe(**more):
    step = {"method": "microaggregate", **more}
    return Recipe("r", {"quasi": ["age", "wages", "rent"]}, [step], promise={"k": 4}, edits=EDITS)


def test_zeros_stay_and_totals_add_up_and_k_is_kept():
    table = file()
    masked = recipe().run(table)
    assert [found.after for found in check_edits(table, masked, EDITS)] == [0, 0, 0]
    assert check(masked, Promise(k=4)).kept
    zero = table.column("rent") == 0
    assert (masked.column("rent")[zero] == 0).all()
    assert (masked.column("rent")[~zero] > 0).all(), "the others were averaged among themselves"
    bare = Recipe("r", {"quasi": ["age", "wages", "rent"]}, [{"method": "microaggregate"}], promise={"k": 4})
    assert max(found.after for found in check_edits(table, bare.run(table), EDITS)) > 50


def test_fewer_than_k_zeros_are_averaged_and_counted():
    table = as_table({"pay": [0, 5, 6, 7, 8, 9]}, roles={"quasi": "pay"})
    edits = ["zeros of pay stay zero"]
    masked = Recipe("r", {"quasi": ["pay"]}, [{"method": "microaggregate", "k": 2}], edits=edits).run(table)
    assert check(masked, Promise(k=2)).kept
    assert check_edits(table, masked, edits)[0].after == 1


def test_totals_that_were_wrong_before_and_not_touched_stay():
    table = as_table({"total": [9, 3], "wages": [1, 1], "rent": [1, 2]})
    assert with_totals(table, table, EDITS[:1]) == table
    done = with_totals(table, table.assign(rent=[1, 5]), EDITS[:1])
    assert done.frame["total"].to_list() == [9, 6]


def test_the_next_file_is_treated_alike():
    _, fitted = recipe().fit(file(), keep_centres=False)
    assert list(fitted.recipe.edits) == EDITS
    again = type(fitted)(Recipe.from_toml(fitted.recipe.to_toml()))
    other = file(2)
    assert [found.after for found in check_edits(other, again.apply(other), EDITS)] == [0, 0, 0]


def test_rules_are_part_of_the_text_and_of_the_script():
    given = recipe()
    assert Recipe.from_toml(given.to_toml()) == given == Recipe.from_json(given.to_json())
    assert "with_totals(table, masked, ['total = wages + rent'" in given.to_python()


def test_zeros_go_to_steps_that_can_keep_them():
    known = {"zeros": None}
    assert "zeros" not in with_zeros({"method": "m"}, EDITS, {})
    assert "zeros" not in with_zeros({"method": "m", "columns": ["age"]}, EDITS, known)
    assert "zeros" not in with_zeros({"method": "m"}, EDITS, known, ["age"])
    assert with_zeros({"method": "m", "zeros": []}, EDITS, known)["zeros"] == []
    assert with_zeros({"method": "m"}, EDITS, known)["zeros"] == ["rent"]


def test_households_keep_zeros_of_both_kinds():
    rng = np.random.default_rng(4)
    home = np.repeat(np.arange(60), 3)
    rent = np.where(np.arange(60) % 2, 0, rng.integers(1, 900, 60))[home]
    wages = np.where(rng.random(180) < 0.4, 0, rng.integers(1, 5000, 180))
    roles = {"quasi": ["rent", "wages"], "household": ["home"]}
    table = as_table({"home": home, "rent": rent, "wages": wages}, roles=roles)
    edits = ["zeros of rent stay zero", "zeros of wages stay zero"]
    masked = Recipe("r", roles, [{"method": "microaggregate", "k": 3}], edits=edits).run(table)
    assert check_edits(table, masked, edits)[0].after == 0
    assert check(masked, Promise(k=3)).kept


def test_what_cannot_be_counted_is_said():
    table = file()
    steps = [{"method": "mondrian", "k": 3}]
    masked = Recipe("r", {"quasi": ["age", "wages", "rent"]}, steps, edits=EDITS).run(table)
    said = edits_in_words(table, masked, EDITS)
    assert len(said) == 3
    assert all("cannot be checked: what was released of" in line for line in said)


@pytest.mark.parametrize("edits", [["import os"], [3], ["total ="]])
def test_rules_that_cannot_be_read_are_refused_when_the_recipe_is_made(edits):
    with pytest.raises(InvalidInput):
        Recipe("r", {}, [{"method": "microaggregate", "k": 3}], edits=edits)
    with pytest.raises(InvalidInput):
        check_rules(edits)
