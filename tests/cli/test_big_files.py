"""Globs and folders on the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from shoal import as_table, write_table
from shoal.cli import app
from shoal.distributed.work_folder import remove_left_over
from shoal.errors import InputWarning


def run(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture
def folder(tmp_path):
    for number in range(3):
        pl.DataFrame({"age": [30, 30, 41], "ill": ["a", "b", "a"]}).write_parquet(
            tmp_path / f"{number}.parquet"
        )
    return tmp_path


def test_check_counts_over_all_files(folder):
    kept = run("check", folder / "*.parquet", "--quasi", "age", "--k", 3)
    assert kept.exit_code == 0
    assert kept.output.splitlines()[0] == "Yes: the promise is kept (k = 3)."
    assert "9 records in 2 classes of age." in kept.output
    broken = run("check", folder, "--quasi", "age", "--confidential", "ill", "--k", 3, "--l", 2, "--json")
    assert broken.exit_code == 3
    facts = json.loads(broken.output)
    assert facts["reached"] == {"k": 3, "l": {"ill": 1}}
    assert facts["breaking_records"] == 3


def test_check_of_many_refuses_what_is_for_one_file(folder):
    refused = run("check", folder, "--quasi", "age", "--k", 3, "--gaps", "wildcard")
    assert refused.exit_code == 1
    assert "leave them out" in str(refused.exception)
    assert "no promise to check" in str(run("check", folder, "--quasi", "age").exception)


RECIPE = """name = "ages"
[roles]
quasi = ["age"]
[[steps]]
method = "microaggregate"
k = {k}
"""


def recipe(folder, k=3):
    (folder / "recipe.toml").write_text(RECIPE.format(k=k))
    return folder / "recipe.toml"


def test_run_protects_a_glob_and_says_what_was_counted(folder, tmp_path):
    done = run("run", f"{folder}/*.parquet", recipe(folder), "-o", tmp_path / "out", "--memory", "1GB")
    assert done.exit_code == 0, done.exception
    assert done.output.splitlines()[0].startswith("k = 3 reached")
    assert "9 records written to" in done.output
    assert "counted there once more: k = 3." in done.output
    assert pl.read_parquet(tmp_path / "out/*.parquet").height == 9
    facts = run("run", folder, recipe(folder), "-o", tmp_path / "out.csv", "--json")
    assert json.loads(facts.output)["columns"]["age"]["missing"] == [0, 0]
    assert pl.read_csv(tmp_path / "out.csv").height == 9


def test_run_of_many_refuses_what_is_for_one_file(folder, tmp_path):
    refused = run("run", folder, recipe(folder), "-o", tmp_path / "out", "--no-shuffle")
    assert "--no-shuffle is for one file" in str(refused.exception)
    assert "need -o OUT" in str(run("run", folder, recipe(folder)).exception)
    nothing = run("run", folder, recipe(folder), "-o", tmp_path / "out", "--resume")
    assert "leave --resume out to begin" in str(nothing.exception)


def test_a_database_is_read_in_batches(tmp_path):
    frame = pl.DataFrame({"age": [30, 31, 32, 70, 71, 72], "ill": list("abcabc")})
    write_table(as_table(frame), tmp_path / "register.sqlite", into="persons")
    place = (tmp_path / "register.sqlite", "--query", "SELECT age FROM persons WHERE age < 72")
    done = run("run", *place, recipe(tmp_path, k=2), "-o", tmp_path / "out.csv", "--engine", "polars")
    assert done.exit_code == 0
    assert min(pl.read_csv(tmp_path / "out.csv")["age"].value_counts()["count"]) >= 2
    broken = run("check", *place, "--quasi", "age", "--k", 2, "--memory", "1GB", "--json")
    assert broken.exit_code == 3
    assert json.loads(broken.output)["breaking_records"] == 5


def test_linkage_is_said(folder, tmp_path):
    done = run("run", folder / "*.parquet", recipe(folder), "-o", tmp_path / "out", "--linkage")
    assert done.exit_code == 0
    # six of age 30 share one mean, three of 41 another: each is one of six or of three
    assert "links 22.22 % of the records right (all records" in done.output
    alone = run("run", folder / "0.parquet", recipe(folder), "-o", tmp_path / "one", "--linkage")
    assert "is for files larger than memory" in str(alone.exception)


@pytest.mark.parametrize("option", [("--decimal", ","), ("--missing-code", "-9"), ("--separator", ";")])
def test_how_to_read_is_refused_where_it_would_be_ignored(folder, option):
    refused = run("run", folder, recipe(folder), "-o", folder / "out", *option)
    assert f"{option[0]} is for one file" in str(refused.exception)
    assert "is for one file" in str(run("check", folder, "--quasi", "age", "--k", 3, *option).exception)


def test_kinds_are_refused_where_they_would_be_ignored(folder):
    given = ("--quasi", "age", "--k", 3, "--nominal", "ill")
    assert "--nominal is for one file" in str(run("check", folder, *given).exception)


@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_a_job_that_is_ended_leaves_nothing_visible_and_the_next_one_cleans_up(tmp_path, signal_name):
    source = tmp_path / "in"
    source.mkdir()
    rng = np.random.default_rng(1)
    pl.DataFrame({"age": rng.normal(size=60_000)}).write_parquet(source / "a.parquet")
    command = [sys.executable, "-c", "from shoal.cli import main; main()", "run", str(source)]
    command += [str(recipe(tmp_path)), "-o", str(tmp_path / "out"), "--engine", "polars"]
    heeded = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}  # jobs behind & ignore it
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **heeded)
    limit = time.monotonic() + 60
    while not list(tmp_path.glob(".shoal-work-*/stage-1/*")) and time.monotonic() < limit:
        time.sleep(0.02)
    started.send_signal(getattr(signal, signal_name))
    assert started.wait(60) != 0
    assert not (tmp_path / "out").exists()
    left = list(tmp_path.glob(".shoal-work-*"))
    assert bool(left) == (signal_name == "SIGKILL")
    if left:
        assert left[0].stat().st_mode & 0o777 == 0o700
        with pytest.warns(InputWarning, match="was killed"):
            remove_left_over(tmp_path)
        assert not list(tmp_path.glob(".shoal-work-*"))


@pytest.mark.slow
def test_a_killed_driver_of_dask_leaves_nothing_visible_and_the_next_job_cleans_up(tmp_path):
    pytest.importorskip("distributed", reason="dask is not installed")
    source = tmp_path / "in"
    source.mkdir()
    ages = pl.DataFrame({"age": np.random.default_rng(1).normal(size=60_000)})
    ages.write_parquet(source / "a.parquet")
    command = [sys.executable, "-c", "from shoal.cli import main; main()", "run", str(source)]
    command += [str(recipe(tmp_path)), "-o", str(tmp_path / "out"), "--engine", "dask"]
    # a session of its own: its workers are those of this group
    started = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    limit = time.monotonic() + 90
    while not list(tmp_path.glob(".shoal-work-*/stage-1")) and time.monotonic() < limit:
        time.sleep(0.02)
    started.kill()
    assert started.wait(60) == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    (left,) = tmp_path.glob(".shoal-work-*")
    assert left.stat().st_mode & 0o777 == 0o700
    while _is_there(started.pid) and time.monotonic() < limit:  # workers end when their driver is gone
        time.sleep(0.1)
    assert not _is_there(started.pid)
    ages.head(100).write_parquet(source / "a.parquet")
    with pytest.warns(InputWarning, match="was killed"):
        assert (
            run("run", source, recipe(tmp_path), "-o", tmp_path / "out", "--engine", "polars").exit_code == 0
        )
    assert not list(tmp_path.glob(".shoal-work-*"))


def _is_there(group):
    """Whether a process of this group lives; those that ended and were not waited for do not count."""
    states = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    return any(line.split()[0] == str(group) and line.split()[1][0] != "Z" for line in states.splitlines())
