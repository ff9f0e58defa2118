"""shoal hierarchy: made, shown, written as ARX reads it, refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.hierarchy import read_hierarchy


def test_made_by_width_shown_and_written(shoal):
    code, out, _ = shoal(
        "hierarchy", "make", "people.csv", "--column", "age", "--width", "10,20", "-o", "age.csv"
    )
    assert code == 0
    lines = [line.split("\t") for line in out.splitlines() if "\t" in line]
    assert lines[0] == ["level", "labels (records)", "labels", "fewest records"]
    assert [line[0] for line in lines[1:]] == ["0", "1", "2", "3"]
    assert lines[-1][1:] == ["* (60)", "1", "60"]
    assert read_hierarchy("age.csv").height == 3
    again = shoal("hierarchy", "show", "people.csv", "age.csv", "--column", "age")
    assert again[0] == 0
    assert [line for line in again[1].splitlines() if "\t" in line] == ["\t".join(line) for line in lines]


def test_quantiles_are_about_equally_full(shoal):
    code, out, _ = shoal("hierarchy", "make", "people.csv", "--column", "age", "--quantiles", "4,2")
    assert code == 0
    lines = [line.split("\t") for line in out.splitlines() if "\t" in line][1:]
    assert [int(line[2]) for line in lines[1:]] == [4, 2, 1]
    assert int(lines[1][3]) >= 8


def test_prefixes(shoal):
    Path("codes.csv").write_text("icd,n\nC50.1,1\nC50.9,2\nD10.0,3\n")
    code, out, _ = shoal("hierarchy", "make", "codes.csv", "--column", "icd", "--prefix", "3,1")
    assert code == 0
    assert "C50* (2), D10* (1)" in out


def test_merged_by_hand_and_labels_again(shoal):
    Path("c.csv").write_text("town,n\n" + "".join(f"{t},1\n" for t in ("a", "b", "c", "d", "d")))
    options = ["--column", "town", "--group", "north=a,b", "--group", "land=north,c", "-o", "town.csv"]
    assert shoal("hierarchy", "make", "c.csv", *options)[0] == 0
    found = read_hierarchy("town.csv")
    assert sorted(found.paths) == [
        ("a", "north", "land", "*"),
        ("b", "north", "land", "*"),
        ("c", "c", "land", "*"),
        ("d", "d", "d", "*"),
    ]
    for groups, sentence in [
        (["n=a,x"], "Group 1 merges something"),
        (["n=a", "m=a"], "Group 2 merges what"),
    ]:
        asked = [part for group in groups for part in ("--group", group)]
        code, _, err = shoal("hierarchy", "make", "c.csv", "--column", "town", *asked)
        assert (code, sentence in err) == (2, True)


def test_merged_by_similarity(shoal):
    code, out, _ = shoal(
        "hierarchy", "make", "people.csv", "--column", "town", "--similar", "1", "--by", "pay"
    )
    assert code == 0
    assert "a, b (60)" in out
    assert (
        "`counts` must fall"
        in shoal("hierarchy", "make", "people.csv", "--column", "town", "--similar", "2")[2]
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "Say one of --width"),
        (["--width", "ten"], "Levels are numbers"),
        (["--width", "5,7"], "must be a multiple"),
        (["--quantiles", "5,2"], "must divide the one before"),
        (["--dates", "month"], "is no date"),
    ],
)
def test_mistakes_are_one_sentence(shoal, options, sentence):
    code, _, err = shoal("hierarchy", "make", "people.csv", "--column", "age", *options)
    assert code == 2
    assert sentence in err


def test_a_value_the_hierarchy_lacks_is_said_by_row(shoal):
    Path("age.csv").write_text("1;*\n")
    code, _, err = shoal("hierarchy", "show", "people.csv", "age.csv", "--column", "age")
    assert code == 2
    assert "Column 'age' has a value at row 0 that its hierarchy 'age.csv' does not name" in err
