"""Databases larger than memory: read in batches, then treated as files are."""

from __future__ import annotations

import itertools
import sqlite3
import sys
from collections import Counter

import numpy as np
import polars as pl
import pytest

from io_postgres import PASSWORD, server
from shoal import Promise, PromiseBroken, Recipe, as_table, check_files, mask_files, read_table, write_table
from shoal.distributed.rate import Stopped
from shoal.distributed.sources.database_files import database_of, unloaded
from shoal.errors import InvalidInput
from shoal.io import Address

KEYS = ["age", "pay", "town"]
GROUPS = Recipe("groups", {"quasi": KEYS, "identifier": ["name"]}, [{"method": "microaggregate", "k": 3}])


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for module, name, size in (
        ("sources.database_files", "PART_RECORDS", 100),
        ("run_stages", "SHARD_RECORDS", 100),
        ("run_stages", "RANDOM_RECORDS", 90),
    ):
        monkeypatch.setattr(sys.modules[f"shoal.distributed.{module}"], name, size)
    monkeypatch.setattr(sys.modules["shoal.io.database"], "BATCH", 64)


@pytest.fixture(scope="module")
def people():
    rng, n = np.random.default_rng(1), 700
    frame = pl.DataFrame(
        {
            "name": [f"n{i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "pay": rng.lognormal(7, 1, n).round(2),
            "town": rng.choice(["a", "b", "it's"], n),
            "id": np.arange(n),
        }
    )
    hole = pl.Series(rng.random(n) < 0.05)
    return frame.with_columns(pl.when(hole).then(None).otherwise(pl.col("age")).alias("age"))


@pytest.fixture(scope="module", params=["postgresql", "sqlite", "duckdb"])
def database(request, tmp_path_factory, people):
    """An address of every kind, with the table persons."""
    if request.param != "postgresql":
        address = f"{request.param}:{tmp_path_factory.mktemp('db') / 'register.db'}"
        write_table(as_table(people), address, into="persons", shuffle=False)
        yield address
        return
    with server() as address:
        write_table(as_table(people), address, into="persons", shuffle=False)
        yield address


@pytest.mark.slow
def test_a_table_is_protected_as_files_are(database, people, tmp_path):
    done = mask_files(database, GROUPS, tmp_path / "out", table="persons", rng=1)
    people.write_parquet(tmp_path / "people.parquet")
    mask_files(tmp_path / "people.parquet", GROUPS, tmp_path / "same", rng=1)
    written = pl.read_parquet(tmp_path / "out/*.parquet")
    assert done.kept
    assert written.columns == [*KEYS, "id"]
    assert written.sort("id").equals(pl.read_parquet(tmp_path / "same/*.parquet").sort("id"))
    assert min(Counter(written.select(KEYS).rows()).values()) >= 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "people.parquet", "same"]


@pytest.mark.slow
def test_a_query_is_counted(database, people):
    query = "SELECT town, age FROM persons WHERE id < 300;"
    verdict = check_files(database, promise=Promise(k=2), roles={"quasi": ["town", "age"]}, query=query)
    sizes = Counter(people.head(300).select("town", "age").rows())
    assert verdict.reached == {"k": min(sizes.values())}
    assert verdict.breaking == sum(1 for size in sizes.values() if size < 2)
    assert (verdict.records, verdict.classes) == (300, len(sizes))


def register(path, rows, columns="age, town"):
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE persons ({columns})")
        marks = ", ".join("?" for _ in columns.split(","))
        connection.executemany(f"INSERT INTO persons VALUES ({marks})", rows)
    connection.close()
    return Address(f"sqlite:{path}", "persons")


def test_an_answer_becomes_files_of_some_records(tmp_path):
    address = register(tmp_path / "a.db", [(i, f"t{i}") for i in range(250)])
    found = unloaded(address, tmp_path)
    assert [pl.read_parquet(path).height for path in found.paths] == [128, 122]
    assert pl.concat(map(pl.read_parquet, found.paths)).rows() == [(i, f"t{i}") for i in range(250)]


def test_only_columns_that_count_are_read(tmp_path):
    address = register(tmp_path / "a.db", [(1, "a"), (1, "b")])
    assert list(unloaded(address, tmp_path, only={"town", "nothing"}).schema()) == ["town"]
    with pytest.raises(InvalidInput, match="'nothing'"):
        check_files(address, promise=Promise(k=2), roles={"quasi": ["nothing"]})


def test_a_value_that_is_no_longer_a_number_is_refused_without_being_shown(tmp_path):
    """SQLite has no types of columns, so that they are told by the first records."""
    address = register(tmp_path / "a.db", [*((i, "a") for i in range(100)), ("secret-7", "b")])
    with pytest.raises(InvalidInput, match="values of several types; read it by a query") as refused:
        mask_files(address, GROUPS_OF_AGE, tmp_path / "out")
    assert "secret-7" not in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


