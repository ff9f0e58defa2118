"""Dask in networks of their own: a link is cut in the middle, as when a machine or a switch is lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress

import numpy as np
import polars as pl
import pytest

pytest.importorskip("distributed", reason="dask is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("ip") is None or not hasattr(os, "geteuid") or os.geteuid() != 0,
        reason="networks are made by root and `ip`",
    ),
]
PLACES = {"scheduler": "shoal-s", "first": "shoal-a", "second": "shoal-b", "driver": "shoal-d"}
# how soon Dask takes a silent worker for lost; minutes by default
SOON = {"SCHEDULER__WORKER_TTL": "20s", "COMM__TIMEOUTS__TCP": "12s", "COMM__TIMEOUTS__CONNECT": "12s"}
DRIVER = """
import sys, warnings
warnings.simplefilter("ignore")
import shoal
from shoal.distributed import run_stages
from shoal.distributed.engines import engine
run_stages.SHARD_RECORDS, run_stages.RANDOM_RECORDS, engine.PIECE_RECORDS = 150, 200, 130
recipe = shoal.Recipe("r", {"quasi": ["age", "pay"]}, [{"method": "microaggregate", "k": 3}])
where = {} if len(sys.argv) < 4 else {"engine": "dask", "scheduler": sys.argv[3]}
if __name__ == "__main__":
    say = lambda progress: print(progress.message, flush=True)
    shoal.mask_files(sys.argv[1], recipe, sys.argv[2], rng=1, callback=say, **where)
"""


def ip(*words, check=True):
    return subprocess.run(["ip", *words], check=check, capture_output=True)


@pytest.fixture
def networks():
    """A scheduler in the middle; two workers and the driver each at the other end of a link."""
    middle, *others = PLACES.values()
    if ip("netns", "add", middle, check=False).returncode:
        pytest.skip("no network may be made here")
    try:
        ip("-n", middle, "link", "set", "lo", "up")
        for place, name in enumerate(others, 1):
            ip("netns", "add", name)
            here, there = f"v{place}", f"w{place}"
            ip("link", "add", here, "netns", middle, "type", "veth", "peer", "name", there, "netns", name)
            ip("-n", middle, "addr", "add", f"10.99.{place}.1/24", "dev", here)
            ip("-n", name, "addr", "add", f"10.99.{place}.2/24", "dev", there)
            for at, link in ((middle, here), (name, there), (name, "lo")):
                ip("-n", at, "link", "set", link, "up")
            ip("-n", name, "route", "add", "default", "via", f"10.99.{place}.1")
        forward = ["netns", "exec", middle, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]
        ip(*forward)
        yield
    finally:
        for name in PLACES.values():
            ip("netns", "del", name, check=False)


@pytest.fixture
def cluster(networks, tmp_path):
    """Starts a process in one of the networks; all of them end with the test."""
    started = []
    settings = os.environ | {f"DASK_DISTRIBUTED__{name}": value for name, value in SOON.items()}

    def start(place, *words, **options):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options
        command = ["ip", "netns", "exec", PLACES[place], sys.executable, *words]
        started.append(subprocess.Popen(command, env=settings, start_new_session=True, text=True, **quiet))
        return started[-1]

    try:
        own = ["--host", "0.0.0.0", "--port", "8786", "--no-dashboard"]
        start("scheduler", "-m", "distributed.cli.dask_scheduler", *own)
        for number, place in ((1, "first"), (2, "second")):
            own = ["--host", f"10.99.{number}.2", "--nthreads", "1", "--no-dashboard"]
            own += ["--local-directory", str(tmp_path / place)]
            start(place, "-m", "distributed.cli.dask_worker", "tcp://10.99.1.1:8786", *own)
        yield start
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def job(cluster, tmp_path):
    """Runs the job and cuts a link when the first records of a stage are done: its end, and what it said."""

    def run(stage, link):
        rng, n = np.random.default_rng(1), 2000
        people = {"age": rng.integers(18, 90, n), "pay": rng.lognormal(7, 1, n), "id": np.arange(n)}
        pl.DataFrame(people).write_parquet(tmp_path / "a.parquet")
        call = ["-c", DRIVER, str(tmp_path / "a.parquet"), str(tmp_path / "out"), "tcp://10.99.3.1:8786"]
        driver = cluster("driver", *call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        cut = False
        with driver.stdout, driver.stderr:
            for line in driver.stdout:
                if not cut and line.startswith(f"step {stage}") and ", 0 of" not in line:
                    ip("-n", PLACES["scheduler"], "link", "set", link, "down")
                    cut = True
            said = driver.stderr.read()
        return driver.wait(120), cut, said

    return run


@pytest.mark.parametrize("stage", [1, 2])
def test_a_worker_that_cannot_be_reached_any_more_changes_nothing(job, tmp_path, stage):
    code, cut, said = job(stage, "v2")
    assert cut
    assert code == 0, said
    words = [str(tmp_path / "a.parquet"), str(tmp_path / "here")]
    subprocess.run([sys.executable, "-c", DRIVER, *words], check=True, stdout=subprocess.DEVNULL)
    found, expected = (pl.read_parquet(tmp_path / name / "*.parquet").sort("id") for name in ("out", "here"))
    assert found.equals(expected)


def test_a_driver_that_cannot_be_reached_any_more_ends_and_leaves_nothing(job, tmp_path):
    code, cut, said = job(1, "v3")
    assert cut
    assert code != 0
    assert "The scheduler of Dask was lost; nothing is released" in said
    names = {path.name for path in tmp_path.iterdir()}
    assert "out" not in names
    assert not [name for name in names if name.startswith(".shoal-work")]
