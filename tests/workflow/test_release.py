"""The gate: a promise is counted on the bytes, and a file that breaks it is not there."""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from shoal import (
    InputWarning,
    InvalidInput,
    Promise,
    PromiseBroken,
    ShoalError,
    as_table,
    microaggregate,
    release,
)
from shoal.workflow.match_rows import match_rows
from shoal.workflow.release import Target

FORMATS = ("csv", "csv.gz", "tsv", "parquet", "dta", "sav", "xpt", "jsonl")
PEOPLE = {"age": [30.0, 30.0, 41.5, 41.5, 41.5], "ill": ["flu", "cold", "flu", "flu", "gout"]}
ROLES = {"quasi": "age", "confidential": "ill"}
LOOK_ALIKES = pytest.mark.filterwarnings("ignore:Some categories differ from another one only by")


@pytest.fixture
def people():
    return as_table(PEOPLE, roles=ROLES)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_kept_promise_puts_the_file_in_place(people, tmp_path, ending):
    done = release(people, people, Promise(k=2, l={"ill": 2}), tmp_path / f"safe.{ending}")
    assert done.kept
    assert done.path == tmp_path / f"safe.{ending}"
    assert done.verdict.reached == {"k": 2, "l": {"ill": 2}}
    assert [path.name for path in tmp_path.iterdir()] == [f"safe.{ending}"]


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("promise", [Promise(k=3), Promise(l={"ill": 3}), Promise(t={"ill": 0.1})])
def test_a_broken_promise_leaves_nothing(people, tmp_path, ending, promise):
    with pytest.raises(PromiseBroken, match=r"The promise is broken: .* was promised, .* reached") as caught:
        release(people, people, promise, tmp_path / f"safe.{ending}")
    assert not list(tmp_path.iterdir())
    assert not caught.value.released.kept
    assert caught.value.released.path is None
    assert not release(people, people, promise, None).kept, "figures only: said, not raised"


def test_a_target_takes_paths_and_their_texts(people, tmp_path):
    safe, key = str(tmp_path / "safe.csv"), str(tmp_path / "key.csv")
    done = release(
        people, people, Promise(k=2), Target(safe, row_key=key, inputs=(str(tmp_path / "in.csv"),))
    )
    assert done.path == tmp_path / "safe.csv"
    assert {path.name for path in tmp_path.iterdir()} == {"safe.csv", "key.csv"}
    with pytest.raises(InvalidInput, match="input"):
        release(people, people, Promise(k=2), Target(safe, overwrite=True, inputs=(safe,)))


@pytest.mark.parametrize(
    ("frame", "written"),
    [
        (pd.DataFrame({"rooms": [2.0, 2.0, None, None]}), ["", "", "2", "2"]),
        (
            pd.DataFrame({"rooms": [2.0, 2.0, 4.0, 4.0]}),
            ["2.0", "2.0", "4.0", "4.0"],
        ),  # no gaps
        (pl.DataFrame({"rooms": [2.0, 2.0, None, None]}), ["", "", "2.0", "2.0"]),
    ],
)
def test_whole_numbers_with_gaps_are_whole_although_pandas_keeps_floats(tmp_path, frame, written):
    table = as_table(frame, roles={"quasi": "rooms"})
    release(table, table, Promise(k=2), tmp_path / "safe.csv")
    assert sorted(pl.read_csv(tmp_path / "safe.csv", infer_schema=False)["rooms"].fill_null("")) == written


REGISTER = {
    "name": ["Ana", "Pau", "Lea", "Jon"],
    "age": [30, 30, 40, 40],
    "sex": ["f", "f", "m", "m"],
    "home": [1, 2, 1, 2],
}
WHOLE = {"identifier": "name", "quasi": ["age", "sex"], "household": "home"}