GROUPS_OF_AGE = Recipe("ages", {"quasi": ["age"]}, [{"method": "microaggregate", "k": 2}])


def test_reading_is_stopped_and_leaves_nothing(tmp_path):
    address, called = register(tmp_path / "a.db", [(i, "a") for i in range(500)]), itertools.count(1)
    with pytest.raises(Stopped, match="256 records were read"):
        mask_files(address, GROUPS_OF_AGE, tmp_path / "out", callback=lambda _: next(called) == 2)
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        ("{}/a.db", {"table": "people"}, "has no table 'people'"),
        ("{}/a.db", {}, "Which table of sqlite:a.db"),
        ("{}/b.db", {"table": "persons"}, "There is no file 'b.db'"),
        ("{}/a.db", {"query": "SELECT * FROM persons WHERE age > 9"}, "have no records"),
        ("{}/*.parquet", {"table": "persons"}, "part of a database"),
        (["a.parquet"], {"table": "persons"}, "part of a database"),
        (f"postgresql://ana:{PASSWORD}@/x?host={{}}", {"table": "persons"}, "cannot be reached"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, source, options, words):
    register(tmp_path / "a.db", [(1, "a")])
    source = source.format(tmp_path) if isinstance(source, str) else source
    with pytest.raises(Exception, match=words) as refused:
        mask_files(source, GROUPS_OF_AGE, tmp_path / "out", **options)
    assert PASSWORD not in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_files_are_no_database(tmp_path):
    assert database_of(tmp_path) is None
    assert database_of([tmp_path / "a.parquet"]) is None
    assert database_of("duckdb:x", query="SELECT 1") == Address("duckdb:x", query="SELECT 1")


@pytest.mark.slow
def test_a_new_table_is_the_target(database, people, tmp_path):
    people.write_parquet(tmp_path / "people.parquet")
    mask_files(tmp_path / "people.parquet", GROUPS, tmp_path / "same", rng=1)
    done = mask_files(tmp_path / "people.parquet", GROUPS, database, into="safe", rng=1)
    written = read_table(database, table="safe").frame
    assert done.verdict.reached == {"k": min(Counter(written.select(KEYS).rows()).values())}
    assert written.sort("id").equals(pl.read_parquet(tmp_path / "same/*.parquet").sort("id"))
    assert written["id"].to_list() != sorted(written["id"].to_list())
    with pytest.raises(InvalidInput, match="has a table 'safe' already"):
        mask_files(tmp_path / "people.parquet", GROUPS, database, into="safe")
    broken = Recipe(
        "r", GROUPS.roles, [{"method": "top_code", "threshold": 90, "columns": "age"}], promise={"k": 3}
    )
    with pytest.raises(PromiseBroken):
        mask_files(tmp_path / "people.parquet", broken, database, into="unsafe")
    with pytest.raises(InvalidInput, match="has no table 'unsafe'"):
        read_table(database, table="unsafe")


def test_a_column_that_a_database_cannot_store_is_refused_before_a_record_moves(tmp_path, monkeypatch):
    from shoal.distributed.engines.polars_engine import PolarsEngine

    monkeypatch.setattr(PolarsEngine, "shards", lambda *_: pytest.fail("records moved"))
    for odd in (pl.duration(days="age"), pl.lit(2**63 + 1, pl.UInt64)):
        pl.DataFrame({"age": [1, 2]}).with_columns(odd=odd).write_parquet(tmp_path / "a.parquet")
        with pytest.raises(InvalidInput, match="cannot store the type"):
            mask_files(tmp_path / "a.parquet", GROUPS_OF_AGE, tmp_path / "a.sqlite", into="odd")
        assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]


def test_a_broken_promise_leaves_no_database(tmp_path):
    source = tmp_path / "a.parquet"
    pl.DataFrame({"age": [1, 2, 3, 4]}).write_parquet(source)
    step = {"method": "top_code", "threshold": 9}
    recipe = Recipe("r", {"quasi": ["age"]}, [step], promise={"k": 2})
    with pytest.raises(PromiseBroken):
        mask_files(source, recipe, tmp_path / "new.sqlite", into="safe")
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]
    with pytest.raises(InvalidInput, match="Which new table"):
        mask_files(source, recipe, tmp_path / "new.sqlite")
    assert mask_files(source, recipe, tmp_path / "new.sqlite", into="safe", anyway=True).verdict.breaking == 4
    assert sorted(read_table(tmp_path / "new.sqlite", table="safe").frame["age"]) == [1, 2, 3, 4]
