"""A recipe as a script and as a command: what they say is what the recipe does."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shoal import Recipe, read_table
from shoal.cli.commands import app
from shoal.workflow.recipe_texts import command_line, python_script

ROLES = {"quasi": ["age", "town"], "confidential": ["pay"], "identifier": ["name"]}
ROWS = [
    "name,age,town,pay,size",
    *(f"p{i},{20 + i % 7},{'ab'[i % 2]},{100 + i},{'sml'[i % 3]}" for i in range(42)),
]
SAID = [
    Recipe("plain", ROLES, [{"method": "microaggregate", "k": 3}]),
    Recipe("promise", ROLES, [{"method": "microaggregate"}], promise={"k": 3, "l": {"pay": 2}}),
    Recipe(
        "risk",
        ROLES,
        [{"method": "mondrian"}],
        promise={"max_risk": 0.4, "t": {"pay": 0.6}, "alpha_k": {"alpha": {"pay": 0.9}}},
    ),
    Recipe(
        "two",
        ROLES,
        [
            {"method": "top_code", "quantile": {"age": 0.9}},
            {"method": "suppress_to_k", "k": 2, "importance": {"age": 2.5}},
        ],
    ),
    Recipe("few", ROLES, [{"method": "suppress_to_k"}], promise={"k": 3, "known_keys": 1}),
    Recipe(
        "wholes",
        {"quasi": ["age", "size"], "household": ["pay"]},
        [{"method": "suppress_to_k"}],
        promise={"k": 3, "whole_households": "size"},
    ),
    Recipe(
        "kinds",
        {"quasi": ["age", "size"]},
        [{"method": "microaggregate", "k": 3, "partition": "mdav", "scale": "range"}],
        kinds={"size": ["s", "m", "l"], "age": "ordinal"},
    ),
    Recipe(
        "nested",
        ROLES,
        [{"method": "microaggregate", "k": 3, "partition": {"method": "v_mdav", "gamma": "auto"}}],
    ),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("people data.csv").write_text("\n".join(ROWS) + "\n")
    return tmp_path


@pytest.mark.parametrize("recipe", SAID, ids=lambda r: r.name)
def test_the_command_says_the_recipe(recipe, folder):
    words = shlex.split(recipe.to_command("people data.csv", "out.csv"))
    assert words[:3] == ["shoal", "mask", "people data.csv"]
    done = CliRunner().invoke(app, [*words[1:], "--save-recipe", "saved.toml"])
    assert done.exit_code == 0, done.output
    said = Recipe.read("saved.toml")
    assert said.roles == dict(recipe.roles)
    assert (said.steps, said.kinds, said.promise) == (recipe.steps, recipe.kinds, recipe.promise)
    assert len(read_table("out.csv")) == 42


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe("comma", {"quasi": ["a,b"]}, [{"method": "microaggregate", "k": 2}]),
        Recipe(
            "twice", ROLES, [{"method": "top_code", "quantile": 0.9}, {"method": "top_code", "quantile": 0.8}]
        ),
        Recipe("tree", ROLES, [{"method": "mondrian", "k": 2}], hierarchies={"age": {"widths": [5]}}),
        Recipe("numbers", ROLES, [{"method": "mondrian", "k": 2}], kinds={"age": [3, 2, 1]}),
        Recipe("others", {"other": ["age"]}, [{"method": "mondrian", "k": 2, "columns": ["age"]}]),
        Recipe("hidden", {"quasi": ["age"]}, [{"method": "mondrian", "k": 2}], promise={"l": {"pay": 2}}),
    ],
    ids=lambda r: r.name,
)
def test_what_options_cannot_say_is_left_to_the_recipe_file(recipe):
    assert command_line(recipe, "a.csv", "b.csv", "r.toml") == "shoal run a.csv r.toml -o b.csv"


def test_names_never_become_options_or_shell():
    recipe = Recipe("odd", {"quasi": ["-k", "$(rm x)"]}, [{"method": "microaggregate", "k": 2}])
    words = shlex.split(command_line(recipe, "-a.csv", "b; c.csv", "r.toml"))
    assert words[2] == "./-a.csv"
    assert "--quasi=-k,$(rm x)" in words
    assert words[-1] == "b; c.csv"


@pytest.mark.parametrize("name", ["few", "wholes"])
def test_the_script_promises_what_the_recipe_does(name, folder, capsys):
    (recipe,) = [one for one in SAID if one.name == name]
    exec(compile(python_script(recipe, "people data.csv", "out.csv"), "script", "exec"), {})
    said = {"few": "in any 1 of the keys", "wholes": "for whole households (size)"}[name]
    assert said in capsys.readouterr().out.splitlines()[0]
    assert len(read_table("out.csv")) == 42


def test_the_script_names_the_files_and_runs(folder, capsys):
    script = python_script(SAID[1], "people data.csv", 'o"ut.csv')
    exec(compile(script, "script", "exec"), {})
    assert "the promise is kept (k = 3, l of pay = 2)" in capsys.readouterr().out
    assert len(read_table('o"ut.csv')) == 42
    assert read_table('o"ut.csv').names() == ["age", "town", "pay", "size"]
