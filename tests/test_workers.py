"""Workers: a number everywhere, the same results as with map, one sentence where processes cannot work."""

import inspect
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

import shoal
from shoal._shared.workers import worker_map
from shoal.errors import InvalidInput
from shoal.evolve import evolve
from shoal.partition import best, blockwise, two_step
from shoal.search import breed_pram, evolve_file, evolve_pram, gomm
from shoal.search.column_groups.gomm import d_gomm
from shoal.workflow.compare import compare
from shoal.workflow.explore import explore

X = np.random.default_rng(1).normal(size=(60, 2))
DOORS = [
    *(shoal.evaluate, explore, compare, blockwise, two_step, best),
    *(evolve, evolve_file, evolve_pram, breed_pram, gomm, d_gomm),
]


def table():
    roles = {"quasi": ["a", "b"]}
    return shoal.as_table({"a": X[:, 0].tolist(), "b": X[:, 1].tolist()}, roles=roles)


@pytest.mark.parametrize("door", DOORS, ids=lambda f: f.__name__)
def test_every_door_takes_a_number(door):
    assert "int" in str(inspect.signature(door).parameters["workers"].annotation) or (
        inspect.signature(door).parameters["workers"].annotation == "Workers"
    )
    assert hasattr(door, "__wrapped__")


@pytest.mark.parametrize("door", DOORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "2", None])
def test_what_is_no_number_of_workers(door, workers):
    with pytest.raises(InvalidInput, match=r"`workers` must be a whole number of at least 1"):
        door(table(), workers=workers)


@pytest.mark.slow
def test_two_processes_give_what_one_gives():
    """Pools are real here; that every door hands them on is what the signature test is for."""
    halves = partial(blockwise, block_size=20, partition=shoal.mdav)
    assert (halves(X, 2, workers=2) == halves(X, 2)).all()
    one, two = (shoal.evaluate(table(), table(), workers=workers) for workers in (map, 2))
    assert one.to_dict() == two.to_dict()


def test_no_process_is_left(recwarn):
    others = set(multiprocessing.active_children())  # of joblib, say, in a test before
    with worker_map(2) as mapped:
        assert list(mapped(abs, [-1, 2])) == [1, 2]
        started = [p for p in multiprocessing.active_children() if p not in others]
        assert started or (os.cpu_count() or 1) == 1
    for process in started:
        process.join(20)
    assert not [p for p in multiprocessing.active_children() if p in started]


def test_threads_and_joblib():
    joblib = pytest.importorskip("joblib", reason="joblib comes with scikit-learn")
    plain = blockwise(X, 2, block_size=20)
    with ThreadPoolExecutor(2) as threads:
        assert (blockwise(X, 2, block_size=20, workers=threads.map) == plain).all()

    def with_joblib(function, tasks):
        return joblib.Parallel(n_jobs=2)(joblib.delayed(function)(task) for task in tasks)

    assert (blockwise(X, 2, block_size=20, workers=with_joblib) == plain).all()


@pytest.mark.slow
def test_dask():
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    script = (
        "from distributed import Client\n"
        "import numpy as np\n"
        "from shoal.partition import blockwise\n"
        "if __name__ == '__main__':\n"
        "    X = np.random.default_rng(1).normal(size=(60, 2))\n"
        "    with Client(n_workers=1, threads_per_worker=2, dashboard_address=None) as client:\n"
        "        mapped = lambda f, tasks: client.gather(client.map(f, list(tasks), pure=False))\n"
        "        labels = blockwise(X, 2, block_size=20, workers=mapped)\n"
        "    print((labels == blockwise(X, 2, block_size=20)).all())\n"
    )
    assert distributed
    assert "True" in _run(script)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_pool_that_forks_is_refused():
    fork = multiprocessing.get_context("fork")
    with (
        ProcessPoolExecutor(1, mp_context=fork) as executor,
        pytest.raises(InvalidInput, match="This pool forks its processes, which hangs; give workers=4"),
    ):
        blockwise(X, 2, workers=executor.map)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as executor, worker_map(executor.map) as mapped:
        assert mapped == executor.map


def test_a_lambda_cannot_travel():
    with pytest.raises(InvalidInput, match="cannot travel to other processes"), worker_map(2) as mapped:
        list(mapped(lambda value: value, [1, 2]))


@pytest.mark.slow
def test_a_script_without_a_guard_ends_with_a_sentence(tmp_path):
    """Every new process would run the script again; Python refuses, and so do we, without hanging."""
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\n"
        "from shoal.errors import InvalidInput\n"
        "from shoal.partition import blockwise\n"
        "try:\n"
        "    blockwise(np.random.default_rng(1).normal(size=(60, 2)), 2, block_size=20, workers=2)\n"
        "except InvalidInput as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert 'put the call below if __name__ == "__main__":' in done.stdout


def _run(script):
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout
