"""shoal explore: tables, recommendations, stops that keep what is done."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cli.files import ROLES, start
from shoal import Recipe

GRID = ["--methods", "mdav,rank_swap", "--k", "3,6", "--set", "rank_swap.percent=[10]"]


def test_explore_shows_a_table_recommends_and_writes_the_recipe(shoal):
    code, out, err = shoal("explore", "people.csv", *ROLES, *GRID, "--csv", "t.csv", "-o", "best.toml")
    assert code == 0
    assert err.startswith("column\tkind\twhy\trole"), "the columns are listed before anything is masked"
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[0] == ["recipe", "k", "loss", "risk", "score", "seconds", "front"]
    assert [line[0] for line in lines[1:4]] == ["mdav, k = 3", "mdav, k = 6", "rank_swap, percent = 10"]
    best = min(lines[1:3], key=lambda line: float(line[4]))
    assert lines[3][6] == "broken", "it says no k, so it is held to the smallest asked for"
    assert "rank_swap, percent = 10: It breaks its promise (k = 3; k = 1 is reached)" in out.splitlines()[4]
    assert out.splitlines()[5].startswith(f"Recommended: {best[0]}, the best score")
    assert Recipe.read("best.toml").name == best[0]
    assert Path("t.csv").read_text().startswith("name,options,k,loss")
    assert shoal("run", "people.csv", "best.toml", "-o", "safe.csv")[0] == 0


def test_explore_follows_the_rule_and_goes_on_with_what_is_kept(shoal):
    shoal("explore", "people.csv", *ROLES, *GRID)
    wider = ["--methods", "mdav,rank_swap", "--k", "3,6,12", "--set", "rank_swap.percent=[10]"]
    arguments = ["explore", "people.csv", *ROLES, *wider, "--at-least", "6", "--risk", "60", "--json"]
    facts = json.loads(shoal(*arguments)[1])
    fitting = [c for c in facts["candidates"] if c["k"] >= 6 and c["risk"] <= 60]
    assert facts["recommended"] == min(fitting, key=lambda c: c["loss"])["name"]
    assert facts["rule"].startswith("the least information loss with a disclosure risk of at most 60")
    again = json.loads(shoal(*arguments)[1])
    assert again == facts, "seconds too: all figures were kept"
    folder = Path("people-explore")
    assert {path.name for path in folder.iterdir()} >= {"key", "exploration.json", "recommended.toml"}
    assert Recipe.read(folder / "recommended.toml").name == facts["recommended"]


def test_explore_takes_recipes_and_several_processes(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--save-recipe", "mine.toml")
    arguments = ["--methods", "mdav", "--k", "3", "--recipe", "mine.toml", "--workers", "2", "--json"]
    facts = json.loads(shoal("explore", "people.csv", *ROLES, *arguments)[1])
    assert [c["name"] for c in facts["candidates"]] == ["mdav, k = 3", "people: microaggregate, k = 4"]
    assert [c["k"] for c in facts["candidates"]] == [3, 4]


def test_explore_says_what_failed_and_that_nothing_fits(shoal):
    code, out, _ = shoal(
        "explore", "people.csv", *ROLES, "--methods", "mdav,pram", "--k", "3,61", "--risk", "0"
    )
    assert code == 0
    assert "note mdav, k = 61: `k` must be an integer from 2 to 60" in out
    assert "No recipe is recommended. No recipe has a disclosure risk of at most 0" in out
    assert not Path("people-explore/recommended.toml").exists()


def test_a_warning_comes_once(shoal, tmp_path):
    (tmp_path / "holes.csv").write_text("a,b\n" + "".join(f"{i},{'' if i == 3 else i}\n" for i in range(12)))
    KEEP = ["--set", "mdav.missing=keep", "--set", "md.missing=keep"]
    asked = ["explore", "holes.csv", "--quasi", "a,b", "--methods", "mdav,md", "--k", "3,4", *KEEP]
    _, out, err = shoal(*asked)
    assert err.count("Missing cells stay missing in b") == 1
    assert "No recipe is recommended. No recipe keeps its promise" in out
    assert not Path("holes-explore/recommended.toml").exists()
    assert not any(c["front"] or c["kept"] for c in json.loads(shoal(*asked, "--json")[1])["candidates"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["people.csv", "--quasi", "age"], "nothing to explore"),
        (["people.csv", "--quasi", "age", "--methods", "mdva", "--k", "3"], "Did you mean 'mdav'"),
        (["people.csv", "--quasi", "age", "--methods", "mdav"], "needs k"),
        (["people.csv", "--quasi", "age", "--methods", "mdav", "--k", "x"], "needs whole numbers"),
        (["people.csv", "--quasi", "age", *GRID, "--set", "k=3"], "METHOD.OPTION=VALUES"),
        (["people.csv", "--quasi", "age", *GRID, "--set", "pram.p=3"], "METHOD.OPTION=VALUES"),
        (["people.csv", "--quasi", "age", *GRID, "-o", "people.csv"], "never overwritten"),
        (["people.csv", "--quasi", "age", *GRID, "--risk", "101"], "from 0 to 100"),
        (["people.csv", "--quasi", "age", *GRID, "--recipe", "no.toml"], "cannot be read"),
    ],
)
def test_bad_input_is_exit_code_2_and_one_sentence(shoal, arguments, sentence):
    code, out, err = shoal("explore", *arguments)
    assert code == 2
    assert sentence in err
    assert "Traceback" not in out + err


def test_ctrl_c_keeps_what_is_done(tmp_path):
    process = start(tmp_path, stderr=subprocess.PIPE)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Stopped: 1 of 2 recipes are done and kept in people-explore" in out
    assert "Recommended: mdav, k = 3" in out
    assert "Traceback" not in err
    assert (tmp_path / "people-explore" / "recommended.toml").exists()