@pytest.mark.parametrize("roles", [None, {"quasi": "age"}], ids=["a plain frame", "fewer roles"])
def test_what_the_original_has_a_role_for_is_not_released_without_one(tmp_path, roles):
    """Roles that are given again replace all: names of persons would be written, and sex not be counted."""
    original = as_table(pl.DataFrame(REGISTER), roles=WHOLE)
    masked = original.frame if roles is None else as_table(original.frame, roles=roles)
    done = release(original, masked, Promise(k=2), tmp_path / "safe.csv", rng=1)
    written = pl.read_csv(tmp_path / "safe.csv")
    assert written.columns == ["age", "sex", "home"]
    assert done.verdict.keys == ("age", "sex")
    assert done.verdict.households


def test_pseudonyms_in_place_of_names_are_written(tmp_path):
    original = as_table(pl.DataFrame(REGISTER), roles=WHOLE)
    masked = as_table(
        original.frame.with_columns(name=pl.Series(["x1", "x2", "x3", "x4"])), roles={"quasi": "age"}
    )
    release(original, masked, Promise(k=2), tmp_path / "safe.csv", rng=1)
    assert "name" in pl.read_csv(tmp_path / "safe.csv").columns


@pytest.mark.parametrize(
    ("promise", "target", "sentence"),
    [(5, None, "Promise"), ({"k": 5}, None, "Promise"), (Promise(k=2), 7, "named by a text")],
)
def test_what_is_no_promise_or_target_is_one_sentence(people, promise, target, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        release(people, people, promise, target)


def test_households_are_said_where_k_counts_them(tmp_path):
    people = as_table(
        {"home": [1, 1, 2, 3, 3, 4], "age": [30, 30, 30, 40, 40, 40]},
        roles={"household": "home", "quasi": "age"},
    )
    done = release(people, people, Promise(k=2), None)
    assert done.headline == "k = 2 reached: every record looks like those of at least 1 other household."
    assert "picks the right household with a chance of at most 50.0 %" in str(done)
    assert release(people, people, Promise(k=3), None).headline == "k = 3 NOT reached, only 2 households."


def test_the_old_file_stays_where_the_new_one_breaks_its_promise(people, tmp_path):
    safe = tmp_path / "safe.csv"
    safe.write_text("old")
    with pytest.raises(PromiseBroken):
        release(people, people, Promise(k=3), Target(safe, overwrite=True))
    assert safe.read_text() == "old"


def test_released_anyway_is_said_everywhere_but_in_the_data(people, tmp_path):
    safe, kept = tmp_path / "safe.csv", tmp_path / "kept.csv"
    done = release(people, people, Promise(k=3), Target(safe, anyway=True), rng=1)
    release(people, people, Promise(k=2), Target(kept, anyway=True), rng=1)
    assert done.headline.startswith("RELEASED ANYWAY: k = 3 NOT reached, only 2")
    facts = json.loads(json.dumps(done.to_dict()))
    assert (facts["kept"], facts["released_anyway"], facts["written"]) == (False, True, True)
    assert (facts["promise"], facts["reached"]["k"], facts["breaking_records"]) == ({"k": 3}, 2, 2)
    assert safe.read_text() == kept.read_text()


@LOOK_ALIKES
@pytest.mark.filterwarnings("ignore:Some categories differ")
@pytest.mark.parametrize(
    "values",
    [["1", "1", "1.0", "1.0"], ["a", "a", "a ", "a "], ["é", "é", "e\u0301", "e\u0301"], [1, 1, None, None]],
)
@pytest.mark.parametrize("ending", ["csv", "parquet", "dta"])
def test_what_a_stranger_can_tell_apart_is_different(tmp_path, values, ending):
    table = as_table({"a": values, "b": [1] * 4}, roles={"quasi": ["a", "b"]})
    if ending != "dta" or values[0] != "a":  # Stata pads texts with blanks
        assert release(table, table, Promise(k=2), tmp_path / f"safe.{ending}").reached == 2
        with pytest.raises(PromiseBroken):
            release(table, table, Promise(k=3), tmp_path / f"again.{ending}")


def test_a_negative_zero_is_written_as_zero(tmp_path):
    table = as_table({"a": [0.0, -0.0, -0.0]}, roles={"quasi": "a"})
    assert release(table, table, Promise(k=3), tmp_path / "safe.csv").kept
    assert (tmp_path / "safe.csv").read_text().split() == ["a", "0.0", "0.0", "0.0"]


def test_no_promise_is_said_first(people, tmp_path):
    done = release(people, people, Promise(), tmp_path / "safe.csv")
    assert done.headline == "No promise was made; counted on the file: k = 2."
    assert done.kept
    plain = as_table(PEOPLE)
    assert release(plain, plain, Promise(), tmp_path / "plain.csv").reached == 1
    with pytest.raises(InvalidInput, match="No column has the role quasi"):
        release(plain, plain, Promise(k=2), tmp_path / "never.csv")


@pytest.mark.parametrize(
    ("ages", "advice"),
    [([30, 30, 30, None], "missing cells of age stand out"), ([30, 31, 32, None], "protect every column")],
)
def test_gaps_are_blamed_only_where_they_are_the_cause(tmp_path, ages, advice):
    table = as_table({"age": ages}, roles={"quasi": "age"})
    with pytest.raises(PromiseBroken, match=advice):
        release(table, table, Promise(k=3), tmp_path / "safe.csv")


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_an_empty_text_is_no_confidential_value(tmp_path, ending):
    table = as_table({"age": [1, 1], "ill": ["", "flu"]}, roles={"quasi": "age", "confidential": "ill"})
    with pytest.raises(PromiseBroken, match="l of ill = 1 reached"):
        release(table, table, Promise(l={"ill": 2}), tmp_path / f"safe.{ending}")


@pytest.mark.parametrize("name", [" ", " area", "area ", "a,b", 'a"b', "a\nb", "e\u0301", "column_1"])
@pytest.mark.parametrize(
    "ending", ["csv", "tsv", "csv.gz", "parquet", "arrow", "jsonl", "asc", "xlsx", "sav"]
)
def test_every_key_is_counted_whatever_its_name(tmp_path, name, ending):
    table = as_table({"age": [1] * 4, name: [1, 1, 2, 3]}, roles={"quasi": "age", "stratum": name})
    with pytest.raises(ShoalError):  # below k, or the format cannot hold the name
        release(table, table, Promise(k=2), tmp_path / f"safe.{ending}")
    assert not list(tmp_path.iterdir())


def test_texts_that_only_look_alike_are_said(tmp_path):
    table = as_table({"town": ["Vic", "Vic", "Vic ", "Vic "]}, roles={"quasi": "town"})
    with pytest.warns(InputWarning, match=r"by spaces or by the code of a letter \(2 in town\)"):
        release(table, table, Promise(k=2), tmp_path / "safe.csv")


@LOOK_ALIKES
@pytest.mark.filterwarnings("ignore:Some categories differ")
def test_an_independent_count_agrees_on_random_files(tmp_path):
    rng = np.random.default_rng(7)
    for turn in range(40):
        n = int(rng.integers(4, 30))
        gaps = rng.random(n) < 0.2
        number = np.where(gaps, np.nan, rng.integers(0, 3, n) / 2 * rng.choice([1, -1, 1e300]))
        text = rng.choice(["x", "y;", 'q"', "", " x"], n)
        table = as_table({"a": number, "b": text, "c": rng.permutation(n)}, roles={"quasi": ["a", "b"]})
        path = tmp_path / f"{turn}.csv"
        done = release(table, table, Promise(k=1), path)
        with path.open(newline="", encoding="utf-8") as stream:
            rows = [(row["a"], row["b"]) for row in csv.DictReader(stream)]
        assert done.reached == min(Counter(rows).values())
        assert len(rows) == n


def test_positions_are_those_of_the_table_not_of_the_shuffled_file(tmp_path):
    table = as_table({"a": [1] * 20 + [2], "b": range(21)}, roles={"quasi": "a"})
    done = release(table, table, Promise(k=2), Target(tmp_path / "safe.csv", anyway=True), rng=3)
    assert done.verdict.breaking_records.tolist() == [20]


def test_households_and_strata_count_on_the_file(tmp_path):
    content = {"age": [1, 1, 1, 1], "home": [1, 1, 2, 3], "area": ["n", "n", "n", "n"]}
    table = as_table(content, roles={"quasi": "age", "household": "home", "stratum": "area"})
    assert release(table, table, Promise(k=3), tmp_path / "safe.csv").kept
    with pytest.raises(PromiseBroken):
        release(table, table, Promise(k=4), tmp_path / "again.csv")
    apart = as_table(table, roles={"quasi": "age", "stratum": "home"})
    assert release(apart, apart, Promise(), tmp_path / "apart.csv").reached == 1


def test_the_order_of_confidential_values_is_that_of_the_table(tmp_path):
    content = {"age": [1, 1, 2, 2], "pay": [9, 10, 100, 1000]}
    table = as_table(content, roles={"quasi": "age", "confidential": "pay"})
    done = release(table, table, Promise(t={"pay": 0.5}), tmp_path / "safe.csv")
    assert done.verdict.reached["t"]["pay"] == pytest.approx(1 / 3)


def test_suppressed_records_are_counted_and_are_a_class(tmp_path):
    table = as_table({"a": [1, 1, None], "b": [1, 1, None]}, roles={"quasi": ["a", "b"]})
    assert release(table, table, Promise(), tmp_path / "safe.csv").suppressed == 1
    with pytest.raises(PromiseBroken, match="missing cells of a, b stand out"):
        release(table, table, Promise(k=2), tmp_path / "again.csv")


@pytest.mark.parametrize("link", ["itself", "symbolic", "hard", "dots"])
def test_an_input_is_never_overwritten(people, tmp_path, link):
    source, aim = tmp_path / "people.csv", tmp_path / "out.csv"
    source.write_text("precious")
    if link == "symbolic":
        aim.symlink_to(source)
    elif link == "hard":
        os.link(source, aim)
    else:
        aim = source if link == "itself" else tmp_path / "x" / ".." / "people.csv"
        (tmp_path / "x").mkdir()
    with pytest.raises(InvalidInput, match="is an input and is never overwritten"):
        release(people, people, Promise(), Target(aim, overwrite=True, inputs=(source,)))
    assert source.read_text() == "precious"


def test_the_row_key_is_private_and_matches_the_rows(people, tmp_path):
    table = as_table({"age": list(range(50)), "id": [f"p{i}" for i in range(50)]}, roles={"quasi": "age"})
    masked = microaggregate(table, k=5)
    key, path = tmp_path / "key.csv", tmp_path / "safe.csv"
    release(table, masked, Promise(k=5), Target(path, row_key=key))
    assert key.stat().st_mode & 0o777 == 0o600
    written = as_table(pl.read_csv(path), roles={"quasi": "age"})
    assert written.frame["id"].to_list() != table.frame["id"].to_list()
    for options in ({"row_key": key}, {"column": "id"}):
        again = match_rows(table, written, **options)
        assert again.frame["id"].to_list() == table.frame["id"].to_list()
        assert again.frame["age"].to_list() == masked.frame["age"].to_list()
    with pytest.raises(PromiseBroken):
        release(table, table, Promise(k=5), Target(tmp_path / "b.csv", row_key=tmp_path / "b.key"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["key.csv", "safe.csv"]
    with pytest.raises(InvalidInput, match="same name"):
        release(table, masked, Promise(), Target(tmp_path / "c.csv", row_key=tmp_path / "c.csv"))


def test_rows_that_cannot_match_are_said(people, tmp_path):
    with pytest.raises(InvalidInput, match="does not name every record once"):
        match_rows(people, people, column="ill")
    with pytest.raises(InvalidInput, match="so rows cannot match"):
        match_rows(people, people.take(np.array([0])), column="ill")
    with pytest.raises(InvalidInput, match="no row key"):
        match_rows(people, people, row_key=Path("nowhere.csv"))


def test_a_file_under_way_is_private(people, tmp_path, monkeypatch):
    modes = []
    from shoal.workflow import release as room

    def look(*arguments):
        modes.extend(path.stat().st_mode & 0o777 for path in tmp_path.iterdir())
        return count(*arguments)

    count = room.count_again
    monkeypatch.setattr(room, "count_again", look)
    release(people, people, Promise(k=2), tmp_path / "safe.csv")
    assert modes == [0o600]
