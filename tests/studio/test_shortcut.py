"""The shortcut starts the studio, also where names have blanks, quotes and percent signs."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.errors import InvalidInput
from shoal.studio.shortcut import NAMES, shortcut_text, write_shortcut

ODD = "a b'c \"d $HOME %f `x`"


@pytest.mark.parametrize("system", NAMES)
def test_every_system_has_its_own(tmp_path, system):
    (tmp_path / "data").mkdir()
    target = write_shortcut(tmp_path, tmp_path / "data", system=system)
    assert target.name == NAMES[system]
    assert target.stat().st_mode & 0o111, "it can be run"
    assert str(tmp_path / "data") in target.read_text()
    with pytest.raises(InvalidInput, match="exists"):
        write_shortcut(tmp_path, tmp_path / "data", system=system)


def test_odd_names_stay_one_word():
    words = shlex.split(shortcut_text(Path("/x") / ODD, "darwin", "/p q/python").splitlines()[1])
    assert words == ["exec", "/p q/python", "-c", "from shoal.cli import main; main()", "studio", f"/x/{ODD}"]
    line = shortcut_text(Path("/x") / ODD, "linux").split("Exec=")[1].splitlines()[0]
    unquoted = line.replace("%%", "%").replace("\\\\", "\\")  # as a desktop reads it: keys first, then words
    last = re.findall(r'"((?:[^"\\]|\\.)*)"', unquoted)[-1]
    assert re.sub(r"\\(.)", r"\1", last) == f"/x/{ODD}"
    assert "%%f" in shortcut_text(Path("/x") / ODD, "win32")


def test_a_line_break_is_refused():
    with pytest.raises(InvalidInput, match="line break"):
        shortcut_text(Path("/x/a\nb"), "linux")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script is run")
def test_a_double_click_opens_the_studio(tmp_path):
    folder = tmp_path / "a b"
    folder.mkdir()
    target = write_shortcut(tmp_path, folder, system="darwin")
    env = {**os.environ, "BROWSER": "true"}  # no page is opened in a test
    process = subprocess.Popen([str(target)], stdout=subprocess.PIPE, text=True, env=env)
    try:
        assert "http://127.0.0.1:" in process.stdout.readline()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
        process.stdout.close()
