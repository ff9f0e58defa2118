"""shoal evolve: the best file is written, Ctrl-C keeps it, and an interrupted run goes on."""

from __future__ import annotations

import json
import signal
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal import as_table
from shoal.cli import evolve as command
from shoal.search import evolve_file
from shoal.search.files.checkpoint import read_checkpoint

RNG = np.random.default_rng(1)
ROWS = [(f"p{i}", 20 + i % 9, "abc"[RNG.integers(3)], RNG.choice(["low", "high"]), i * 7) for i in range(50)]
FILE = "name;age;town;level;pay\n" + "".join(";".join(map(str, row)) + "\n" for row in ROWS)
ROLES = ["--quasi", "age,town,level", "--identifier", "name", "--confidential", "pay"]
QUICK = ["evolve", "people.csv", *ROLES, "--generations", "5", "--minutes", "1", "--seed", "918273"]
CHECKPOINT = Path("safe.csv.evolving")


@pytest.fixture
def shoal(command, tmp_path):
    """Run a command in an empty folder that holds people.csv; gives exit code, output and errors."""
    (tmp_path / "people.csv").write_text(FILE)
    return command


@pytest.fixture
def during(monkeypatch):
    """Have something done after some generations, as a user or a power cut would."""

    def disturb(generation, action):
        def disturbed(table, *, callback, **options):
            seen = []

            def report(progress):
                seen.append(progress)
                stop = callback(progress)
                if len(seen) == generation + 1:
                    action()
                return stop

            return evolve_file(table, callback=report, **options)

        monkeypatch.setattr(command, "evolve_file", disturbed)

    return disturb


def test_the_best_file_is_written_and_the_checkpoint_removed(shoal):
    code, out, err = shoal(*QUICK, "-o", "safe.csv", "--json")
    facts = json.loads(out)
    assert code == 0
    assert "evolution does not keep k" in err
    assert "918273" not in out + err, "a seed is a secret"
    frame = pl.read_csv("safe.csv", separator=";")
    assert frame.columns == ["age", "town", "level", "pay"]
    assert Counter(frame["pay"]) == Counter(row[4] for row in ROWS)
    assert set(frame["town"]) <= set("abc")
    assert 0 < facts["information_loss"] < 100
    assert not CHECKPOINT.exists()


def test_without_output_nothing_is_written(shoal, tmp_path):
    code, out, _ = shoal(*QUICK)
    assert code == 0
    assert "Nothing was written" in out
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_ctrl_c_keeps_the_best(shoal, during):
    during(3, lambda: signal.raise_signal(signal.SIGINT))
    code, out, _ = shoal(*QUICK[:-6], "--minutes", "60", "-o", "safe.csv")
    assert code == 0
    assert "50 records written to safe.csv" in out
    assert len(pl.read_csv("safe.csv", separator=";")) == 50
    assert not CHECKPOINT.exists()


def power_cut():
    raise RuntimeError("the lights go out")


def test_an_interrupted_run_goes_on(shoal, during, monkeypatch):
    monkeypatch.setattr(command, "EVERY", 0.0)
    during(3, power_cut)
    code, _, err = shoal(*QUICK, "-o", "safe.csv")
    assert (code, Path("safe.csv").exists(), CHECKPOINT.exists()) == (1, False, True)
    before = best_score()
    seen = []
    monkeypatch.setattr(command, "evolve_file", partial(spying, seen))
    code, _, err = shoal(*QUICK, "-o", "safe.csv")
    assert code == 0
    assert "Going on after generation 3" in err
    assert len(seen) == 3, "three of the five generations had been done: the third, the fourth and the fifth"
    assert seen[0].score == pytest.approx(before)
    assert Path("safe.csv").exists()
    assert not CHECKPOINT.exists()


def spying(seen, table, *, callback, **options):
    def report(progress):
        seen.append(progress.best)
        return callback(progress)

    return evolve_file(table, callback=report, **options)


def best_score():
    """The score of the best file in the checkpoint."""
    from shoal.search import file_figures

    table = people()
    found = read_checkpoint(CHECKPOINT, table, columns=table.names(role="quasi"))
    return min(file_figures(table, file).score("max") for file in found.files)


def people():
    from shoal import read_table

    roles = {"quasi": ["age", "town", "level"], "identifier": ["name"], "confidential": ["pay"]}
    return as_table(read_table("people.csv"), roles=roles)


def test_a_checkpoint_of_another_file_is_refused_and_can_be_dropped(shoal, during, monkeypatch, tmp_path):
    monkeypatch.setattr(command, "EVERY", 0.0)
    during(2, power_cut)
    shoal(*QUICK, "-o", "safe.csv")
    (tmp_path / "people.csv").write_text(FILE.replace("p3;23", "p3;24"))
    monkeypatch.setattr(command, "evolve_file", evolve_file)
    code, _, err = shoal(*QUICK, "-o", "safe.csv")
    assert code == 2
    assert "is of another file, roles or columns" in err
    code, _, err = shoal(*QUICK, "-o", "safe.csv", "--restart")
    assert code == 0
    assert "Going on" not in err
    assert not CHECKPOINT.exists()


def test_wrong_calls_are_one_sentence(shoal, tmp_path):
    (tmp_path / "safe.csv").write_text("mine")
    code, _, err = shoal(*QUICK, "-o", "safe.csv")
    assert (code, (tmp_path / "safe.csv").read_text()) == (2, "mine")
    assert "--force" in err
    assert "`fitness` must be one of" in shoal(*QUICK, "--fitness", "least")[2]
    assert "`--minutes` must be" in shoal(*QUICK[:-4], "--minutes", "-1")[2]
    assert "No column has the role quasi" in shoal("evolve", "people.csv")[2]
