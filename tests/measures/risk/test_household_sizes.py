"""Households as wholes, counted again by definition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal import Promise, as_table, check
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.risk.household_sizes import household_sizes


@pytest.mark.parametrize("known", ["size", "members"])
@pytest.mark.parametrize("seed", range(20))
def test_sizes_are_those_of_the_definition(known: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    homes = rng.integers(-1, 12, 40)
    codes = rng.integers(-1, 2, (40, 3))
    codes[:, 0] = homes % 2  # what members share
    wholes = {}
    for home in set(homes.tolist()):
        rows = codes[homes == home]
        shared = [j for j in range(3) if all(len(set(codes[homes == h, j])) == 1 for h in set(homes))]
        members = tuple(sorted(map(tuple, rows.tolist()))) if known == "members" else ()
        wholes[home] = (tuple(rows[0][shared].tolist()), len(rows), members)
    expected = [sum(other == wholes[home] for other in wholes.values()) for home in homes.tolist()]
    assert household_sizes(codes, homes, known).tolist() == expected


def survey():
    columns = {"home": [1, 1, 2, 2, 3, 4], "age": [30, 30, 30, 30, 30, 30], "job": list("xyxyxx")}
    return as_table(pl.DataFrame(columns), roles={"quasi": ["age", "job"], "household": "home"})


def test_a_household_that_stands_out_by_its_size_breaks_the_stronger_promise_only() -> None:
    table = as_table(survey().frame[:5], roles={"quasi": "age", "household": "home"})
    weak = check(table, Promise(k=2))
    assert weak.kept
    assert "1 of 3 households have fewer than 2 alike" in weak.notes[0]
    assert weak.notes[0] in weak.sentences
    assert weak.to_dict()["notes"] == list(weak.notes)
    strong = check(table, Promise(k=2, whole_households="size"))
    assert not strong.kept
    assert strong.breaking_records.tolist() == [4]


def test_who_knows_all_members_finds_more() -> None:
    table = as_table({"home": [1, 1, 2, 2], "job": list("xyxx")}, roles={"quasi": "job", "household": "home"})
    assert not check(table, Promise(k=2, whole_households="members")).kept
    assert check(survey(), Promise(k=2, whole_households="members")).kept


def test_whole_households_need_households_and_gaps_as_categories() -> None:
    with pytest.raises(InvalidInput, match="role household"):
        check(as_table({"age": [1, 1]}, roles={"quasi": "age"}), Promise(k=2, whole_households="size"))
    with pytest.raises(InvalidInput, match="gaps"):
        check(survey(), Promise(k=2, whole_households="size"), gaps="wildcard")
    with pytest.raises(InvalidInput, match="whole_households"):
        Promise(k=2, whole_households="some")


def test_files_at_scale_do_not_count_them(tmp_path: Path) -> None:
    from shoal.distributed.check_files import check_files

    survey().frame.write_csv(tmp_path / "people.csv")
    with pytest.raises(NotApplicable, match="whole_households"):
        check_files(
            str(tmp_path / "people.csv"),
            promise=Promise(k=2, whole_households="size"),
            roles={"quasi": ["age"], "household": ["home"]},
        )
