"""The process that holds the table: stopped in a second, its crash is said, it dies with its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shoal.studio.work import NO_MEMORY
from shoal.studio.worker import LOST, Worker

SOON = 120.0  # seconds a process may take to start on a busy machine


@pytest.fixture
def worker():
    made = Worker("studio.odd_answers")
    yield made
    made.close()


def answered(job):
    assert job.over.wait(SOON), job.state
    return job.state, job.answer


def running(job):
    end = time.monotonic() + SOON
    while job.state == "waiting" or (job.what == "polite" and not job.message):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_one_after_the_other_and_the_desk_stays(worker):
    jobs = [worker.ask("echo", value=at) for at in range(3)]
    assert [answered(job) for job in jobs] == [("done", (at, at + 1)) for at in range(3)]


def test_linear_algebra_has_one_thread_in_the_worker_only(worker, monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    assert answered(worker.ask("threads")) == ("done", "1")
    assert "OPENBLAS_NUM_THREADS" not in os.environ


def stops(worker, what):
    """(seconds that Stop takes, whether the process goes on), a few times: a machine has other work, too."""
    for _ in range(5):
        job = worker.ask(what)
        running(job)
        before, began = worker.process.pid, time.monotonic()
        if what == "polite":
            assert (job.fraction, job.message) == (0.5, "half")
        worker.stop()
        assert answered(job)[0] == "stopped"
        took = time.monotonic() - began
        assert answered(worker.ask("echo", value=1))[0] == "done"
        yield took, worker.process.pid == before


def test_stop_is_heard_and_the_process_goes_on(worker):
    assert answered(worker.ask("echo", value=0))[0] == "done"
    assert any(took < 1.0 and goes_on for took, goes_on in stops(worker, "polite"))


def test_who_does_not_listen_is_ended(worker):
    assert answered(worker.ask("echo", value=0))[0] == "done"
    assert any(took < 1.0 and not goes_on for took, goes_on in stops(worker, "deaf"))


def test_a_newer_question_takes_the_place_of_an_older_one(worker):
    answered(worker.ask("echo", value=0))
    old = [worker.ask("polite", slot="counts") for _ in range(4)]
    new = worker.ask("echo", slot="counts", value="last")
    assert answered(new)[0] == "done"
    assert [answered(job)[0] for job in old] == ["stopped"] * 4


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("crash", LOST),
        ("refuse", "Column 'age' is wrong; mend it."),
        ("leak", "The work stopped on an unexpected KeyError."),
        ("hungry", NO_MEMORY),
    ],
)
def test_what_goes_wrong_is_one_sentence_without_a_value(worker, what, sentence):
    assert answered(worker.ask(what)) == ("failed", sentence)
    assert answered(worker.ask("echo", value=2))[0] == "done"


def test_a_killed_worker_is_said_and_started_anew(worker):
    job = worker.ask("deaf")
    running(job)
    time.sleep(0.2)
    while worker.process is None or worker.process.pid is None:
        time.sleep(0.01)
    os.kill(worker.process.pid, signal.SIGKILL)
    assert answered(job) == ("failed", LOST)
    assert answered(worker.ask("echo", value=2))[0] == "done"


PARENT = """
import time
from shoal.studio.worker import Worker
if __name__ == "__main__":
    worker = Worker("studio.odd_answers")
    worker.ask("echo", value=1).over.wait()
    worker.ask("deaf")
    print(worker.process.pid, flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc to see a process")
def test_nobody_is_left_when_the_server_is_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    path = os.pathsep.join([str(Path(__file__).parent.parent), *filter(None, sys.path)])
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 5
    while _lives(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _lives(child)


def _lives(number):
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
