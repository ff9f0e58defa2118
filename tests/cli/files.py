"""The small file of people most tests of the command line read."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

FILE = "name;age;pay;town\n" + "".join(
    f"p{i};{20 + i % 40};{1000 + 37 * i % 700},5;{'ab'[i % 2]}\n" for i in range(60)
)
ROLES = ["--quasi", "age,pay", "--identifier", "name", "--confidential", "town"]
PROGRAM = [sys.executable, "-c", "from shoal.cli import main; main()"]


def start(folder: Path, **options) -> subprocess.Popen:
    """An exploration whose second recipe takes far too long."""
    (folder / "people.csv").write_text(FILE)
    slow = ["--set", "genetic.generations=[100000000]", "--set", "genetic.patience=[100000000]"]
    command = [*PROGRAM, "explore", "people.csv", *ROLES, "--methods", "mdav,genetic", "--k", "3", *slow]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, **options)
    deadline = time.monotonic() + 60
    while not list(folder.glob("people-explore/*.json")) and time.monotonic() < deadline:
        time.sleep(0.1)
    return process
