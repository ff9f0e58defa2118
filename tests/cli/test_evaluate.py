"""shoal evaluate: the verdict first, then every figure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.files import ROLES


def test_evaluate_puts_the_verdict_first(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--no-shuffle", "-o", "safe.csv")
    code, out, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--k", "5")
    assert (code, err) == (3, "")
    assert out.startswith("k = 5 NOT reached, only 4")
    assert "An intruder who knows age, pay links" in out.splitlines()[2]
    assert "Analysts lose" in out.splitlines()[3]
    facts = json.loads(shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--json")[1])
    assert facts["k"] == 4


def test_evaluate_takes_what_the_intruder_knows_and_how_to_score(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--no-shuffle", "-o", "safe.csv")
    facts = json.loads(
        shoal("evaluate", "people.csv", "safe.csv", *ROLES[:2], "--known", "age", "--score", "max", "--json")[
            1
        ]
    )
    assert facts["keys"] == ["age"]
    assert facts["score"] == max(facts["information_loss"], facts["disclosure_risk"])
    code, _, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--score", "min")
    assert code == 2
    assert "`combine` must be one of 'mean', 'max'" in err


def test_evaluate_notices_shuffled_rows(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", "--seed", "3")
    asked = ["evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--json"]
    _, out, _ = shoal(*asked)
    assert "shuffled" in json.loads(out)["warnings"][0]
    assert "shuffled" in shoal(*asked[:-1])[2]
    assert "sse_loss" not in json.loads(out)["loss"], "figures that compare row by row are left out"
    assert "distance_linkage_risk" not in json.loads(out)["risk"]
    assert json.loads(out)["k"] == 4


def test_rows_that_were_shuffled_are_matched_by_a_column_or_the_row_key(shoal):
    options = ["--k", "4", *ROLES, "--seed", "3"]
    plain = json.loads(shoal("mask", "people.csv", *options, "--json")[1])
    shoal("mask", "people.csv", *options, "--keep-identifiers", "-o", "safe.csv", "--row-key", "key.csv")
    for found in (["--match", "name"], ["--row-key", "key.csv"]):
        code, out, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", *found, "--json")
        assert (code, err) == (0, "")
        assert json.loads(out)["loss"]["sse_loss"] == plain["loss"]["sse_loss"]


def test_the_first_lines_come_alone_and_details_on_request(shoal):
    assert shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", "--no-shuffle")[0] == 0
    short = shoal("evaluate", "people.csv", "safe.csv", *ROLES)[1]
    long = shoal("evaluate", "people.csv", "safe.csv", *ROLES, "--details")[1]
    assert len(short.splitlines()) <= 7
    assert "Spread of numbers lost" not in short
    assert "Spread of numbers lost" in long
    assert "Information loss" in short
    assert "--details" in short
    assert "--details" not in long


@pytest.mark.parametrize(("option", "reached"), [("--household", 1), ("--stratum", 2)])
def test_households_and_strata_count_in_files_lying_about(shoal, option, reached):
    homes = "1111" if option == "--household" else "1122"
    Path("c.csv").write_text("age,home\n" + "".join(f"30,{home}\n" for home in homes))
    asked = ["evaluate", "c.csv", "c.csv", "--quasi", "age", option, "home", "--k", "3", "--json"]
    code, out, _ = shoal(*asked)
    assert (code, json.loads(out)["reached"]["k"], json.loads(out)["k"]) == (3, reached, reached)


def test_a_hierarchy_that_is_meant_for_a_column_is_said_not_dropped(shoal):
    Path("grown").mkdir()
    Path("grown/town.csv").write_text("a;*\nb;*\n")
    Path("grown/ages.csv").write_text("20;*\n")
    Path("grown/other.csv").write_text("x;*\n")
    _, _, err = shoal("evaluate", "people.csv", "people.csv", "--quasi", "age,town", "--hierarchies", "grown")
    assert "'ages.csv' is not used, as no column is called 'ages'. Did you mean 'age'?" in err
    assert "other.csv" not in err
