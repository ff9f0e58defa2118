"""Every engine gives what polars gives, and stays whole when something dies. Spark: `make test-spark`."""

from __future__ import annotations

import operator
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from importlib.util import find_spec

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from shoal import Promise, Recipe, as_table, check_files, mask_files
from shoal.distributed import ENGINES
from shoal.distributed.engines import NEEDS, opened_engine
from shoal.distributed.engines.engine import ShardFailed, pieces_of
from shoal.distributed.engines.packed_rows import Treat
from shoal.distributed.rate import Stopped
from shoal.distributed.shards.column_scales import column_scales
from shoal.distributed.shards.shard_functions import AggregateShard, Grouping
from shoal.distributed.shards.shard_keys import RandomKey
from shoal.errors import Infeasible, InputWarning, InvalidInput, ShoalError
from shoal.partition import mdav

KEYS = ["age", "pay", "town", "zero", "flag"]
GROUPS = Recipe("groups", {"quasi": KEYS}, [{"method": "microaggregate", "k": 3}])
CLUSTERS = ["dask", pytest.param("spark", marks=pytest.mark.spark)]
pytestmark = pytest.mark.slow  # workers must start


@pytest.fixture(scope="module", params=CLUSTERS)
def engine(request):
    """The name of an engine whose workers are here, two of them."""
    if request.param == "spark":
        pytest.importorskip("pyspark", reason="pyspark is not installed")
        if shutil.which("java") is None:
            pytest.skip("Spark needs Java, which is not here")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with opened_engine(
                "spark", None, 4 * 10**9, request.getfixturevalue("tmp_path_factory").mktemp("s")
            ):
                yield "spark"
        return
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            2, threads_per_worker=1, dashboard_address=None, silence_logs=50, memory_limit="3GB"
        ) as cluster,
        Client(cluster),
    ):
        yield "dask"


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    stages, engines = (sys.modules[f"shoal.distributed.{name}"] for name in ("run_stages", "engines.engine"))
    monkeypatch.setattr(stages, "SHARD_RECORDS", 150)
    monkeypatch.setattr(stages, "RANDOM_RECORDS", 200)
    monkeypatch.setattr(engines, "PIECE_RECORDS", 130)
    monkeypatch.setattr(sys.modules["shoal.distributed.check_files"], "CLASS_RECORDS", 300)


def people(n, seed=1):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(np.uint8),
            "pay": rng.lognormal(7, 1, n).round(2),
            "town": rng.choice(["a", "b", "c"], n, p=[0.7, 0.2, 0.1]),
            "zero": rng.choice([0.0, -0.0, np.nan], n),
            "flag": rng.random(n) < 0.5,
            "ill": pl.Series(rng.choice(["flu", "gout"], n), dtype=pl.Categorical),
            "day": pl.Series(rng.integers(0, 9, n).astype("datetime64[D]")),
            "id": np.arange(n),
        }
    )
    return frame.with_columns(town=pl.when(pl.col("id") % 11 > 0).then("town"))


def written_to(folder, frame, parts=3):
    folder.mkdir()
    size = -(-frame.height // parts)
    for number in range(parts):
        frame.slice(number * size, size).write_parquet(folder / f"{number}.parquet")
    return folder


def masked(source, recipe, target, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = mask_files(source, recipe, target, rng=1, anyway=True, **options)
    return done, pl.read_parquet(target / "*.parquet").sort("id")


STEPS = [
    {"method": "top_code", "quantile": 0.9, "columns": ["pay"]},
    {"method": "microaggregate", "k": 3, "columns": ["age", "pay", "zero"]},
    {"method": "pram", "matrices": {"method": "frequency_matrix", "p": 0.7}, "columns": ["town"]},
    {"method": "add_noise", "amount": 0.1, "columns": ["pay"]},
]


@pytest.mark.parametrize("recipe", [GROUPS, Recipe("steps", {"quasi": KEYS}, STEPS)], ids=lambda r: r.name)
def test_the_records_are_those_of_polars(tmp_path, engine, recipe):
    source = written_to(tmp_path / "in", people(600))
    here, expected = masked(source, recipe, tmp_path / "here")
    there, found = masked(source, recipe, tmp_path / "there", engine=engine)
    assert found.schema == expected.schema
    assert_frame_equal(found, expected, rel_tol=1e-9, abs_tol=0)  # says the column, and how far apart
    assert there.verdict.to_dict() == here.verdict.to_dict()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "in", "there"]


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.with_columns(age=pl.lit(30), pay=pl.lit(1.0), town=pl.lit("a")),
        lambda f: f.with_columns(
            age=pl.lit(0), pay=pl.when(pl.col("id") % 10 == 0).then("pay").otherwise(0.0)
        ),
    ],
    ids=["all equal", "nine of ten are zeros"],
)
def test_files_that_are_hard_to_cut(tmp_path, engine, change):
    source = written_to(tmp_path / "in", change(people(500)))
    people(0).with_columns(change(people(1)).select("age", "pay").head(0)).write_parquet(
        source / "empty.parquet"
    )
    recipe = Recipe("r", {"quasi": ["age", "pay", "town"]}, GROUPS.steps)
    expected = masked(source, recipe, tmp_path / "here")[1]
    done, found = masked(source, recipe, tmp_path / "there", engine=engine)
    assert done.kept
    assert found.equals(expected)


