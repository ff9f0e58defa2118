"""shoal inspect, and the list of columns before masking."""

from __future__ import annotations

import json
from pathlib import Path


def test_inspect_lists_columns_and_suggests_roles(shoal):
    code, out, err = shoal("inspect", "people.csv")
    assert (code, err) == (0, "")
    rows = {line.split("\t")[0]: line.split("\t") for line in out.splitlines()}
    assert rows["name"][1:4] == ["nominal", "other", "identifier"]
    assert rows["age"][3:5] == ["quasi", "its name: known to neighbours, colleagues or registers"]
    assert rows["pay"][3] == "confidential"
    assert "As options, for you to decide: --identifier name --quasi age,town --confidential pay" in out
    facts = json.loads(shoal("inspect", "people.csv", "--quasi", "age", "--json")[1])
    assert (facts[1]["name"], facts[1]["role"], facts[1]["suggested"]) == ("age", "quasi", "quasi")


def test_inspect_says_who_is_alone_and_shows_values_when_asked(shoal):
    out = shoal("inspect", "people.csv", "--quasi", "age,town")[1]
    assert " alone with age, town." in out
    assert "alone" not in shoal("inspect", "people.csv")[1]
    rows = [line.split("\t") for line in shoal("inspect", "people.csv", "--values")[1].splitlines()]
    assert rows[0][:5] == ["column", "type", "lowest", "highest", "most frequent"]
    facts = {
        fact["name"]: fact for fact in json.loads(shoal("inspect", "people.csv", "--values", "--json")[1])
    }
    assert facts["age"]["type"] == "whole numbers"
    assert facts["town"]["lowest"] is None


def test_the_columns_are_shown_before_masking_but_not_in_the_answer(shoal):
    Path("f.csv").write_text(
        "age,code,town\n" + "".join(f"{i % 6},{i % 6 + 10},{'ab'[i % 6 < 3]}\n" for i in range(60))
    )
    code, out, err = shoal("mask", "f.csv", "--k", "3", "--quasi", "age", "--nominal", "code")
    assert (code, out[:13]) == (0, "k = 3 reached")
    lines = err.splitlines()
    assert lines[0].split("\t") == ["column", "kind", "why", "role", "different", "missing"]
    assert lines[1].split("\t") == ["age", "numeric", "whole numbers", "quasi", "6", "0"]
    assert lines[2].split("\t") == ["code", "nominal", "declared", "other", "6", "0"]
    assert lines[4] == "Released without a role: code, town."
    assert "code determines age" in lines[5]
    assert shoal("mask", "f.csv", "--k", "3", "--quasi", "age", "--json")[2] == ""


def test_codes_by_name_are_said_before_masking_and_proposed_by_inspect(shoal):
    Path("f.csv").write_text(
        "age,plz,rooms\n" + "".join(f"{i % 50},{8000 + i},{i % 4}\n" for i in range(200))
    )
    code, _, err = shoal("mask", "f.csv", "--k", "3", "--quasi", "age,plz,rooms", "--set", "partition=mdav")
    assert code == 0
    assert "rooms\tordinal\tfew whole numbers\tquasi" in err
    assert "codes, not amounts: plz. With --nominal plz" in err
    code, _, err = shoal("mask", "f.csv", "--k", "3", "--quasi", "age", "--nominal", "plz")
    assert (code, "codes, not amounts" in err) == (0, False)
    out = shoal("inspect", "f.csv")[1]
    assert "--nominal plz" in out.splitlines()[-1]
    facts = json.loads(shoal("inspect", "f.csv", "--json")[1])
    assert [fact["proposed_kind"] for fact in facts] == [None, "nominal", None]


def test_look_alike_texts_are_said_by_every_command_that_masks(shoal):
    Path("f.csv").write_text("age,town\n" + "30,Vic\n" * 5 + '30,"Vic "\n' * 5)
    roles = ["--quasi", "age,town", "--set", "partition=mdav"]
    assert "2 in town" in shoal("mask", "f.csv", "--k", "5", *roles, "--save-recipe", "r.toml")[2]
    assert "2 in town" in shoal("mask", "f.csv", "--k", "5", *roles, "--json")[2]
    assert "2 in town" in shoal("run", "f.csv", "r.toml")[2]
    explored = ["explore", "f.csv", "--quasi", "age,town", "--methods", "mdav", "--k", "5"]
    assert "2 in town" in shoal(*explored)[2]
