from __future__ import annotations

import json
import signal
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.cli import console

FILE = "name;age;pay;town\n" + "".join(
    f"p{i};{20 + i % 40};{1000 + 37 * i % 700},5;{'ab'[i % 2]}\n" for i in range(60)
)
ROLES = ["--quasi", "age,pay", "--identifier", "name", "--confidential", "town"]


@pytest.fixture
def shoal(command, tmp_path):
    """Run a command in an empty folder that holds people.csv; gives exit code, output and errors."""
    (tmp_path / "people.csv").write_text(FILE)
    return command


def test_mask_writes_a_file_that_is_k_anonymous_by_independent_count(shoal):
    code, out, err = shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv")
    assert (code, err) == (0, "")
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
    assert facts["k_reached"] is True
    assert facts["k"] >= 4
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


def test_a_recipe_saved_can_be_run_shown_and_repeated(shoal):
    options = ["--set", "round=true", "--set", 'partition={method="mdav", leftovers="nearest"}']
    assert shoal("mask", "people.csv", "--k", "4", *ROLES, *options, "--save-recipe", "r.toml")[0] == 0
    code, out, _ = shoal("run", "people.csv", "r.toml", "-o", "safe.csv")
    assert (code, out[:13]) == (0, "k = 4 reached")
    assert "partial(mdav, leftovers='nearest')" in shoal("run", "people.csv", "r.toml", "--script")[1]
    assert shoal("mask", "people.csv", "--k", "4", *ROLES, "--save-recipe", "r.toml")[0] == 2


def test_missing_cells_that_break_k_are_said_aloud(shoal, tmp_path):
    (tmp_path / "holes.csv").write_text("a,b\n" + "".join(f"{i},{'' if i == 3 else i}\n" for i in range(12)))
    code, out, err = shoal("mask", "holes.csv", "--k", "3", "--quasi", "a,b", "-o", "safe.csv")
    assert code == 0
    assert out.startswith("k = 3 NOT reached, only 1")
    assert "warning: Missing cells stay missing in b" in err
    code, out, err = shoal("mask", "holes.csv", "--k", "3", "--quasi", "a,b", "--set", "missing=suppress")
    assert (code, err, out[:13]) == (0, "", "k = 3 reached")


def test_kinds_and_missing_codes(shoal, tmp_path):
    (tmp_path / "codes.csv").write_text(
        "size,code\n" + "".join(f"{'sml'[i % 3]},{i % 4}\n" for i in range(24))
    )
    arguments = ["--quasi", "size,code", "--ordinal", "size=s,m,l", "--nominal", "code", "-o", "safe.csv"]
    assert shoal("mask", "codes.csv", "--k", "3", *arguments)[0] == 0
    assert set(pl.read_csv("safe.csv")["code"]) <= {0, 1, 2, 3}
    assert set(pl.read_csv("safe.csv")["size"]) <= {"s", "m", "l"}
    code, _, err = shoal("mask", "codes.csv", "--k", "3", "--quasi", "code", "--missing-code", "3")
    assert code == 0
    assert "Missing cells stay missing in code" in err


