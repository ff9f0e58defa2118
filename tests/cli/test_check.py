"""shoal check: yes or no, the counts, the rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FILE = "age,sex,ill\n30,f,flu\n30,f,cold\n40,m,flu\n,m,flu\n40,m,flu\n"
ASKED = ["check", "c.csv", "--quasi", "age,sex", "--confidential", "ill", "--nominal", "age"]


def test_yes_or_no_comes_first_and_is_the_exit_code(shoal):
    Path("c.csv").write_text(FILE)
    code, out, err = shoal(*ASKED, "--k", "2")
    assert (code, err) == (3, "")
    assert out.splitlines()[0] == "No: the promise is broken; 1 of 5 records breaks it."
    assert "Rows that break the promise: 3." in out
    assert "5 records in 3 classes of age, sex." in out
    code, out, _ = shoal(*ASKED, "--k", "2", "--gaps", "wildcard")
    assert (code, out.splitlines()[0]) == (0, "Yes: the promise is kept (k = 2).")
    assert "the weaker reading" in out


def test_l_is_checked_for_every_confidential_column(shoal):
    Path("c.csv").write_text(FILE)
    code, out, _ = shoal(*ASKED, "--l", "2", "--list", "rows.csv", "--json")
    assert (code, json.loads(out)["reached"]["l"]) == (3, {"ill": 1})
    assert Path("rows.csv").read_text().split() == ["row", "2", "3", "4"]
    assert json.loads(shoal(*ASKED, "--k", "3", "--json")[1])["breaking_rows"] == [0, 1, 2, 3, 4]


def test_the_classes_that_break_it_are_shown_whatever_they_break(shoal):
    Path("c.csv").write_text(
        "age,records,ill\n30,1,flu\n30,1,cold\n40,2,flu\n40,2,flu\n50,3,cold\n50,3,flu\n"
    )
    asked = ["check", "c.csv", "--quasi", "age,records", "--confidential", "ill"]
    out = shoal(*asked, "--k", "2", "--l", "2")[1].splitlines()
    assert [line.split() for line in out[3:-1]] == [["age", "records", "records_"], ["40", "2", "2"]]
    assert len(shoal(*asked, "--k", "3", "--l", "2")[1].splitlines()) == 8  # all three are below k


def test_mistakes_are_one_sentence(shoal):
    Path("c.csv").write_text(FILE)
    for options, sentence in [
        ([], "There is no promise to check"),
        (["--k", "2", "--gaps", "joker"], "`gaps` must be one of"),
        (["--k", "2", "--list", "c.csv", "--force"], "never overwritten"),
        (["--l", "pay=2"], "no column 'pay'"),
    ]:
        code, out, err = shoal(*ASKED, *options)
        assert (code, out) == (2, "")
        assert sentence in err


def test_all_rows_are_named_where_they_are_twenty(shoal):
    Path("c.csv").write_text("age\n" + "30\n" * 20)
    for k, rows, said in ((21, "18, 19.", True), (21, "more", False)):
        assert (rows in shoal("check", "c.csv", "--quasi", "age", "--k", str(k))[1]) is said
    Path("c.csv").write_text("age\n" + "30\n" * 21)
    assert "18, 19 and 1 more." in shoal("check", "c.csv", "--quasi", "age", "--k", "22")[1]


def test_texts_that_only_look_alike_are_said(shoal):
    Path("c.csv").write_text("town\nVic\nVic\nVic \nVic \n", encoding="utf-8")
    code, out, err = shoal("check", "c.csv", "--quasi", "town", "--k", "2")
    assert (code, out.splitlines()[0]) == (0, "Yes: the promise is kept (k = 2).")
    assert "only by spaces or by the code of a letter (2 in town)" in err


@pytest.mark.parametrize(
    "cells", ["1.0 1 1.0 1", "0 -0 0 -0", "2020-01-02 02.01.2020 2020-01-02 02.01.2020", "NA - - NA"]
)
def test_cells_are_counted_as_they_stand(shoal, cells):
    """Who has the file has a text editor."""
    Path("c.csv").write_text("age,b\n" + "".join(f"{cell},x\n" for cell in cells.split()))
    for command in (["check", "c.csv"], ["evaluate", "c.csv", "c.csv"]):
        assert shoal(*command, "--quasi", "age,b", "--k", "2")[0] == 0
        code, out, _ = shoal(*command, "--quasi", "age,b", "--k", "3", "--json")
        assert (code, json.loads(out)["reached"]["k"]) == (3, 2)


def test_what_means_missing_is_one_gap_where_gaps_are_wildcards(shoal):
    Path("c.csv").write_text("age,b\n1,x\nNA,x\n1,x\n,y\n1,y\n")
    asked = ["check", "c.csv", "--quasi", "age,b", "--json"]
    assert json.loads(shoal(*asked, "--k", "2")[1])["reached"]["k"] == 1
    assert json.loads(shoal(*asked, "--k", "2", "--gaps", "wildcard")[1])["reached"]["k"] == 2


def test_fixed_width_is_counted_as_it_stands(shoal):
    Path("c.csv").write_text("name,start,width\nage,1,3\n")
    Path("c.asc").write_text("  1\n1  \n  1\n1  \n")
    asked = ["check", "c.asc", "--layout", "c.csv", "--quasi", "age", "--json"]
    assert json.loads(shoal(*asked, "--k", "3")[1])["reached"]["k"] == 2
