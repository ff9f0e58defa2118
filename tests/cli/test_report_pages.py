"""Pages of the run itself: the released file is shuffled, the report was made before that."""

from __future__ import annotations

import json

import pytest

from cli.files import ROLES

pytest.importorskip("jinja2", reason="a report needs the extra `report`")
pytest.importorskip("matplotlib", reason="a report needs the extra `report`")


def test_mask_leaves_an_internal_and_a_public_report(shoal, tmp_path):
    pages = ["--report", "in.json", "--public-report", "out.json"]
    code, out, _ = shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", *pages)
    assert code == 0
    assert "The internal report is in in.json." in out
    inside, outside = (json.loads((tmp_path / name).read_text()) for name in ("in.json", "out.json"))
    assert inside["verdict"][0].startswith("Yes")
    assert not any("shuffled" in warning for warning in inside["warnings"])
    assert inside["recipe"]["words"][0].startswith("Groups of at least 4")
    assert str(tmp_path) not in json.dumps(inside)
    assert "risks" not in outside
    assert [t["name"] for t in outside["treatments"]] == ["age", "pay"]


def test_run_explore_and_evolve_alike(shoal, tmp_path):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--save-recipe", "r.toml")
    assert shoal("run", "people.csv", "r.toml", "-o", "a.csv", "--report", "run.json")[0] == 0
    tried = ["--methods", "mdav", "--k", "4,6", "--report", "explore.json"]
    assert shoal("explore", "people.csv", *ROLES[:2], *tried)[0] == 0
    searched = ["--generations", "2", "--minutes", "0.1", "-o", "b.csv", "--report", "evolve.json"]
    assert shoal("evolve", "people.csv", *ROLES[:2], *searched)[0] == 0
    assert len(json.loads((tmp_path / "explore.json").read_text())["exploration"]["candidates"]) == 2
    for name in ("run.json", "evolve.json"):
        assert json.loads((tmp_path / name).read_text())["map"]["chosen"] == "this file"


def test_a_page_that_cannot_be_written_is_refused_before_the_work(shoal, tmp_path):
    code, _, err = shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", "--report", "page.pdf")
    assert code == 2
    assert ".html" in err
    (tmp_path / "there.html").write_text("mine")
    code, _, _ = shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", "--report", "there.html")
    assert code == 2
    assert not (tmp_path / "safe.csv").exists()
    assert (tmp_path / "there.html").read_text() == "mine"


def test_hierarchies_are_told_by_name_not_by_where_they_lie(shoal, tmp_path):
    (tmp_path / "trees").mkdir()
    tree = "".join(f"{age};{age // 10}0s;*\n" for age in range(20, 60))
    (tmp_path / "trees" / "age.csv").write_text(tree)
    how = ["--method", "global_recode", "--set", "levels={ age = 1 }", "--hierarchies", "trees"]
    code, out, _ = shoal("mask", "people.csv", "--quasi", "age", *how, "--k", "5", "--report", "in.json")
    assert code == 0
    assert "Nothing was written" in out
    inside = json.loads((tmp_path / "in.json").read_text())
    assert inside["recipe"]["hierarchies"] == {"age": "age.csv"}
    assert inside["treatments"][0]["what"] == "in bands of 10"
    assert "trees" not in json.dumps(inside)


def test_the_worst_finding_of_the_panel_is_a_line_of_report_screen_and_json(shoal, tmp_path):
    asked = ["mask", "people.csv", "--k", "4", *ROLES, "--attack", "--seed", "1"]
    code, out, _ = shoal(*asked, "--report", "in.json", "--public-report", "out.json")
    assert code == 0
    inside, outside = (json.loads((tmp_path / name).read_text()) for name in ("in.json", "out.json"))
    (line,) = [said for said in inside["verdict"] if "intruders" in said]
    assert line in out
    assert all(row["title"] and row["worst"] for row in inside["intruders"])
    assert "intruders" not in json.dumps(outside)
    assert json.loads(shoal(*asked, "--json")[1])["attack"]["sentence"] == line
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--no-shuffle", "-o", "safe.csv")
    shoal("report", "people.csv", "safe.csv", *ROLES, "--attack", "-o", "page.json")
    assert json.loads((tmp_path / "page.json").read_text())["intruders"]
