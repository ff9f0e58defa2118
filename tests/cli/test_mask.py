"""shoal mask: what is written, what is not, and what is said."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from cli.files import ROLES

fastexcel = pytest.importorskip("fastexcel", reason="spreadsheets need the extra `files`")
xlsxwriter = pytest.importorskip("xlsxwriter", reason="spreadsheets need the extra `files`")


def test_mask_writes_a_file_that_is_k_anonymous_by_independent_count(shoal):
    code, out, err = shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv")
    assert (code, "warning" in err) == (0, False)
    assert out.startswith("k = 4 reached")
    frame = pl.read_csv("safe.csv", separator=";", decimal_comma=True)
    assert frame.columns == ["age", "pay", "town"], "identifiers are left out, the dialect is kept"
    assert min(Counter(frame.select("age", "pay").iter_rows()).values()) >= 4
    assert Counter(frame["town"]) == {"a": 30, "b": 30}


def test_rows_are_shuffled_unless_asked_and_a_seed_repeats_it(shoal):
    for name, options in {"1": ["--seed", "1"], "2": ["--seed", "1"], "3": [], "4": ["--no-shuffle"]}.items():
        assert shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", f"{name}.csv", *options)[0] == 0
    text = {name: Path(f"{name}.csv").read_text() for name in "1234"}
    assert text["1"] == text["2"] != text["3"]
    assert text["4"] not in (text["1"], text["3"])
    assert sorted(text["4"].splitlines()) == sorted(text["1"].splitlines())


def test_json_is_json_and_nothing_else(shoal):
    code, out, err = shoal(
        "mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", "--json", "--seed", "918273"
    )
    facts = json.loads(out)
    assert (code, err) == (0, "")
    assert (facts["promise"], facts["kept"], facts["breaking_records"]) == ({"k": 4}, True, 0)
    assert facts["reached"]["k"] == facts["k"] >= 4
    assert 0 < facts["information_loss"] < 100
    assert "918273" not in out, "a seed is a secret"


def test_without_output_nothing_is_written(shoal, tmp_path):
    code, out, _ = shoal("mask", "people.csv", "--k", "4", *ROLES)
    assert code == 0
    assert "Nothing was written" in out
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_an_existing_file_needs_force(shoal, tmp_path):
    (tmp_path / "safe.csv").write_text("mine")
    code, _, err = shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv")
    assert (code, (tmp_path / "safe.csv").read_text()) == (2, "mine")
    assert "--force" in err
    assert shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", "--force")[0] == 0
    assert (tmp_path / "safe.csv").read_text() != "mine"


def test_a_broken_promise_writes_nothing_and_exits_3(shoal, tmp_path):
    (tmp_path / "holes.csv").write_text("a,b\n" + "".join(f"{i},{'' if i == 3 else i}\n" for i in range(12)))
    asked = ["mask", "holes.csv", "--k", "3", "--quasi", "a,b", "--set", "missing=keep"]
    before = sorted(path.name for path in tmp_path.iterdir())
    for target in ([], ["-o", "safe.csv"], ["-o", "safe.csv", "--force", "--json"]):
        code, out, err = shoal(*asked, *target)
        assert code == 3
        assert sorted(path.name for path in tmp_path.iterdir()) == before
        if "--json" in target:
            facts = json.loads(out)
            assert (facts["kept"], facts["written"], facts["reached"]["k"]) == (False, False, 1)
        else:
            assert out.startswith("k = 3 NOT reached, only 1")
        if target:
            assert "nothing was written" in err
            assert "records break it" in err
            assert "--set missing=together" in err
    shoal(*asked, "-o", "safe.csv", "--save-fitted", "fitted.toml")
    assert not (tmp_path / "fitted.toml").exists(), "what was learned belongs to a release"
    code, out, err = shoal(*asked, "-o", "safe.csv", "--release-anyway")
    assert code == 0
    assert out.startswith("RELEASED ANYWAY: k = 3 NOT reached, only 1")
    code, out, err = shoal("mask", "holes.csv", "--k", "3", "--quasi", "a,b")
    assert (code, out[:13]) == (0, "k = 3 reached")


def test_an_input_is_never_overwritten(shoal, tmp_path):
    before = (tmp_path / "people.csv").read_text()
    for options in (["-o", "people.csv"], ["-o", "a.csv", "--save-recipe", "people.csv"]):
        code, _, err = shoal("mask", "people.csv", "--k", "4", *ROLES, *options, "--force")
        assert (code, (tmp_path / "people.csv").read_text()) == (2, before)
        assert "never overwritten" in err


def test_l_t_and_the_highest_risk_are_promised_too(shoal):
    code, out, _ = shoal("mask", "people.csv", "--max-risk", "0.2", "--l", "2", "--t", "town=0.5", *ROLES)
    assert code == 0
    assert out.startswith("The promise is kept: l of town = 2, t of town = 0.5, max_risk = 0.2 was promised")
    code, out, _ = shoal("mask", "people.csv", "--max-risk", "0.1", *ROLES)
    assert "no record is above 10 %" in out, "the threshold is what was promised"
    code, _, err = shoal("mask", "people.csv", "--k", "4", "--model", "alpha_k.alpha=0.4", *ROLES)
    assert code == 2
    assert "Even as a whole the file" in err


def test_several_steps_one_after_the_other(shoal):
    Path("grown").mkdir()
    ages = pl.read_csv("people.csv", separator=";", decimal_comma=True)["age"].unique().sort().to_list()
    Path("grown/age.csv").write_text("".join(f"{age};{age // 20};*\n" for age in ages))
    options = ["--quasi", "age,town", "--hierarchies", "grown", "--k", "3", "--set", "suppression=1.0"]
    more = ["--set", "levels={ age = [0, 1] }", "--set", "suppress.importance={ town = 2 }"]
    code, _, err = shoal(
        "mask",
        "people.csv",
        *options,
        *more,
        "--steps",
        "recode,suppress",
        "--save-recipe",
        "r.toml",
        "-o",
        "s.csv",
    )
    assert code == 0, err
    assert "recode_to_k" in Path("r.toml").read_text()
    assert "suppress_to_k" in Path("r.toml").read_text()
    frame = pl.read_csv("s.csv", separator=";")
    assert min(Counter(frame.select("age", "town").iter_rows()).values()) >= 3
    code, _, err = shoal("mask", "people.csv", *options, "--steps", "recode", "--set", "pram.p=1")
    assert code == 2
    assert "which --steps does not name" in err


def test_what_a_search_found_is_said(command):
    Path("f.csv").write_text("age,town\n21,a\n25,a\n34,b\n38,b\n71,b\n77,a\n,a\n")
    asked = ["--quasi", "age,town", "--k", "2", "--set", "hierarchies={age={widths=[10,20,40]}}"]
    code, out, errors = command("mask", "f.csv", "--method", "recode_to_k", *asked, "-o", "out.csv")
    assert code == 0, errors
    assert "The best of 10 recodings, proven: age at level" in out
    code, out, _ = command("mask", "f.csv", "--method", "recode_to_k", *asked, "--json")
    assert json.loads(out)["recoding"]["proven"] is True
    assert set(json.loads(out)["recoding"]["levels"]) == {"age", "town"}
    code, out, _ = command(
        "mask", "f.csv", "--method", "recode_to_k", *asked, "--set", "scheme=local", "-o", "o.csv"
    )
    assert "Local recoding: gcp" in out


def test_options_that_name_columns_take_commas(shoal):
    given = ("--method", "rank_swap", "--set", "percent=20", "--set", "columns=age,pay", "--no-shuffle")
    assert shoal("mask", "people.csv", *ROLES, *given, "-o", "swapped.csv")[0] == 0
    assert pl.read_csv("swapped.csv", separator=";", decimal_comma=True)["pay"].n_unique() > 1
    code, _, err = shoal("mask", "people.csv", *ROLES, *given[:4], "--set", "columns=age,salary")
    assert (code, "'salary'" in err) == (2, True)


def test_a_certificate_is_said_in_words(shoal):
    proof = 'partition={method="best", seconds=1, certify=true}'
    code, out, err = shoal("mask", "people.csv", "--k", "4", *ROLES, "--set", proof)
    assert code == 0, err
    assert "of at least k records" in out.splitlines()[-1]
    assert "proven" in out.splitlines()[-1]


def test_what_was_said_of_the_file_holds_for_the_one_written(command):
    """Neither the code page nor a comma before three digits can be told by bytes; nobody says them twice."""
    text = "Jméno;příjem\r\n" + "".join(
        f"{name};{1 + i // 4},{100 + i}\r\n" for i, name in enumerate("čšž" * 8)
    )
    Path("people.csv").write_bytes(text.encode("cp1250"))
    said = ["--encoding", "cp1250", "--decimal", ","]
    code, _, err = command("mask", "people.csv", *said, "--k", "3", "--quasi", "Jméno", "-o", "safe.csv")
    assert code == 0, err
    assert sorted(Path("safe.csv").read_bytes().decode("cp1250").split("\r\n")) == sorted(text.split("\r\n"))
    assert command("check", "safe.csv", *said, "--k", "3", "--quasi", "Jméno")[0] == 0


def test_the_layout_that_was_given_is_kept(command):
    Path("people.asc").write_text("".join(f"{20 + i // 4} {i % 2}\n" for i in range(12)))
    Path("places.csv").write_text("name,start,width\nage,1,2\nsex,4,1\n")
    said = ["--layout", "places.csv", "--k", "4", "--quasi", "age"]
    assert command("mask", "people.asc", *said, "-o", "safe.asc", "--method", "global_median")[0] == 0
    assert sorted(Path("safe.asc").read_text()) == sorted(Path("people.asc").read_text())


def test_the_sheet_that_was_chosen_keeps_its_name(command):
    book = xlsxwriter.Workbook("people.xlsx")
    for name in ("notes", "persons"):
        sheet = book.add_worksheet(name)
        for row, cell in enumerate(["age", *[20 + i // 4 for i in range(12)]]):
            sheet.write(row, 0, cell)
    book.close()
    said = ["--sheet", "persons", "--k", "4", "--quasi", "age"]
    assert command("mask", "people.xlsx", *said, "-o", "safe.xlsx")[0] == 0
    assert fastexcel.read_excel("safe.xlsx").sheet_names == ["persons"]


def test_pram_says_what_it_changed(shoal):
    method = ["--method", "pram", "--set", "matrices={method='invariant_matrix',p=0.5}"]
    _, out, _ = shoal("mask", "people.csv", *ROLES[2:4], "--quasi", "town", *method, "-o", "drawn.csv")
    lines = out.splitlines()
    (share,) = [line for line in lines if line.startswith("town: ")]
    assert share.endswith("% of the cells changed.")
    assert lines[lines.index(share) + 1] == "town\tbefore\texpected\tdrawn"
    assert "a\t30\t30.0\t" in lines[lines.index(share) + 2]


def test_details_show_weighted_totals(command, tmp_path):
    pl.DataFrame({"age": [30, 40] * 10, "w": [2.0, 3.0] * 10}).write_csv(tmp_path / "a.csv")
    base = ["mask", "a.csv", "--k", "2", "--quasi", "age"]
    code, out, err = command(*base, "--weight", "w", "--details")
    assert code == 0, err
    assert "age\ttotal\t1,800\t1,800\t0.0" in out
    assert "weighted total" not in command(*base, "--details")[1]


def test_a_weight_that_tells_the_town_is_warned_of(command, tmp_path):
    towns = ["a", "b", "c", "d"] * 10
    weights = {"a": 1.5, "b": 2.5, "c": 3.5, "d": 4.5}
    frame = pl.DataFrame({"town": towns, "age": range(40), "w": [weights[town] for town in towns]})
    frame.write_csv(tmp_path / "a.csv")
    _, _, err = command("mask", "a.csv", "--k", "3", "--quasi", "town,age", "--weight", "w")
    assert "Masking does not hide what another column tells: w determines town" in err