@pytest.mark.parametrize(
    "promise", [Promise(k=3), Promise(k=4, l={"ill": 2, "flag": 2}), Promise(k=2, t={"pay": 0.5})], ids=str
)
@pytest.mark.parametrize("home", [(), ("id",)])
def test_the_verdict_is_that_of_polars(tmp_path, engine, promise, home):
    source = written_to(tmp_path / "in", people(700).with_columns(id=pl.col("id") // 3))
    roles = {"quasi": ["town", "zero", "ill", "day"], "confidential": ["flag"], "household": home}
    if home:
        roles["quasi"] = ["town", "zero"]
    expected = check_files(source, promise=promise, roles=roles)
    assert check_files(source, promise=promise, roles=roles, engine=engine).to_dict() == expected.to_dict()


@pytest.mark.parametrize(
    ("change", "file"),
    [
        (lambda f: f.rename({"town": "the.town"}), "0.parquet"),
        (lambda f: f.rename({"town": "the `town`", "flag": "AGE"}), "0.parquet"),
        (lambda f: f.with_columns(pl.col("day").cast(pl.Datetime("ns"))), "0.parquet"),
        (lambda f: f.with_columns(day=pl.lit("7:30").str.to_time("%H:%M")), "0.parquet"),
        (lambda f: f, "_0.parquet"),
        (lambda f: f, "a[0].parquet"),
    ],
    ids=["a point", "quotes and capitals", "nanoseconds", "times", "hidden", "pattern"],
)
def test_names_and_types_that_an_engine_does_not_know(tmp_path, engine, change, file):
    source = tmp_path / "in"
    source.mkdir()
    frame = change(people(300))
    frame.write_parquet(source / file)
    roles = {"quasi": [frame.columns[2], frame.columns[4]]}
    promise = Promise(k=300)
    expected = check_files(list(source.iterdir()), promise=promise, roles=roles)
    found = check_files(list(source.iterdir()), promise=promise, roles=roles, engine=engine)
    assert found.to_dict() == expected.to_dict()


def test_a_task_that_always_fails_names_its_shard(tmp_path, engine):
    source = written_to(tmp_path / "in", people(300))
    (tmp_path / "work").mkdir()
    pieces = pieces_of(sorted(source.iterdir()), [100] * 3, numbered=False)
    with (
        opened_engine(engine, None, 10**9, tmp_path) as worker,
        pytest.raises(ShardFailed, match=r"Shard \d could not be treated \(TypeError\)"),
    ):
        worker.shards(pieces, ["age"], RandomKey(1, 2), operator.matmul, tmp_path / "work", lambda n: None)
    table = as_table(people(300), roles={"quasi": ["age"]})
    grouping = Grouping(1000, mdav, column_scales(table, ["age"]), table.attributes)
    function = AggregateShard(grouping, dict(table.frame.schema))
    with (
        opened_engine(engine, None, 10**9, tmp_path) as worker,
        pytest.raises(Infeasible, match=r"Shard \d: \d+ records cannot make groups of k = 1000"),
    ):
        worker.shards(pieces, table.names(), RandomKey(1, 2), function, tmp_path / "work", lambda n: None)
    assert not list((tmp_path / "work").iterdir())


def test_stopping_leaves_nothing(tmp_path, engine):
    source = written_to(tmp_path / "in", people(400))
    with pytest.raises(Stopped, match="nothing was written"):
        masked(source, GROUPS, tmp_path / "out", engine=engine, callback=lambda p: p.fraction > 0.4)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_worker_killed_in_every_stage_changes_nothing(tmp_path, engine, monkeypatch):
    source = written_to(tmp_path / "in", people(600))
    expected = masked(source, GROUPS, tmp_path / "here")[1]
    graves = tmp_path / "graves"
    graves.mkdir()

    class Deadly(Treat):  # of a function, so that it travels as a value: workers cannot import this module
        def __call__(self, shard, messages):
            grave = graves / self.folder.name
            if not grave.exists():
                grave.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return super().__call__(shard, messages)

    monkeypatch.setattr(f"shoal.distributed.engines.{engine}_engine.Treat", Deadly)
    heard = []
    found = masked(source, GROUPS, tmp_path / "there", engine=engine, callback=heard.append)[1]
    assert {path.name for path in graves.iterdir()} >= {"stage-1", "stage-2", "stage-3"}  # and the count
    assert found.equals(expected)
    assert any("600 of 600 records" in progress.message for progress in heard)


DRIVER = """
import sys, warnings
warnings.simplefilter("ignore")
import shoal
from shoal.distributed import run_stages
from shoal.distributed.engines import engine
run_stages.SHARD_RECORDS, run_stages.RANDOM_RECORDS, engine.PIECE_RECORDS = 150, 200, 130
if __name__ == "__main__":
    recipe = shoal.Recipe("r", {"quasi": ["age", "pay"]}, [{"method": "microaggregate", "k": 3}])
    say = lambda progress: print(progress.message, flush=True)
    shoal.mask_files(sys.argv[1], recipe, sys.argv[2], engine=sys.argv[3], rng=1, callback=say)
"""


def family_of(parent):
    """The processes that a process has started, and those they have."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()[1:]]
    found = {parent}
    while more := {pid for pid, above in pairs if above in found} - found:
        found |= more
    return found - {parent}


@pytest.mark.parametrize("name", ["polars", *CLUSTERS])
@pytest.mark.parametrize("stage", [1, 2])
def test_a_killed_driver_leaves_nothing_visible_and_the_next_one_cleans_up_or_goes_on(tmp_path, name, stage):
    if name == "spark" and (shutil.which("java") is None or find_spec("pyspark") is None):
        pytest.skip("Spark needs Java and pyspark, which are not here")
    source = written_to(tmp_path / "in", people(600))
    call = [sys.executable, "-c", DRIVER, str(source), str(tmp_path / "out"), name]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(call, text=True, start_new_session=True, **quiet) as driver:
        for line in driver.stdout:
            if line.startswith(f"step {stage}"):
                break
        workers = family_of(driver.pid)
        driver.kill()
        assert driver.wait(60) == -signal.SIGKILL
    (left,) = (path for path in tmp_path.iterdir() if path.name != "in")
    assert left.name.startswith(".shoal-work-")
    assert left.stat().st_mode & 0o777 == 0o700
    assert name == "polars" or workers
    end = time.monotonic() + 120
    while any(map(alive, workers)) and time.monotonic() < end:
        time.sleep(0.2)
    assert not any(map(alive, workers))  # nor do they write on
    recipe = Recipe("r", {"quasi": ["age", "pay"]}, [{"method": "microaggregate", "k": 3}])
    if stage == 1:
        with pytest.warns(InputWarning, match=f"An earlier run was killed and had left {left.name}"):
            done = mask_files(source, recipe, tmp_path / "out", rng=1)
    else:
        done, found = masked(source, recipe, tmp_path / "out", engine=name, resume=True)
        assert_frame_equal(found, masked(source, recipe, tmp_path / "other")[1], rel_tol=1e-9, abs_tol=0)
        shutil.rmtree(tmp_path / "other")
    assert done.kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def alive(pid):
    """Whether a process works: one that has ended, and that nobody has asked about, does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(state.strip()) and not state.startswith("Z")


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a file system of one megabyte."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("no file system may be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path, engine, small_disk, monkeypatch):
    monkeypatch.setattr(sys.modules["shoal.distributed.run_stages"], "RANDOM_RECORDS", 20_000)
    monkeypatch.setattr(sys.modules["shoal.distributed.engines.engine"], "PIECE_RECORDS", 30_000)
    noise = {f"n{i}": np.random.default_rng(i).random(60_000) for i in range(4)}
    source = written_to(
        tmp_path / "in", people(60_000).with_columns(**{n: pl.Series(v) for n, v in noise.items()})
    )
    recipe = Recipe("r", {"quasi": ["age"]}, [{"method": "top_code", "threshold": 60}])
    for who in ("polars", engine):
        with pytest.raises(ShoalError, match="disk is full"):
            masked(source, recipe, small_disk / "out", engine=who)
        assert not [path.name for path in small_disk.iterdir() if not path.name.startswith(".nfs")]


def test_an_engine_that_is_not_installed_is_asked_for(monkeypatch, tmp_path):
    monkeypatch.setitem(NEEDS, "spark", ("no_such_library",))
    with pytest.raises(InvalidInput, match=r'pip install "shoal\[spark\]"'):
        opened_engine("spark", None, 10**9, tmp_path)
    with (
        pytest.raises(InvalidInput, match="has no scheduler"),
        opened_engine("polars", "tcp://x", 10**9, tmp_path),
    ):
        pass
    assert tuple(NEEDS) == ENGINES


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense:"])
def test_a_scheduler_that_is_not_there_is_one_sentence(tmp_path, monkeypatch, address):
    dask = pytest.importorskip("dask", reason="dask is not installed")
    people(10).write_parquet(tmp_path / "a.parquet")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(InvalidInput, match="Dask cannot be reached"),
    ):
        mask_files(tmp_path / "a.parquet", GROUPS, tmp_path / "out", engine="dask", scheduler=address)
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]
