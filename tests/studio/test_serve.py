"""The server as it really runs: bound to this machine only, no other host, and silent about the file."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from shoal.cli.office.studio import studio
from shoal.errors import InvalidInput
from shoal.studio.serve import start_of

STUDIO = [sys.executable, "-c", "from shoal.cli import main; main()", "studio"]
SECRETS = ("Gombren", "Queralbs", "Setcases", "31415", "wages", "valley")
OTHER_HOSTS = ("0.0.0.0", "::", "", "192.168.0.1", "example.org", "127.0.0.1.example.org", "127.0.0.2")


@contextmanager
def running(start, said, *more):
    """A studio in a process of its own, all it says in a file; its address, once it answers."""
    with said.open("w") as out:
        command = [*STUDIO, str(start), "--no-browser", *more]
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env={**os.environ})
    try:
        yield until(lambda: re.search(r"http\S+(?=\n)", said.read_text()))[0]
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        finally:
            process.kill()


def until(found, seconds=60.0):
    """What is found, as soon as it is."""
    end = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return answer


def reaches(host, port):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as one:
        one.settimeout(5)
        return one.connect_ex((host, port)) == 0


def test_the_real_server_listens_on_loopback_and_nowhere_else(tmp_path):
    with running(tmp_path, tmp_path / "said") as address:
        port = int(re.search(r":(\d+)/", address)[1])
        assert reaches("127.0.0.1", port)
        if sys.platform == "linux":  # all of 127/8 is this machine: bound to any address, it would answer
            assert not reaches("127.0.0.2", port)
            bound = [
                line.split()[1]
                for table in ("tcp", "tcp6")
                if Path(f"/proc/net/{table}").exists()
                for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]
                if line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"  # listening
            ]
            assert bound == [f"0100007F:{port:04X}"]
        for place in {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), None)} - {"127.0.0.1"}:
            assert not reaches(place, port)


@pytest.mark.parametrize("host", OTHER_HOSTS)
def test_another_host_is_refused(tmp_path, monkeypatch, host):
    monkeypatch.setattr("shoal.studio.serve", lambda *given, **more: pytest.fail("it was served"))
    with pytest.raises(InvalidInput, match="this machine only; from another one use `ssh -L"):
        studio(tmp_path, host=host, shortcut=None, made_up=False)


def test_another_host_ends_the_command_with_one_sentence(tmp_path):
    command = [*STUDIO, str(tmp_path), "--no-browser", "--host", "0.0.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "serves this machine only" in done.stderr
    assert "http" not in done.stderr


def test_nothing_of_the_file_is_logged(tmp_path):
    """A file that is read and one that is not, good and bad posts: the output stays as it was."""
    wages, said = tmp_path / "wages.csv", tmp_path / "said"
    towns = ("Gombren", "Queralbs", "Setcases")
    wages.write_text("valley,pay\n" + "".join(f"{towns[i % 3]},{31415 + i // 9}\n" for i in range(90)))
    (tmp_path / "valley.csv").write_bytes(b"valley,pay\nGombren,31415,Queralbs\n\xff\xfe\x00")
    with running(tmp_path, said, "--log") as address:
        base = address.split("/?")[0]
        with httpx.Client(base_url=base, headers={"origin": base}, timeout=60) as client:
            client.get(address)
            walk_through(client)
    lines = said.read_text().splitlines()
    assert [line for line in lines for secret in SECRETS if secret in line] == []
    assert lines[0].startswith("shoal studio is open on this machine only: http://127.0.0.1:")
    # an old matplotlib says of its own styles that pyparsing has new names
    assert [line for line in lines[1:] if "mpl-data" not in line] == ["Ctrl-C ends it."]


def walk_through(client):
    """What a person does, and what goes wrong on the way."""

    def post(target, /, **fields):
        seen = client.get("/risk").headers["x-revision"]
        return client.post(target, data={"revision": seen, **fields}).status_code

    def shown(page, words):
        until(lambda: words in client.get(page).text)

    assert post("/file/open", path="valley.csv") == 303
    assert post("/file/open", path="wages.csv") == 303
    shown("/columns", "Looks right")
    shown("/file", "Gombren")
    for column in ("valley", "pay"):
        post("/columns/role", column=column, role="quasi")
    assert post("/columns/kind", column="valley", kind="numeric") == 303
    shown("/risk", "valley")
    assert post("/undo") == 303
    assert post("/columns/role", column="Gombren", role="quasi") == 422
    assert post("/risk/promise", k="3") == 303
    assert post("/protect/add", method="mondrian") == 303
    shown("/protect", "cells changed")
    assert post("/release/write", name="out.csv") == 303
    shown("/release", "counted there")
    assert client.get("/Gombren").status_code == 404


def test_what_is_not_there_is_not_opened(tmp_path):
    with pytest.raises(InvalidInput, match="There is no file or folder"):
        start_of(tmp_path / "no.csv")
    assert start_of(tmp_path) == (tmp_path.resolve(), None)
