"""Options that say what the file is, and one sentence for what they cannot mean."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest


def test_kinds_and_missing_codes(shoal, tmp_path):
    (tmp_path / "codes.csv").write_text(
        "size,code\n" + "".join(f"{'sml'[i % 3]},{i % 4}\n" for i in range(24))
    )
    arguments = ["--quasi", "size,code", "--ordinal", "size=s,m,l", "--nominal", "code", "-o", "safe.csv"]
    assert shoal("mask", "codes.csv", "--k", "3", *arguments)[0] == 0
    assert set(pl.read_csv("safe.csv")["code"]) <= {0, 1, 2, 3}
    assert set(pl.read_csv("safe.csv")["size"]) <= {"s", "m", "l"}
    _, _, err = shoal(
        "mask", "codes.csv", "--k", "3", "--quasi", "code", "--missing-code", "3", "--set", "missing=keep"
    )
    assert "Missing cells stay missing in code" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mask", "peopl.csv", "--k", "3"], "Did you mean 'people.csv'"),
        (["mask", "people.csv", "--k", "3"], "No column has the role quasi"),
        (["mask", "people.csv", "--k", "3", "--quasi", "agee"], "Did you mean 'age'"),
        (["mask", "people.csv", "--k", "61", "--quasi", "age"], "from 2 to 60"),
        (["mask", "people.csv", "--k", "1", "--quasi", "age"], "from 2 to 60"),
        (
            ["mask", "people.csv", "--k", "3", "--quasi", "age", "--set", "partition=mdva"],
            "Did you mean 'mdav'",
        ),
        (["mask", "people.csv", "--k", "3", "--quasi", "age", "--set", "scal=range"], "Did you mean 'scale'"),
        (["mask", "people.csv", "--k", "3", "--quasi", "age", "--set", "round"], "needs NAME=VALUE"),
        (["mask", "people.csv", "--k", "3", "--quasi", "age", "--method", "magic"], "no method 'magic'"),
        (["mask", "people.csv", "--k", "3", "--quasi", "age", "--numeric", "town"], "cannot be numeric"),
        (["mask", "people.csv", "--k", "3", "--quasi", "age", "--ordinal", "age=low,high"], "needs numbers"),
        (["mask", "people.csv", "--k", "3", "--quasi", "age", "-o", "safe.doc"], "extension"),
        (["mask", "people.csv", "--k", "3", "--quasi", "age", "-o", "no/safe.csv"], "no"),
        (["mask", "people.csv", "--quasi", "age"], "needs the option `k`"),
        (["mask", "people.csv", "--k", "three", "--quasi", "age"], "--k"),
        (["run", "people.csv", "none.toml"], "cannot be read"),
        (["compare", "people.csv", "--k", "3,x"], "needs whole numbers"),
        (["compare", "people.csv", "--k", "3", "--methods", "mdva"], "Did you mean 'mdav'"),
        (["methods", "magic"], "no method 'magic'"),
        (["evaluate", "people.csv", "none.csv"], "There is no file"),
    ],
)
def test_bad_input_is_exit_code_2_and_one_sentence(shoal, arguments, sentence):
    code, out, err = shoal(*arguments)
    assert code == 2
    assert sentence in err
    assert "Traceback" not in out + err


def test_numbers_in_texts_are_numbers_where_that_is_said(command):
    Path("people.csv").write_text(
        "code,town\n" + "".join(f"0{10 + i // 3},{'ab'[i % 2]}\n" for i in range(12))
    )
    said = ["mask", "people.csv", "--k", "3", "--quasi", "code", "-o", "safe.csv", "--force"]
    assert "code\tnominal" in command(*said)[2]
    code, _, err = command(*said, "--numeric", "code")
    assert code == 0
    assert "code\tnumeric" in err
    assert sorted(Path("safe.csv").read_text().split())[:3] == ["10,a", "10,a", "10,b"]
