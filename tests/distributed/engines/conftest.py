"""Clusters for a test, of processes that were started apart: on this machine, or in networks of their own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

PLACES = {place: f"shoal-{place}-{os.getpid()}" for place in ("head", "first", "second", "driver")}
HOSTS = {"head": "10.99.1.1", "first": "10.99.1.2", "second": "10.99.2.2", "driver": "10.99.3.2"}
# how soon a silent worker is taken for lost; minutes by default
DASK_SOON = {"SCHEDULER__WORKER_TTL": "20s", "COMM__TIMEOUTS__TCP": "12s", "COMM__TIMEOUTS__CONNECT": "12s"}
SPARK_SOON = """
spark.network.timeout 12s
spark.network.timeoutInterval 3s
spark.executor.heartbeatInterval 2s
spark.worker.timeout 12
spark.shuffle.io.maxRetries 1
spark.shuffle.io.retryWait 1s
spark.ui.enabled false
"""
JOB = """
import sys
import shoal
from shoal.distributed import run_stages
from shoal.distributed.engines import engine
run_stages.SHARD_RECORDS, run_stages.RANDOM_RECORDS, engine.PIECE_RECORDS = 300, 400, 500
recipe = shoal.Recipe("r", {"quasi": ["age", "pay"]}, [{"method": "microaggregate", "k": 3}])
where = {} if len(sys.argv) < 4 else {"engine": sys.argv[3], "scheduler": sys.argv[4]}
if __name__ == "__main__":
    say = lambda progress: print(progress.message, flush=True)
    shoal.mask_files(sys.argv[1], recipe, sys.argv[2], rng=1, callback=say, **where)
"""


@pytest.fixture
def start(tmp_path):
    """Starts a process, in one of the networks if a place is named; all of them end with the test."""
    started = []

    def begin(*words, place=None, environment=(), **options):
        inside = ["ip", "netns", "exec", PLACES[place]] if place else []
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options
        settings = os.environ | dict(environment)
        command = [*inside, *map(str, words)]
        started.append(subprocess.Popen(command, env=settings, start_new_session=True, text=True, **quiet))
        return started[-1]

    yield begin
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()


@dataclass
class Cluster:
    """Where the engine is to be found, and what a process that asks it needs to know."""

    engine: str
    address: str
    place: str | None  # of the driver, where there are networks
    start: Callable
    folder: Path
    settings: dict[str, str]

    def job(self, target):
        """Starts a job: its standard output says how far it is."""
        words = [sys.executable, "-c", JOB, self.folder / "a.parquet", target, self.engine, self.address]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return self.start(*words, place=self.place, environment=self.settings, **pipes)

    def expected(self):
        """The same records from the engine polars."""
        words = [self.folder / "a.parquet", self.folder / "here"]
        subprocess.run([sys.executable, "-c", JOB, *words], check=True, stdout=subprocess.DEVNULL)
        return pl.read_parquet(self.folder / "here" / "*.parquet").sort("id")


@pytest.fixture
def people(tmp_path):
    """The folder with a file of two thousand people."""
    rng, n = np.random.default_rng(1), 2000
    columns = {"age": rng.integers(18, 90, n), "pay": rng.lognormal(7, 1, n), "id": np.arange(n)}
    pl.DataFrame(columns).write_parquet(tmp_path / "a.parquet")
    return tmp_path


@pytest.fixture(params=["dask", pytest.param("spark", marks=pytest.mark.spark)])
def cluster(request, start, people, tmp_path_factory):
    """A scheduler and a worker of Dask or Spark on this machine, started apart from the job."""
    return STARTED[request.param](start, people, tmp_path_factory.mktemp("cluster"), apart=False)


@pytest.fixture(params=["dask", pytest.param("spark", marks=pytest.mark.spark)])
def apart(request, start, people, networks, tmp_path_factory):
    """The same with two workers, each process at its end of a link; `cut` takes one away."""
    return STARTED[request.param](start, people, tmp_path_factory.mktemp("cluster"), apart=True)


def dask_cluster(start, folder, own, *, apart):
    pytest.importorskip("distributed", reason="dask is not installed")
    soon = {f"DASK_DISTRIBUTED__{name}": value for name, value in DASK_SOON.items()}

    def begin(place, program, *words, **options):
        call = [sys.executable, "-m", f"distributed.cli.dask_{program}", *words, "--no-dashboard"]
        return start(*call, place=place if apart else None, environment=soon, **options)

    with open(own / "log", "w") as log:
        host = "0.0.0.0" if apart else "127.0.0.1"  # of four networks, or of this machine
        head = begin("head", "scheduler", "--host", host, "--port", 8786 if apart else 0, stderr=log)
    address = written(head, own / "log", r"Scheduler at: +(tcp://\S+)")
    for place in WORKERS[apart]:
        words = [f"tcp://{HOSTS['head']}:8786" if apart else address]
        words += ["--host", HOSTS[place] if apart else "127.0.0.1", "--nthreads", "1"]
        begin(place, "worker", *words, "--local-directory", own / place)
    where = ("tcp://10.99.3.1:8786", "driver") if apart else (address, None)
    return Cluster("dask", *where, start, folder, soon)


def spark_cluster(start, folder, own, *, apart):
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, which is not here")
    (own / "spark-defaults.conf").write_text(SPARK_SOON)
    home = Path(pyspark.__file__).parent
    soon = {"SPARK_CONF_DIR": str(own), "SPARK_HOME": str(home), "SPARK_LOCAL_DIRS": str(own)}

    def settings(place):
        return soon | {"SPARK_LOCAL_IP": HOSTS[place] if apart else "127.0.0.1"}

    def begin(place, program, *words, **options):
        call = [home / "bin" / "spark-class", f"org.apache.spark.deploy.{program}", *words]
        call += ["--host", settings(place)["SPARK_LOCAL_IP"], "--webui-port", "0"]
        return start(*call, place=place if apart else None, environment=settings(place), **options)

    with open(own / "log", "w") as log:
        head = begin("head", "master.Master", "--port", "0", stderr=log)
    address = written(head, own / "log", r"Starting Spark master at (spark://\S+)")
    for place in WORKERS[apart]:
        size = ["--cores", "1", "--memory", "1g", "--work-dir", own / place]
        begin(place, "worker.Worker", *size, address)
    return Cluster("spark", address, "driver" if apart else None, start, folder, settings("driver"))


WORKERS = {True: ("first", "second"), False: ("first",)}
STARTED = {"dask": dask_cluster, "spark": spark_cluster}


def written(process, log, pattern):
    """What a process writes about itself, once it does."""
    while not (found := re.search(pattern, log.read_text())):
        assert process.poll() is None, log.read_text()
        time.sleep(0.05)
    return found[1]


def ip(*words, check=True):
    return subprocess.run(["ip", *words], check=check, capture_output=True)


@pytest.fixture
def networks():
    """A scheduler in the middle; two workers and the driver each at the other end of a link."""
    if shutil.which("ip") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("networks are made by root and `ip`")
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
        ip("netns", "exec", middle, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        yield
    finally:
        for name in PLACES.values():
            ip("netns", "del", name, check=False)


@pytest.fixture
def cut():
    """Takes the link of a place away."""
    return lambda place: ip("-n", PLACES["head"], "link", "set", LINKS[place], "down")


LINKS = {"first": "v1", "second": "v2", "driver": "v3"}
