"""shoal attack: what it says, its JSON, and files that are wrong."""

from __future__ import annotations

import json

import polars as pl
import pytest


@pytest.fixture
def people(tmp_path):
    rows = [{"age": 20 + i, "town": "ab"[i % 2], "ill": ["flu", "cold"][i % 3 == 0]} for i in range(40)]
    pl.DataFrame(rows).write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def options(path):
    return ["attack", str(path), str(path), "--quasi", "age,town", "--confidential", "ill", "--seed", "1"]


def test_it_says_the_strongest_and_who_was_not_run(shoal, people):
    code, out, err = shoal(*options(people))
    assert (code, err) == (0, "")
    assert out.startswith("The strongest of")
    assert "not run: two releases" in out


def test_json_is_json(shoal, people):
    facts = json.loads(shoal(*options(people), "--json")[1])
    assert facts["strongest"]
    assert "unshuffle" in facts["not_run"]


def test_other_written_and_matrices_are_used(shoal, people, tmp_path):
    matrices = tmp_path / "matrices.toml"
    matrices.write_text("[town.a]\na = 0.9\nb = 0.1\n[town.b]\nb = 0.9\na = 0.1\n", encoding="utf-8")
    more = ["--other", str(people), "--written", str(people), "--matrices", str(matrices), "--json"]
    facts = json.loads(shoal(*options(people), *more)[1])
    run = {finding["intruder"] for finding in facts["findings"]}
    assert {"two_releases", "pram_inversion", "unshuffle"} <= run


@pytest.mark.parametrize(("name", "text"), [("m.toml", "a = "), ("m.json", "[1]"), ("m.json", "{")])
def test_a_file_that_holds_no_matrices_is_one_sentence(shoal, people, tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    code, _, err = shoal(*options(people), "--matrices", str(tmp_path / name))
    assert code == 2
    assert name in err


def test_a_shuffled_file_is_noticed(shoal, people, tmp_path):
    table = pl.read_csv(people)
    table.sample(fraction=1, shuffle=True, seed=1).write_csv(tmp_path / "mixed.csv")
    command = ["attack", str(people), str(tmp_path / "mixed.csv"), "--quasi", "town", "--seed", "1"]
    code, out, err = shoal(*command)
    assert (code, out) == (2, ""), "no figure of rows that do not correspond"
    assert "shuffled" in err
    code, out, _ = shoal(*command, "--match", "age")
    assert code == 0
    assert "intruders" in out.splitlines()[0]
