"""What a file promises on the command line: the same words at every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FILE = "age,sex,ill,pay\n" + "".join(
    f"{20 + i % 7},{'fm'[i % 2]},{('flu', 'cold', 'gout')[i % 3]},{100 + i % 5}\n" for i in range(84)
)
QUASI = ["--quasi", "age,sex", "--nominal", "pay"]
BOTH = ["--k", "3", "--l", "2", "--l-on", "ill", "--t", "0.9"]


@pytest.fixture
def file(shoal):
    Path("c.csv").write_text(FILE)
    return shoal


def promised(out):
    return json.loads(out)["promise"]


def test_a_bare_number_is_for_the_columns_named_and_these_are_confidential(file):
    expected = {"k": 3, "l": {"ill": 2}, "t": {"ill": 0.9}}
    assert promised(file("check", "c.csv", *QUASI, *BOTH, "--json")[1]) == expected
    assert promised(file("mask", "c.csv", *QUASI, *BOTH, "-o", "m.csv", "--json")[1]) == expected
    assert promised(file("evaluate", "c.csv", "m.csv", *QUASI, *BOTH, "--json")[1]) == expected
    file("mask", "c.csv", *QUASI, "--k", "3", "--save-recipe", "r.toml")
    assert promised(file("run", "c.csv", "r.toml", *BOTH[2:], "--json")[1]) == expected
    found = json.loads(
        file("explore", "c.csv", *QUASI, *BOTH[2:], "--methods", "mdav,mondrian", "--k", "3", "--json")[1]
    )
    assert [one["promise"] for one in found["candidates"]] == [expected, expected]


def test_a_column_can_have_a_number_of_its_own(file):
    asked = ["--k", "2", "--l", "ill=3", "--l", "2", "--l-on", "pay"]
    assert promised(file("check", "c.csv", *QUASI, *asked, "--json")[1])["l"] == {"ill": 3, "pay": 2}
    asked = ["--k", "2", "--confidential", "ill,pay", "--l", "2", "--t", "0.8", "--t-on", "pay"]
    found = promised(file("check", "c.csv", *QUASI, *asked, "--json")[1])
    assert (found["l"], found["t"]) == ({"ill": 2, "pay": 2}, {"pay": 0.8})


@pytest.mark.parametrize("method", ["microaggregate", "mondrian", "recode_to_k", "suppress_to_k"])
def test_any_model_is_promised_by_name_and_kept_by_every_method(file, method):
    asked = ["--k", "3", "--confidential", "ill", "--model", "alpha_k.alpha=0.6"]
    asked += ["--model", "entropy_l_diverse.l=2", "--numeric", "age", "--nominal", "age"]
    code, out, err = file("mask", "c.csv", *QUASI, "--method", method, *asked, "-o", "m.csv", "--json")
    assert (code, err) == (0, "")
    expected = {"k": 3, "alpha_k": {"alpha": 0.6}, "entropy_l_diverse": {"l": 2}}
    assert promised(out) == expected
    assert file("check", "m.csv", *QUASI, *asked)[0] == 0


def test_mistakes_are_one_sentence(file):
    for options, sentence in [
        (["--l", "2"], "`--l` needs a confidential column"),
        (["--model", "alpha_k=0.5"], "`--model` needs MODEL.OPTION=VALUE"),
        (["--model", "alpha.alpha=0.5"], "model of a promise"),
        (["--model", "alpha_k.beta=0.5"], "no option of alpha_k 'beta'"),
        (["--model", "alpha_k.age.alpha=0.5"], "name a confidential column"),
        (["--l", "2", "--l-on", "wages"], "no column 'wages'"),
        (["--l", "2", "--l-on", "age"], "name a confidential column"),
    ]:
        code, out, err = file("mask", "c.csv", *QUASI, "--k", "2", *options)
        assert (code, out, err.count("\n")) == (2, "", 1), (options, out, err)
        assert sentence in err


@pytest.mark.parametrize("method", ["microaggregate", "mondrian", "recode_to_k", "suppress_to_k"])
def test_a_model_of_one_column_makes_it_confidential_and_reads_its_hierarchy(file, method):
    Path("trees").mkdir()
    Path("trees/ill.csv").write_text("flu;cough;*\ncold;cough;*\ngout;pain;*\n")
    Path("trees/age.csv").write_text("".join(f"{age};young;*\n" for age in range(20, 27)))
    asked = ["--k", "3", "--model", "hierarchical_t_close.ill.t=0.5", "--hierarchies", "trees"]
    code, out, _ = file("mask", "c.csv", *QUASI, "--method", method, *asked, "-o", "m.csv")
    assert code == 0
    assert "hierarchical_t_close (t of ill = 0.5)" in out
    assert file("check", "m.csv", *QUASI, *asked)[0] == 0  # means of ages are no values of the hierarchy
    asked[3] = "hierarchical_t_close.ill.t=0"
    assert file("check", "m.csv", *QUASI, *asked)[0] in (0, 3)


@pytest.mark.parametrize("method", ["recode_to_k", "mondrian"])
def test_people_of_a_population_are_counted_in_labels_and_among_the_suppressed(file, method):
    Path("people.csv").write_text(FILE + FILE.split("\n", 1)[1] + "26,x,flu,100\n" * 4)
    Path("few.csv").write_text("".join(FILE.splitlines(keepends=True)[:40]) + "26,x,flu,100\n" * 3)
    Path("trees").mkdir()
    rows = [f"{age};{'young' if age < 24 else 'old'};*\n" for age in range(20, 27)]
    Path("trees/age.csv").write_text("".join(rows))
    asked = ["--k", "3", "--model", "k_map.people=6", "--model", "k_map.population=people.csv"]
    options = [*QUASI, *asked, "--hierarchies", "trees"]
    suppression = ["--set", "suppression=0.1"] if method == "recode_to_k" else []
    code, _, err = file("mask", "few.csv", *options, "--method", method, *suppression, "-o", "m.csv")
    assert code == 0, err
    assert file("check", "m.csv", *options)[0] == 0
