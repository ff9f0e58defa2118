"""shoal groups: the search for column groups, and its recipe."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import polars as pl


def test_groups_shows_the_search_against_hand_made_groupings_and_writes_a_recipe(shoal):
    rng = np.random.default_rng(1)
    pl.DataFrame({name: rng.normal(size=60).round(3) for name in "abcd"}).write_csv("numbers.csv")
    arguments = [
        "groups",
        "numbers.csv",
        "--k",
        "10",
        "--population",
        "8",
        "--generations",
        "3",
        "--seed",
        "7",
    ]
    code, out, _ = shoal(*arguments)
    assert code == 0
    header, *rows = [line.split("\t") for line in out.splitlines() if "\t" in line]
    scores = {row[0]: float(row[header.index("score")]) for row in rows}
    assert scores["gomm"] == min(scores.values())
    assert {"all_together", "each_alone", "correlated_together 3", "correlated_apart 3"} < scores.keys()
    recipe = Path("numbers-groups.toml").read_text()
    assert "seed" not in recipe
    assert sorted(name for group in tomllib.loads(recipe)["steps"][0]["groups"] for name in group) == list(
        "abcd"
    )
    assert shoal("run", "numbers.csv", "numbers-groups.toml", "-o", "safe.csv")[0] == 0
    assert shoal(*arguments)[0] == 2, "the recipe is not overwritten"
    figures = json.loads(shoal(*arguments, "--dynamic", "--force", "--json")[1])
    assert figures["costs"]["d_gomm"]["score"] <= scores["all_together"] + 0.005