def test_evaluate_puts_the_verdict_first(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--no-shuffle", "-o", "safe.csv")
    code, out, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--k", "5")
    assert (code, err) == (0, "")
    assert out.startswith("k = 5 NOT reached, only 4")
    assert "An intruder who knows age, pay links" in out.splitlines()[1]
    facts = json.loads(shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--json")[1])
    assert facts["k"] == 4


def test_evaluate_takes_what_the_intruder_knows_and_how_to_score(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "--no-shuffle", "-o", "safe.csv")
    facts = json.loads(
        shoal("evaluate", "people.csv", "safe.csv", *ROLES[:2], "--known", "age", "--score", "max", "--json")[
            1
        ]
    )
    assert facts["keys"] == ["age"]
    assert facts["score"] == max(facts["information_loss"], facts["disclosure_risk"])
    code, _, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay", "--score", "min")
    assert code == 2
    assert "`combine` must be one of 'mean', 'max'" in err


def test_evaluate_notices_shuffled_rows(shoal):
    shoal("mask", "people.csv", "--k", "4", *ROLES, "-o", "safe.csv", "--seed", "3")
    _, _, err = shoal("evaluate", "people.csv", "safe.csv", "--quasi", "age,pay")
    assert "shuffled" in err


def test_compare_shows_one_table_and_marks_the_best(shoal):
    arguments = ["compare", "people.csv", "--k", "3,5", "--quasi", "age,pay", "--methods", "mdav"]
    code, out, err = shoal(*arguments, "--csv", "table.csv")
    assert (code, err) == (0, "")
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert [row[:2] for row in rows] == [["3", "mdav"], ["5", "mdav"]]
    assert all(row[header.index("best")] == "*" for row in rows)
    assert Path("table.csv").read_text().startswith("k,method,loss")
    assert {trial["k"] for trial in json.loads(shoal(*arguments, "--json")[1])["trials"]} == {3, 5}


def test_groups_shows_the_search_against_hand_made_groupings_and_writes_a_recipe(shoal):
    rng = np.random.default_rng(1)
    pl.DataFrame({name: rng.normal(size=60).round(3) for name in "abcd"}).write_csv("numbers.csv")
    arguments = [
        "groups",
        "numbers.csv",
        "--k",
        "10",
        "--population",
        "8",
        "--generations",
        "3",
        "--seed",
        "7",
    ]
    code, out, _ = shoal(*arguments)
    assert code == 0
    header, *rows = [line.split("\t") for line in out.splitlines() if "\t" in line]
    scores = {row[0]: float(row[header.index("score")]) for row in rows}
    assert scores["gomm"] == min(scores.values())
    assert {"all_together", "each_alone", "correlated_together 3", "correlated_apart 3"} < scores.keys()
    recipe = Path("numbers-groups.toml").read_text()
    assert "seed" not in recipe
    assert sorted(name for group in tomllib.loads(recipe)["steps"][0]["groups"] for name in group) == list(
        "abcd"
    )
    assert shoal("run", "numbers.csv", "numbers-groups.toml", "-o", "safe.csv")[0] == 0
    assert shoal(*arguments)[0] == 2, "the recipe is not overwritten"
    figures = json.loads(shoal(*arguments, "--dynamic", "--force", "--json")[1])
    assert figures["costs"]["d_gomm"]["score"] <= scores["all_together"] + 0.005


def test_demo_methods_datasets_version(shoal, tmp_path):
    code, out, _ = shoal("demo")
    assert (code, "k = 5 reached" in out) == (0, True)
    assert (tmp_path / "demo" / "protected.csv").exists()
    assert shoal("demo")[0] == 0, "it can be run again"
    assert "mdav" in shoal("methods")[1]
    assert "Domingo-Ferrer" in shoal("methods", "mdav")[1]
    assert {"menu", "method", "what it does", "options"} == set(json.loads(shoal("methods", "--json")[1])[0])
    assert "load_sme" in shoal("datasets")[1]
    assert json.loads(shoal("datasets", "--json")[1])[0]["name"] == "load_sme"
    assert shoal("version")[1].strip() == "0.1.0"


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


def test_an_unexpected_error_shows_no_value_unless_debugging(shoal, monkeypatch):
    def broken(*arguments, **options):
        raise RuntimeError("value 1234 of the file")

    monkeypatch.setattr("shoal.cli.arguments.read_table", broken)
    code, out, err = shoal("mask", "people.csv", "--k", "3", "--quasi", "age")
    assert (code, out) == (1, "")
    assert "1234" not in err
    assert "--debug" in err
    with pytest.raises(RuntimeError):
        shoal("mask", "people.csv", "--k", "3", "--quasi", "age", "--debug")


def test_the_progress_bar_waits_and_follows(monkeypatch):
    from shoal import Progress

    monkeypatch.setattr(console, "PATIENCE", 0.0)
    with console.progress_bar("working") as callback:
        assert not callback(Progress(0.5))


def test_ctrl_c_once_asks_to_stop_and_twice_interrupts():
    from shoal import Progress

    with console.progress_bar("working", stoppable=True) as callback:
        signal.raise_signal(signal.SIGINT)
        assert callback(Progress(0.5, "half")) is True
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
