"""A job that was killed is gone on with: what comes out is what would have come out."""

from __future__ import annotations

import signal
import subprocess
import sys
import warnings

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from shoal import Recipe, mask_files
from shoal.distributed.work_folder import JOB, PREFIX
from shoal.errors import InvalidInput

GROUPS = [{"method": "microaggregate", "k": 3, "columns": ["age", "pay"]}]
STEPS = [
    {"method": "top_code", "quantile": 0.9, "columns": ["pay"]},
    *GROUPS,
    {"method": "add_noise", "amount": 0.1, "columns": ["pay"]},
    {"method": "suppress_to_k", "k": 3, "columns": ["town"]},
]
DRIVER = """
import os, signal, sys, warnings
warnings.simplefilter("ignore")
import shoal
from shoal.distributed import run_stages
from shoal.distributed.engines import polars_engine
run_stages.SHARD_RECORDS, run_stages.RANDOM_RECORDS = 100, 100
source, target, recipe, stage, shards, linkage = sys.argv[1:]
write = polars_engine.run_shard
done = 0

def killed(function, shard, frame, folder):
    global done
    if folder.name == f"stage-{stage}":
        if done == int(shards):
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1
    return write(function, shard, frame, folder)

polars_engine.run_shard = killed
recipe = shoal.Recipe.from_json(recipe)
shoal.mask_files(source, recipe, target, rng=1, anyway=True, linkage=bool(linkage))
"""


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    stages = sys.modules["shoal.distributed.run_stages"]
    monkeypatch.setattr(stages, "SHARD_RECORDS", 100)
    monkeypatch.setattr(stages, "RANDOM_RECORDS", 100)


@pytest.fixture
def source(tmp_path):
    rng, n = np.random.default_rng(1), 500
    people = {"age": rng.integers(18, 90, n), "pay": rng.lognormal(7, 1, n).round(2)}
    frame = pl.DataFrame(people | {"town": rng.choice(["a", "b", "c"], n), "id": np.arange(n)})
    (tmp_path / "in").mkdir()
    for part in range(3):
        frame[part::3].write_csv(tmp_path / "in" / f"{part}.csv")
    return tmp_path / "in"


def recipe_of(steps):
    return Recipe("r", {"quasi": ["age", "pay", "town"]}, steps)


def killed(source, target, steps, stage, shards=1, linkage=False):
    call = [sys.executable, "-c", DRIVER, str(source), str(target), recipe_of(steps).to_json()]
    call += [str(stage), str(shards), "yes" if linkage else ""]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr


def masked(source, target, steps, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mask_files(source, recipe_of(steps), target, anyway=True, **options)


def records(done):
    return pl.read_parquet(done.path / "*.parquet").sort("id")


@pytest.mark.slow  # a process a case
@pytest.mark.parametrize("stage", range(1, 8))
def test_wherever_it_was_killed_the_same_records_come_out(tmp_path, source, stage):
    killed(source, tmp_path / "out", STEPS, stage, shards=stage % 2)
    heard = []
    done = masked(source, tmp_path / "out", STEPS, resume=True, callback=heard.append)  # rng is not needed
    moved = [progress.message for progress in heard if ", 0 of" not in progress.message]
    assert moved
    assert not any(line.startswith(f"step {place} ") for line in moved for place in range(1, stage))
    expected = records(masked(source, tmp_path / "other", STEPS, rng=1))
    assert_frame_equal(records(done), expected, rel_tol=1e-9)  # moments are sums by threads, in any order
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "other", "out"]


@pytest.mark.slow
def test_linkage_is_measured_as_it_would_have_been_and_memory_may_be_another(tmp_path, source):
    killed(source, tmp_path / "out", GROUPS, 3, linkage=True)
    found = masked(source, tmp_path / "out", GROUPS, resume=True, linkage=True, memory="1GB")
    expected = masked(source, tmp_path / "other", GROUPS, rng=1, linkage=True)
    assert found.linkage.percent == expected.linkage.percent
    assert records(found).equals(records(expected))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out", "out.csv"])
def test_killed_while_the_target_was_written(tmp_path, source, name, monkeypatch):
    """Every shard is done, some have their new names already, and of one file there is a half."""
    killed(source, tmp_path / name, GROUPS, 3, shards=2)
    (work,) = tmp_path.glob(f"{PREFIX}*")
    module = sys.modules["shoal.distributed.mask_files"]
    with monkeypatch.context() as patch:
        patch.setattr(module, "drafted_files", interrupted)
        patch.setattr("shutil.rmtree", lambda *_, **__: None)  # as if there were no time left to clean up
        with pytest.raises(KeyboardInterrupt):
            masked(source, tmp_path / name, GROUPS, resume=True)
    shard, *others = sorted((work / "stage-3").glob("*.parquet"))
    assert others
    if name == "out":
        (work / "draft").mkdir()
        shard.rename(work / "draft" / "part-1.parquet")
    else:
        (work / "draft.csv").write_text("age,pa")
    done = masked(source, tmp_path / name, GROUPS, resume=True)
    assert done.verdict.records == 500
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", name]


def interrupted(*_):
    raise KeyboardInterrupt


def test_there_must_be_something_of_the_same_job(tmp_path, source):
    work = tmp_path / f"{PREFIX}0"
    for change in ("nothing", "another job", "no plan yet", "open to all"):
        if change != "nothing":
            work.mkdir(mode=0o700)
            (work / JOB).write_text("another")
        if change == "open to all":
            (work / "plan.pickle").write_bytes(b"what a stranger wrote")
            work.chmod(0o777)
        with pytest.raises(InvalidInput, match="can be gone on with"):
            masked(source, tmp_path / "out", GROUPS, resume=True)
        if work.exists():
            for path in work.iterdir():
                path.unlink()
            work.rmdir()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]
