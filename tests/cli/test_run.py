"""shoal run: a recipe that was saved does the same again."""

from __future__ import annotations

from cli.files import ROLES


def test_a_recipe_saved_can_be_run_shown_and_repeated(shoal):
    options = ["--set", "round=true", "--set", 'partition={method="mdav", leftovers="nearest"}']
    assert shoal("mask", "people.csv", "--k", "4", *ROLES, *options, "--save-recipe", "r.toml")[0] == 0
    code, out, _ = shoal("run", "people.csv", "r.toml", "-o", "safe.csv")
    assert (code, out[:13]) == (0, "k = 4 reached")
    assert "partial(mdav, leftovers='nearest')" in shoal("run", "people.csv", "r.toml", "--script")[1]
    assert shoal("mask", "people.csv", "--k", "4", *ROLES, "--save-recipe", "r.toml")[0] == 2
