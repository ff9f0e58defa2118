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
