"""shoal report: both versions, and one sentence for what cannot be reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.files import ROLES
from shoal import Recipe

GRID = ["--methods", "mdav,rank_swap", "--k", "3,6", "--set", "rank_swap.percent=[10]"]


def test_report_writes_both_versions(shoal):
    pytest.importorskip("matplotlib", reason="a report needs the extra `report`")
    shoal("explore", "people.csv", *ROLES, *GRID, "-o", "best.toml", "--at-least", "3")
    shoal("run", "people.csv", "best.toml", "--no-shuffle", "-o", "safe.csv", "--seed", "918273")
    both = ["report", "people.csv", "safe.csv", "--recipe", "best.toml"]
    code, out, err = shoal(
        *both, "--exploration", "people-explore/exploration.json", "-o", "r.html", "-o", "r.json"
    )
    assert (code, err) == (0, "")
    assert out == "The internal report is in r.html, r.json.\n"
    facts = json.loads(Path("r.json").read_text())
    judged = json.loads(shoal("evaluate", "people.csv", "safe.csv", *ROLES, "--json")[1])
    assert facts["information_loss"] == judged["information_loss"]
    assert facts["exploration"]["chosen"] == Recipe.read("best.toml").name
    assert f"{judged['disclosure_risk']:.1f}" in Path("r.html").read_text()
    code, out, _ = shoal(*both, "--public", "-o", "p.html", "--plots", "plots", "--png")
    public = Path("p.html").read_text()
    assert out == "The public report is in p.html.\n"
    assert f"{judged['disclosure_risk']:.3f}" not in public
    assert "k = " not in public
    assert "918273" not in Path("r.html").read_text() + public
    assert "# How this file was protected" in shoal(*both, "--public")[1]
    assert json.loads(shoal(*both, "--public", "--json")[1])["public"] is True


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["people.csv", "people.csv", "--quasi", "age", "-o", "r.pdf"], ".html, .md or .json"),
        (["people.csv", "people.csv", "--quasi", "age", "-o", "people.csv"], "never overwritten"),
        (["people.csv", "none.csv", "--quasi", "age"], "There is no file"),
        (["people.csv", "people.csv", "--quasi", "age", "--exploration", "no.json"], "cannot be read"),
        (["people.csv", "people.csv", "--quasi", "age", "--exploration", "people.csv"], "no exploration"),
        (["people.csv", "people.csv", "--quasi", "agee"], "Did you mean 'age'"),
    ],
)
def test_bad_reports_are_one_sentence(shoal, arguments, sentence):
    code, out, err = shoal("report", *arguments)
    assert code == 2
    assert sentence in err
    assert "Traceback" not in out + err
