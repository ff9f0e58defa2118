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
