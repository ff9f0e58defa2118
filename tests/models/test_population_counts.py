"""k-map and presence against a population table: counted by hand, in maskers, recipes, the gate and check."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal import InvalidInput, Promise, Recipe, as_table, check
from shoal.errors import PromiseBroken
from shoal.models.population_counts import people_by_record, population_of
from shoal.search import recode_to_k
from shoal.workflow.release import release

WIDTHS = {"age": {"widths": [10, 20, 40]}}


def world(seed, people=400, sample=60):
    rng = np.random.default_rng(seed)
    age, sex = rng.integers(0, 80, people), rng.choice(["f", "m"], people)
    rows = rng.choice(people, sample, replace=False)
    roles = {"quasi": ["age", "sex"]}
    table = as_table({"age": age[rows], "sex": sex[rows]}, roles=roles, kinds={"age": "numeric"})
    return table, pl.DataFrame({"age": age, "sex": sex})


def fitting(row, everybody):
    """By hand: how many people a released row may be."""
    age, sex = row
    found = everybody
    if sex != "*":
        found = found.filter(pl.col("sex") == sex)
    if age != "*":
        low, high = (int(part) for part in age.strip("[)").split(", "))
        found = found.filter((pl.col("age") >= low) & (pl.col("age") < high))
    return len(found)


@pytest.mark.parametrize("seed", range(6))
def test_every_class_stands_for_so_many_people(seed, tmp_path):
    table, everybody = world(seed)
    promise = Promise(k=2, others={"k_map": {"people": 30, "population": everybody}})
    asked = {"k_map": promise.others["k_map"]}
    masked = recode_to_k(
        table, k=2, suppression=0.0, hierarchies=WIDTHS, levels={"age": [1, 4]}, promise=asked
    )
    assert min(fitting(row, everybody) for row in masked.frame.select("age", "sex").rows()) >= 30
    assert check(masked, promise).kept
    assert release(table, masked, promise, tmp_path / "out.csv").kept
    most = Promise(others={"k_map": {"people": 401, "population": everybody}})
    assert not check(masked, most).kept
    with pytest.raises(PromiseBroken, match="k_map broken"):
        release(table, masked, most, tmp_path / "more.csv")
    assert not (tmp_path / "more.csv").exists()


def test_check_counts_whom_the_cells_cover():
    table, everybody = world(1)
    masked = recode_to_k(table, k=3, hierarchies=WIDTHS, levels={"age": [1, 4]})
    rows = masked.frame.select("age", "sex").rows()
    for people in (10, 20, 40, 80, 160):
        verdict = check(masked, Promise(others={"k_map": {"people": people, "population": everybody}}))
        broken = [place for place, row in enumerate(rows) if fitting(row, everybody) < people]
        assert verdict.breaking_records.tolist() == broken
    shares = [rows.count(row) / fitting(row, everybody) for row in rows]
    for high in (0.1, 0.15, 0.2, 0.3):
        promise = Promise(others={"delta_present": {"high": high, "population": everybody}})
        assert check(masked, promise).kept == (max(shares) <= high)


def test_files_recipes_and_commands_name_the_population(tmp_path, command):
    table, everybody = world(2)
    everybody.write_csv("people.csv")
    table.frame.write_csv("sample.csv")
    text = """
    promise = { k = 2, k_map = { people = 30, population = "people.csv" } }
    hierarchies = { age = { widths = [10, 20, 40] } }
    roles = { quasi = ["age", "sex"] }
    steps = [{ method = "recode_to_k", levels = { age = [1, 4] } }]
    """
    (tmp_path / "r.toml").write_text(text)
    assert (
        Recipe.from_toml(Recipe.read(tmp_path / "r.toml").to_toml()).promise.others["k_map"]["people"] == 30
    )
    code, _, errors = command("run", "sample.csv", "r.toml", "-o", "out.csv")
    assert code == 0, errors
    assert min(fitting(row, everybody) for row in pl.read_csv("out.csv").select("age", "sex").rows()) >= 30
    asked = ["--quasi", "age,sex", "--model", "k_map.population=people.csv", "--model"]
    assert command("check", "out.csv", *asked, "k_map.people=30")[0] == 0
    assert command("check", "out.csv", *asked, "k_map.people=500")[0] == 3
    code, _, errors = command(
        "check", "out.csv", *asked[:2], "--model", "k_map.people=5", "--model", "k_map.population=no.csv"
    )
    assert code == 2
    assert "no.csv" in errors
    assert command("check", "out.csv", "--quasi", "age,sex", "--model", "k_map.people=5")[0] == 2


def test_bad_populations_are_one_sentence():
    table, everybody = world(3)
    with pytest.raises(InvalidInput, match=r"no column '.*' in the population table"):
        check(table, Promise(others={"k_map": {"people": 2, "population": everybody.drop("sex")}}))
    with pytest.raises(InvalidInput, match="has no records"):
        check(table, Promise(others={"k_map": {"people": 2, "population": everybody.head(0)}}))
    with pytest.raises(InvalidInput, match="one population"):
        population_of({"k_map": {"population": "a.csv"}, "delta_present": {"population": "b.csv"}})
    with pytest.raises(InvalidInput, match="names the population table by its file"):
        Recipe(
            "r",
            {},
            [{"method": "shuffle"}],
            promise=Promise(others={"k_map": {"people": 2, "population": everybody}}),
        )
    assert people_by_record([("a",), ("b",)], [("a",)]).tolist() == [1, 0]
