"""shoal compare: one table of methods."""

from __future__ import annotations

import json
from pathlib import Path


def test_compare_shows_one_table_and_marks_the_best(shoal):
    arguments = ["compare", "people.csv", "--k", "3,5", "--quasi", "age,pay", "--methods", "mdav"]
    code, out, err = shoal(*arguments, "--csv", "table.csv")
    assert (code, err) == (0, "")
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert [row[:2] for row in rows] == [["3", "mdav"], ["5", "mdav"]]
    assert all(row[header.index("best")] == "*" for row in rows)
    assert Path("table.csv").read_text().startswith("k,method,loss")
    assert {trial["k"] for trial in json.loads(shoal(*arguments, "--json")[1])["trials"]} == {3, 5}


def test_methods_may_have_options(shoal):
    chosen = '{method="hac", linkage="single"}, mdav,{method = "hac", variant = "plain"}'
    code, out, err = shoal(
        "compare", "people.csv", "--k", "3", "--quasi", "age,pay", "--methods", chosen, "--json"
    )
    assert (code, err) == (0, "")
    names = {trial["method"] for trial in json.loads(out)["trials"]}
    assert names == {"hac(linkage='single')", "mdav", "hac(variant='plain')"}


def test_wrong_options_are_one_sentence(shoal):
    for wrong, said in (('{method="hac" linkage}', "cannot read"), ('{method="hac", link="x"}', "linkage")):
        code, _, err = shoal("compare", "people.csv", "--k", "3", "--quasi", "age,pay", "--methods", wrong)
        assert code != 0
        assert said in err
        assert "Traceback" not in err
