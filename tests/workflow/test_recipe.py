from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import InvalidInput, Recipe, as_table, microaggregate, read_table, write_table
from shoal.hierarchy import hierarchy_from_rows
from shoal.measures import gcp

STEP = {"method": "microaggregate", "k": 2}
COLUMNS = {"name": ["x", "y", "z", "w"], "age": [20, 22, 61, 63], "pay": [1, 5, 2, 6]}
TABLE = as_table(COLUMNS)
ROLES = {"quasi": ["age", "pay"], "identifier": ["name"]}


def test_it_does_what_the_functions_do():
    by_hand = microaggregate(as_table(TABLE, roles=ROLES), k=2)
    assert Recipe("r", ROLES, [STEP]).run(TABLE).frame.equals(by_hand.frame)


def test_nested_methods_by_name_with_and_without_options():
    plain = Recipe("r", ROLES, [STEP | {"partition": "mdav"}]).run(TABLE)
    options = Recipe("r", ROLES, [STEP | {"partition": {"method": "mdav", "leftovers": "nearest"}}]).run(
        TABLE
    )
    assert plain.frame.equals(options.frame)


@given(
    st.text(),
    st.dictionaries(st.sampled_from(["quasi", "confidential", "other"]), st.lists(st.text(), unique=True)),
    st.integers(2, 9),
    st.booleans(),
)
def test_toml_and_json_go_both_ways(name, roles, k, whole):
    step = {"method": "microaggregate", "k": k, "round": whole, "partition": {"method": "mdav"}}
    recipe = Recipe(name, roles, [step], {"size": ["s", "m"], "town of birth": "nominal"})
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    assert Recipe.from_json(recipe.to_json()) == recipe


def test_the_script_does_the_same(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_table(TABLE, "original.csv", identifiers=True, shuffle=False)
    step = STEP | {"partition": {"method": "mdav", "leftovers": "nearest"}}
    recipe = Recipe("r", ROLES, [step, STEP | {"k": 3, "partition": "mdav"}])
    exec(compile(recipe.to_python(), "script", "exec"), {})
    assert "Promised k = 3, reached k = 4." in capsys.readouterr().out
    released = read_table("protected.csv").frame
    assert released.columns == ["age", "pay"]
    assert sorted(released["age"].to_list()) == sorted(recipe.run(TABLE).frame["age"].to_list())


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ([{"method": "microagregate", "k": 2}], "no method 'microagregate'. Did you mean 'microaggregate'"),
        ([{"method": "mdav", "k": 2}], "mdav is no method by itself"),
        ([{"method": "microaggregate"}], "needs the option `k`"),
        (
            [STEP | {"scal": "zscore"}],
            "no option of microaggregate 'scal'. Did you mean 'scale'. *Known: k, partition",
        ),
        ([STEP | {"partition": "mdva"}], "no method 'mdva'. Did you mean 'mdav'"),
        ([STEP | {"partition": {"method": "mdav", "left": 1}}], "no option of mdav 'left'"),
        ([STEP | {"rng": 1}], "no option of microaggregate 'rng'"),
        ([{"k": 2}], "needs the name of a method"),
        (["microaggregate"], "needs the name of a method"),
        ([], "no steps"),
    ],
)
def test_unknown_names_and_options_are_answered_with_the_known(steps, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        Recipe("r", ROLES, steps)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.toml", "name = ", "not TOML"),
        ("a.json", "{", "not JSON"),
        ("a.json", "[]", "must be a JSON object"),
        ("a.toml", 'nam = "x"', "no entry of a recipe 'nam'. Did you mean 'name'"),
        ("a.toml", 'name = "x"', "needs a list of steps"),
        ("a.toml", '[roles]\nquasi = "age"\n[[steps]]\nmethod="microaggregate"\nk=2', "list of column names"),
        ("a.yaml", "name: x", "must be one of '.toml', '.json'"),
    ],
)
def test_files_that_are_no_recipes(tmp_path, name, text, sentence):
    (tmp_path / name).write_text(text)
    with pytest.raises(InvalidInput, match=sentence):
        Recipe.read(tmp_path / name)


def test_a_missing_recipe_file(tmp_path):
    with pytest.raises(InvalidInput, match="cannot be read"):
        Recipe.read(tmp_path / "none.toml")


def test_read_takes_both_formats(tmp_path):
    recipe = Recipe("r", ROLES, [STEP])
    (tmp_path / "r.toml").write_text(recipe.to_toml())
    (tmp_path / "r.json").write_text(recipe.to_json())
    assert Recipe.read(tmp_path / "r.toml") == Recipe.read(tmp_path / "r.json") == recipe


AGES = {"quasi": ["age"]}
BY_LEVEL = [{"method": "global_recode", "levels": {"age": 1}}]


def test_hierarchies_live_in_the_recipe_and_travel_with_the_table(tmp_path):
    recipe = Recipe("ages", AGES, BY_LEVEL, hierarchies={"age": {"widths": [10, 20]}})
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    assert Recipe.from_json(recipe.to_json()) == recipe
    table = as_table({"age": [20, 22, 61, 63]})
    masked = recipe.run(table)
    assert masked.frame["age"].to_list() == ["[20, 30)", "[20, 30)", "[60, 70)", "[60, 70)"]
    assert gcp(recipe.describe(table), masked) == pytest.approx(100 * 2 / 43)
    assert "with_hierarchies" in recipe.to_python()


def test_a_hierarchy_file_beside_the_recipe_is_found(tmp_path):
    (tmp_path / "age.csv").write_text("20;young;*\n61;old;*\n")
    (tmp_path / "r.toml").write_text(Recipe("ages", AGES, BY_LEVEL, hierarchies={"age": "age.csv"}).to_toml())
    recipe = Recipe.read(tmp_path / "r.toml")
    assert recipe.run(as_table({"age": [20, 61]})).frame["age"].to_list() == ["young", "old"]


def test_a_hierarchy_that_is_an_object_becomes_rows():
    tree = hierarchy_from_rows([["20", "young", "*"], ["61", "old", "*"]])
    recipe = Recipe("ages", AGES, BY_LEVEL, hierarchies={"age": tree})
    assert Recipe.from_toml(recipe.to_toml()).run(as_table({"age": [20]})).frame["age"].to_list() == ["young"]


def test_a_hierarchy_of_a_column_that_is_not_there_is_refused():
    recipe = Recipe("ages", AGES, BY_LEVEL, hierarchies={"agee": {"widths": [10]}})
    with pytest.raises(InvalidInput, match="agee"):
        recipe.run(as_table({"age": [20, 30]}))


def test_steps_of_gives_the_table_after_every_step():
    steps = [{"method": "add_noise", "amount": 0.1}, {"method": "rank_swap", "percent": 20}, STEP]
    table = as_table(COLUMNS, roles={"quasi": ["age", "pay"]})
    whole = Recipe("r", {"quasi": ["age", "pay"]}, steps)
    found = whole.steps_of(table, rng=3)
    assert len(found) == 3
    assert found[-1] == whole.run(table, rng=3)
    for count in (1, 2):  # adding a step behind does not change what came before
        shorter = replace(whole, steps=steps[:count])
        assert shorter.steps_of(table, rng=3) == found[:count]
    assert found[0] != found[1]


def test_steps_of_takes_plain_frames_and_reports():
    recipe = Recipe("r", {"quasi": ["age", "pay"]}, [STEP, STEP])
    seen = []
    frames = recipe.steps_of(pl.DataFrame(COLUMNS), callback=seen.append)
    assert all(isinstance(frame, pl.DataFrame) for frame in frames)
    assert seen[-1].fraction > 0.5
