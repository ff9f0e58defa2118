"""What happens when things go wrong: killed at any moment, a full disk, two writers, no memory, a bomb.

SHOAL_FAULTS says how often every signal strikes every command: 3, and 50 with `make faults`.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from cli.files import FILE, PROGRAM, ROLES

STRIKES = int(os.environ.get("SHOAL_FAULTS", "3"))
OUT = ["-o", "safe.csv", "--force", "--seed", "1"]
COMMANDS = {
    "mask": ["mask", "people.csv", "--k", "4", *ROLES, "--set", "partition=mdav", *OUT],
    "run": ["run", "people.csv", "r.toml", *OUT],
    "explore": [
        "explore",
        "people.csv",
        *ROLES,
        "--methods",
        "mdav,md",
        "--k",
        "3,4",
        "--csv",
        "t.csv",
        "--force",
    ],
    "evolve": ["evolve", "people.csv", *ROLES, "--generations", "2", "--minutes", "0.02", *OUT],
}
WRITTEN = {"mask": "safe.csv", "run": "safe.csv", "explore": "t.csv", "evolve": "safe.csv"}
FILES = {"mask": 1, "run": 1, "explore": 6, "evolve": 1}  # written one after the other
LINES = {"mask": 61, "run": 61, "explore": 5, "evolve": 61}
RECIPE = """name = "r"
[roles]
quasi = ["age", "pay"]
identifier = ["name"]
[[steps]]
method = "microaggregate"
k = 4
partition = "mdav"
"""
PATIENCE = 600  # seconds; whoever takes longer hangs


def fill(folder: Path) -> None:
    (folder / "people.csv").write_text(FILE)
    (folder / "r.toml").write_text(RECIPE)
    for name in WRITTEN.values():
        (folder / name).write_text("old\n")


def begin(folder: Path, command: str) -> subprocess.Popen:
    """The command, with signals as a shell gives them: what starts tests may ignore Ctrl-C itself."""
    fill(folder)
    heeded = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*PROGRAM, *COMMANDS[command]], cwd=folder, **quiet, **heeded)


@cache
def how_long(command: str) -> float:
    """Seconds of a run that nobody disturbs."""
    with tempfile.TemporaryDirectory() as place:
        started = time.monotonic()
        assert begin(Path(place), command).wait(PATIENCE) == 0
        assert whole(Path(place), command)
        return time.monotonic() - started


def wait_for(process: subprocess.Popen, folder: Path, command: str, moment: random.Random) -> None:
    """Until any moment of the run; every other time, until a file is being written."""
    longest = how_long(command)
    if moment.random() < 0.5:
        time.sleep(moment.uniform(0.05, 1.1 * longest))
        return
    seen: set[Path] = set()
    wanted = moment.randint(1, FILES[command])
    while process.poll() is None and len(seen) < wanted:
        seen |= set(folder.rglob("*.tmp"))
        time.sleep(0.0003)
    time.sleep(moment.choice([0, 0, 0.001, 0.003, 0.01, 0.03]))


def whole(folder: Path, command: str) -> bool:
    """Whether the new file is in place, whole and with its promise; the old one is the other answer."""
    lines = (folder / WRITTEN[command]).read_text().splitlines()
    if lines == ["old"]:
        return False
    # an exploration that is asked to stop writes what it tried until then
    fewest = 2 if command == "explore" else LINES[command]
    assert fewest <= len(lines) <= LINES[command], "neither whole nor the old one"
    if command in ("mask", "run"):
        assert min(Counter(tuple(line.split(";")[:2]) for line in lines[1:]).values()) >= 4
    return True


@pytest.mark.slow
@pytest.mark.parametrize("strike", range(STRIKES))
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda s: s.name)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_signal_leaves_the_old_file_or_the_new_one(tmp_path, command, number, strike):
    moment = random.Random(f"{command} {number} {strike}")
    process = begin(tmp_path, command)
    wait_for(process, tmp_path, command, moment)
    process.send_signal(number)
    code = process.wait(PATIENCE)
    assert (tmp_path / "people.csv").read_text() == FILE
    assert whole(tmp_path, command) or code, "exit 0 and no new file"
    for path in tmp_path.rglob("*.json"):
        json.loads(path.read_text())
    if number != signal.SIGKILL:
        assert not list(tmp_path.rglob("*.tmp"))


def limited(what: int, most: int) -> dict:
    return {"preexec_fn": lambda: resource.setrlimit(what, (most, most))}


def outcome(folder: Path, *arguments: str, **options) -> tuple[int, str, str]:
    done = subprocess.run(
        [*PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, **options
    )
    return done.returncode, done.stdout, done.stderr.strip().splitlines()[-1] if done.stderr else ""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are those of Linux")
def test_a_full_disk_is_one_sentence_and_leaves_the_old_file(tmp_path):
    fill(tmp_path)
    code, _, err = outcome(tmp_path, *COMMANDS["mask"], **limited(resource.RLIMIT_FSIZE, 500))
    assert code == 2
    assert "could not be written" in err
    assert (tmp_path / "safe.csv").read_text() == "old\n"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are those of Linux")
def test_too_little_memory_is_said_and_leaves_the_old_file(tmp_path):
    fill(tmp_path)
    code, _, err = outcome(tmp_path, *COMMANDS["mask"], **limited(resource.RLIMIT_AS, 1_500_000_000))
    if code:
        assert (code, "not enough memory" in err) == (1, True)
        assert (tmp_path / "safe.csv").read_text() == "old\n"
    assert not list(tmp_path.glob(".*"))


def test_two_writers_one_wins(tmp_path):
    (tmp_path / "people.csv").write_text(FILE)
    arguments = [*PROGRAM, *COMMANDS["mask"][: -len(OUT)], "-o", "new.csv"]
    pair = [
        subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for _ in "ab"
    ]
    said = [process.communicate(timeout=120)[1].decode() for process in pair]
    assert sorted(process.returncode for process in pair) == [0, 2]
    assert sum("exists already" in text for text in said) == 1
    assert len((tmp_path / "new.csv").read_text().splitlines()) == 61


def test_a_reader_that_leaves_is_no_error_and_the_file_is_written(tmp_path):
    (tmp_path / "people.csv").write_text(FILE)
    process = subprocess.Popen(
        [*PROGRAM, *COMMANDS["mask"]], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    process.stdout.close()
    assert process.wait(120) == 0
    assert len((tmp_path / "safe.csv").read_text().splitlines()) == 61


def test_a_link_as_output_is_followed_but_never_to_an_input(tmp_path):
    (tmp_path / "people.csv").write_text(FILE)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "safe.csv").symlink_to(tmp_path / "elsewhere" / "real.csv")
    assert outcome(tmp_path, *COMMANDS["mask"])[0] == 0
    assert (tmp_path / "safe.csv").is_symlink()
    assert len((tmp_path / "elsewhere" / "real.csv").read_text().splitlines()) == 61
    (tmp_path / "safe.csv").unlink()
    (tmp_path / "safe.csv").symlink_to("people.csv")
    code, _, err = outcome(tmp_path, *COMMANDS["mask"])
    assert (code, "never overwritten" in err) == (2, True)
    assert (tmp_path / "people.csv").read_text() == FILE


def test_a_bomb_is_refused_with_its_limit(tmp_path):
    with gzip.open(tmp_path / "bomb.csv.gz", "wb") as stream:
        stream.write(b"a\n")
        for _ in range(60):
            stream.write(b"0\n" * 2_500_000)
    code, _, err = outcome(tmp_path, "mask", "bomb.csv.gz", "--k", "5", "--quasi", "a")
    assert code == 2
    assert "unpacks to more than 256 MB" in err


def test_a_hundred_thousand_columns_get_an_answer(tmp_path):
    wide = ",".join(f"c{i}" for i in range(100_000)) + "\n" + (",".join(["1"] * 100_000) + "\n") * 4
    (tmp_path / "wide.csv").write_text(wide)
    code, _, err = outcome(tmp_path, "mask", "wide.csv", "--k", "2", "--quasi", "c0,c1")
    assert (code, "100000 columns" in err) == (2, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_one_sentence(tmp_path):
    (tmp_path / "people.csv").write_text(FILE)
    tmp_path.chmod(0o500)
    code, _, err = outcome(tmp_path, *COMMANDS["mask"])
    tmp_path.chmod(0o700)
    assert (code, "could not be written" in err) == (2, True)
