"""What is killed leaves no process and no half file; a full disk and too little memory are one sentence."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from shoal.errors import InvalidInput
from shoal.studio.session import Session
from shoal.studio.work import NO_MEMORY
from shoal.studio.worker import Worker
from studio.conftest import BASE, wait


def children(number):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == number and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def lives(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc to see processes")
@pytest.mark.slow
def test_a_killed_server_leaves_nobody_and_the_project_opens_again(people):
    command = [
        sys.executable,
        "-c",
        "from shoal.cli import main; main()",
        "studio",
        str(people),
        "--no-browser",
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http\S+", server.stdout.readline())[0]
        base = address.split("/?")[0]
        with httpx.Client(base_url=base, timeout=180) as client:
            assert client.get(address).status_code == 303
            headers = {"origin": base}
            end = time.monotonic() + 180
            while "Role of age" not in client.get("/columns").text:
                assert time.monotonic() < end
                time.sleep(0.2)
            revision = client.get("/columns").headers["x-revision"]
            data = {"column": "age", "role": "other", "revision": revision}
            assert client.post("/columns/role", headers=headers, data=data).status_code == 303
            data = {"grid": "thorough", "revision": str(int(revision) + 1)}
            client.post("/explore/start", headers=headers, data=data)
        below = children(server.pid)
        assert below
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()
        server.stdout.close()
    end = time.monotonic() + 5
    while any(lives(one) for one in below) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(lives(one) for one in below)
    again = Session(people.parent)
    try:
        again.open(people.name)
        assert again.plan["roles"]["age"] == "other"
        assert again.history.undoes == "age: neither"
    finally:
        again.worker.close()
    assert not [one.name for one in people.parent.rglob("*") if one.name.endswith(".tmp")]


def test_a_full_disk_changes_nothing_and_says_so(client, session, people, monkeypatch):
    session.open("people.csv")
    wait(session)
    before = dict(session.plan["roles"])
    written = os.write

    def full(handle, data):
        if data.startswith(b'{"said"'):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written(handle, data)

    monkeypatch.setattr(os, "write", full)
    posted = {"revision": str(session.history.number), "column": "age", "role": "other"}
    found = client.post("/columns/role", headers={"origin": BASE}, data=posted)
    assert found.status_code == 422
    assert "no space left" in found.text
    assert session.plan["roles"] == before
    monkeypatch.undo()
    assert client.post("/columns/role", headers={"origin": BASE}, data=posted).status_code == 303


def test_what_the_worker_found_is_said_if_it_cannot_be_kept(client, session, people, monkeypatch):
    """Nobody asked for this change in a request: the disk is full when the best protection is found."""
    session.open("people.csv")
    wait(session)
    session.change("promise", promise={"k": 3})
    wait(session)

    def full(said, **entries):
        raise InvalidInput("The change could not be kept: no space left on device; nothing was changed.")

    monkeypatch.setattr(session.history, "change", full)
    session.reach()
    wait(session)
    assert session.tried.facts
    assert session.plan["steps"] == []
    assert "no space left" in client.get("/protect").text
    monkeypatch.undo()
    session.reach()
    wait(session)
    assert session.plan["steps"], "the studio goes on"


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_too_little_memory_is_said(people):
    worker = Worker("studio.odd_answers")
    try:
        job = worker.ask("greedy")
        assert job.over.wait(180)
        assert (job.state, job.answer) == ("failed", NO_MEMORY)
        after = worker.ask("echo", value=1)
        assert after.over.wait(180)
        assert after.state == "done"
    finally:
        worker.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of files are those of POSIX")
def test_a_release_that_does_not_fit_leaves_no_half_file(client, session, people):
    """The worker may write 4 kB at most: the release fails in one sentence, and nothing is in place."""
    session.open("people.csv")
    wait(session)
    few = {**dict.fromkeys(session.plan["roles"], "other"), "age": "quasi", "sex": "quasi"}
    session.change("few", roles=few, promise={"k": 2}, steps=[{"id": 1, "on": True, "method": "mondrian"}])
    wait(session)
    assert session.masked.facts, session.masked.problem
    import resource

    resource.prlimit(session.worker.process.pid, resource.RLIMIT_FSIZE, (4096, 4096))
    posted = {"revision": str(session.history.number), "name": "out.csv"}
    assert client.post("/release/write", headers={"origin": BASE}, data=posted).status_code == 303
    wait(session)
    assert not session.released["written"]
    assert session.released["why_not"]
    left = [one.name for one in people.parent.iterdir()]
    assert "out.csv" not in left
    assert not [name for name in left if name.endswith(".tmp")]
