"""shoal check: yes or no, the counts, the rows."""

from __future__ import annotations

import json
from pathlib import Path

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
