"""Linked tables: masked in step, counted on the join, released together or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal import InvalidInput, PrivacyWarning
from shoal.errors import PromiseBroken
from shoal.workflow.project import Project, release_project

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning", "ignore::shoal.InputWarning")
PROJECT = """
name = "survey"
notes = "linked"
[[tables]]
name = "persons"
source = "persons.csv"
roles = { quasi = ["age", "sex"], confidential = ["pay"] }
kinds = { age = "numeric" }
[[tables.steps]]
method = "microaggregate"
k = 3
[[tables]]
name = "homes"
source = "homes.csv"
roles = { quasi = ["region", "rooms"] }
kinds = { rooms = "numeric" }
[[tables.steps]]
method = "microaggregate"
k = 3
[[joins]]
child = "persons.home"
parent = "homes.id"
[promise]
k = 3
"""


def write_files(folder: Path, seed: int, homes: int = 40, empty: int = 5) -> None:
    rng = np.random.default_rng(seed)
    ids = [f"h{i}" for i in rng.permutation(homes)]
    region = rng.choice(["n", "s"], homes).tolist()
    pl.DataFrame({"id": ids, "region": region, "rooms": rng.integers(1, 7, homes)}).write_csv(
        folder / "homes.csv"
    )
    members = np.concatenate([np.arange(empty, homes), rng.integers(empty, homes, 2 * homes)])
    pl.DataFrame(
        {
            "home": [ids[i] for i in members],
            "age": rng.integers(0, 90, len(members)),
            "sex": rng.choice(["f", "m"], len(members)).tolist(),
            "region": [region[i] for i in members],
            "pay": rng.integers(0, 9, len(members)),
        }
    ).write_csv(folder / "persons.csv")


def parents_of_classes(out: Path) -> list[int]:
    """By hand, as text: how many different homes share every combination on the join."""
    persons, homes = (pl.read_csv(out / f"{n}.csv", infer_schema=False) for n in ("persons", "homes"))
    joined = persons.join(homes, left_on="home", right_on="id")
    found: dict[tuple, set] = {}
    columns = ["age", "sex", "region", "region_right", "rooms"]
    for row, home in zip(joined.select(columns).rows(), joined["home"], strict=True):
        found.setdefault(row, set()).add(home)
    assert len(joined) == len(persons)
    return [len(homes) for homes in found.values()]


@pytest.mark.parametrize("seed", range(8))
def test_k_holds_on_the_join_and_shared_columns_agree(tmp_path, seed):
    write_files(tmp_path, seed)
    done = release_project(Project.from_toml(PROJECT, tmp_path), tmp_path / "out", rng=seed)
    assert done.kept
    assert min(parents_of_classes(tmp_path / "out")) >= 3
    persons, homes = (pl.read_csv(tmp_path / "out" / f"{n}.csv") for n in ("persons", "homes"))
    both = persons.join(homes, left_on="home", right_on="id")
    assert (both["region"] == both["region_right"]).all(), "masked in one place, changed in both"
    assert not set(map(str, homes["id"])) & set(pl.read_csv(tmp_path / "homes.csv")["id"]), "new numbers"


def test_a_join_below_its_promise_releases_nothing(tmp_path):
    write_files(tmp_path, 1, empty=0)
    text = PROJECT.replace("[promise]\nk = 3", "[promise]\nk = 30")
    with pytest.raises(PromiseBroken, match=r"on the join persons\.home -> homes\.id"):
        release_project(Project.from_toml(text, tmp_path), tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["homes.csv", "persons.csv"]


def test_a_table_below_its_promise_releases_nothing(tmp_path):
    write_files(tmp_path, 1, empty=0)
    text = PROJECT.replace('roles = { quasi = ["region", "rooms"] }', 'roles = { quasi = ["rooms"] }')
    text = text.replace('method = "microaggregate"\nk = 3\n[[joins]]', 'method = "shuffle"\n[[joins]]')
    text = text.replace("kinds = { rooms", "promise = { k = 20 }\nkinds = { rooms")
    with pytest.raises(PromiseBroken, match="Table homes: "):
        release_project(Project.from_toml(text, tmp_path), tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["homes.csv", "persons.csv"]


def test_events_count_persons_not_rows(tmp_path):
    pl.DataFrame({"id": range(6), "age": [30] * 6}).write_csv(tmp_path / "people.csv")
    pl.DataFrame({"person": [0, 0, 0, 1, 2, 3], "ward": ["a", "a", "a", "b", "b", "b"]}).write_csv(
        tmp_path / "visits.csv"
    )
    text = """
    promise = { k = 3 }
    tables = [
      { name = "people", source = "people.csv", roles = { quasi = ["age"] } },
      { name = "visits", source = "visits.csv", roles = { quasi = ["ward"] } },
    ]
    joins = [{ child = "visits.person", parent = "people.id" }]
    """
    with pytest.raises(PromiseBroken, match="on the join"):  # three visits to ward a are of one person
        release_project(Project.from_toml(text, tmp_path), tmp_path / "out")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('child = "persons.home"', 'child = "persons.hom"'), "no column 'hom'. Did you mean 'home'"),
        (('child = "persons.home"', 'child = "persons"'), "written table.column"),
        (('child = "persons.home"', 'child = "homes.id"'), "joined with itself"),
        (('name = "homes"', 'name = "persons"'), "'persons' is named twice"),
        (('source = "homes.csv"', 'source = "hom.csv"'), "hom.csv"),
        (('source = "homes.csv"', 'sourc = "homes.csv"'), "Did you mean 'source'"),
        (("[promise]", "[promis]"), "Did you mean 'promise'"),
        (('source = "homes.csv"', 'source = "homes.csv"\ntarget = "../x.csv"'), "plain file name"),
    ],
)
def test_bad_projects_are_one_sentence(tmp_path, change, sentence):
    write_files(tmp_path, 1)
    with pytest.raises(InvalidInput, match=sentence):
        release_project(Project.from_toml(PROJECT.replace(*change), tmp_path), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_keys_without_a_partner_and_twice_are_said_by_row(tmp_path):
    write_files(tmp_path, 1)
    homes = pl.read_csv(tmp_path / "homes.csv")
    used = pl.read_csv(tmp_path / "persons.csv")["home"][0]
    pl.concat([homes, homes[:1]]).write_csv(tmp_path / "homes.csv")
    with pytest.raises(InvalidInput, match="names a record twice, at rows 0 and 40"):
        release_project(Project.from_toml(PROJECT, tmp_path), tmp_path / "out")
    homes.filter(pl.col("id") != used).write_csv(tmp_path / "homes.csv")
    with pytest.raises(InvalidInput, match="'home' of persons has no partner in homes at row"):
        release_project(Project.from_toml(PROJECT, tmp_path), tmp_path / "out")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("empty", [1, 2])
def test_too_few_empty_homes_are_hidden_with_a_whole_class(tmp_path, seed, empty):
    write_files(tmp_path, seed, empty=empty)
    with pytest.warns(
        PrivacyWarning, match=f"{empty} of 40 records of homes have no record in the tables below"
    ):
        release_project(Project.from_toml(PROJECT, tmp_path), tmp_path / "out", rng=seed)
    assert min(parents_of_classes(tmp_path / "out")) >= 3
    homes = pl.read_csv(tmp_path / "out" / "homes.csv", infer_schema=False)
    rows = homes.select("region", "rooms").rows()
    assert min(rows.count(row) for row in rows) >= 3
    seen = set(pl.read_csv(tmp_path / "out" / "persons.csv", infer_schema=False)["home"])
    lonely = homes.filter(~pl.col("id").is_in(list(seen)))
    assert len(lonely) == empty
    assert set(lonely.select("region", "rooms").rows()) == {(None, None)}


def test_an_existing_folder_is_never_touched(tmp_path):
    write_files(tmp_path, 1)
    (tmp_path / "out").mkdir()
    with pytest.raises(InvalidInput, match="exists already"):
        release_project(Project.from_toml(PROJECT, tmp_path), tmp_path / "out")


def test_k_is_counted_on_the_join_of_all_tables_above(tmp_path):
    write_files(tmp_path, 4, homes=60, empty=0)
    persons = pl.read_csv(tmp_path / "persons.csv").with_row_index("id")
    persons.write_csv(tmp_path / "persons.csv")
    rng = np.random.default_rng(4)
    visits = {"person": rng.integers(0, len(persons), 2500), "ward": rng.choice(["x", "y", "z"], 2500)}
    pl.DataFrame(visits | {"days": rng.integers(1, 9, 2500)}).write_csv(tmp_path / "visits.csv")
    events = '[[tables]]\nname = "visits"\nsource = "visits.csv"\nroles = { quasi = ["ward", "days"] }\n'
    events += '[[tables.steps]]\nmethod = "suppress_to_k"\n'
    events += '[[joins]]\nchild = "visits.person"\nparent = "persons.id"\n'
    project = Project.from_toml(PROJECT + events, tmp_path)
    assert release_project(project, tmp_path / "out", rng=1).kept
    written = {name: pl.read_csv(tmp_path / "out" / f"{name}.csv") for name in project.tables}
    homes = written["homes"].rename({"id": "home"})
    lives = written["persons"].drop("region").join(homes, on="home").rename({"id": "person"})
    joined = written["visits"].join(lives, on="person")
    keys = ["ward", "days", "age", "sex", "region", "rooms"]
    assert joined.group_by(keys).agg(pl.col("person").n_unique())["person"].min() >= 3
    homes_of = lives.group_by("age", "sex", "region", "rooms").agg(pl.col("home").n_unique())
    assert homes_of["home"].min() >= 3
