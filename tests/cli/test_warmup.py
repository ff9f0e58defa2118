"""`shoal warmup` reaches every kernel a room can reach: a new method has to be public, with an example."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app, warmup

ROOT = Path(shoal.__file__).parent
AFTERWARDS = """
import json, sys
from shoal.cli.warmup import warm_up
seen = []
warm_up([], lambda progress: seen.append(progress.fraction))
compiled = {
    name: sum(bool(getattr(value, "signatures", ())) for value in vars(module).values())
    for name, module in sys.modules.items() if name.startswith("shoal._kernels.")
}
print(json.dumps([compiled, seen]))
"""
WHO = """
import os, pathlib
if {1} not in (None, os.getpid()):
    os.kill(os.getpid(), 9)
pathlib.Path({0!r}).write_text(str(os.getpid()))
"""


def kernels_of_rooms():
    """Every kernel module that a file outside _kernels imports, with the names it takes from it."""
    found = {}
    for path in ROOT.rglob("*.py"):
        if "_kernels" not in path.parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("shoal._kernels."):
                    for alias in node.names:
                        whole = f"{node.module}.{alias.name}"
                        module = (
                            whole if (ROOT.parent / f"{whole.replace('.', '/')}.py").exists() else node.module
                        )
                        found.setdefault(module, set()).add(alias.name)
    return found


def compiles(module):
    """Does the file compile functions that Python calls?"""
    source = (ROOT.parent / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    return "\n@jit\n" in source


@pytest.fixture(scope="module")
def warm():
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", AFTERWARDS], capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout.splitlines()[-1])


def test_every_kernel_a_room_uses_is_compiled(warm):
    compiled, _ = warm
    assert compiled["shoal._kernels.mdav.mdav_tree"] > 0
    assert compiled["shoal._kernels.mdav.mdav_line"] > 0
    assert compiled["shoal._kernels.mdav.mdav_scan"] > 0
    for module in kernels_of_rooms():
        assert module in compiled, f"warmup reaches nothing that uses {module}"
        if compiles(module):
            assert compiled[module] > 0, f"warmup runs nothing of {module}"


def test_the_bar_moves_forward(warm):
    _, seen = warm
    assert seen == sorted(seen)
    assert 0 == seen[0] <= seen[-1] < 1
    assert len(seen) > 50


def test_one_method_by_name():
    result = CliRunner().invoke(app, ["warmup", "univariate"])
    assert result.exit_code == 0
    assert result.output.startswith("univariate compiled and kept on disk, in ")


def test_an_unknown_method_is_named():
    result = CliRunner().invoke(app, ["warmup", "mdva"])
    assert "Did you mean 'mdav'?" in str(result.exception)


def test_a_process_that_is_killed_leaves_nothing_undone(tmp_path, monkeypatch):
    calls = [("one", None), ("two", None), ("three", os.getpid())]
    steps = [(name, [partial(exec, WHO.format(str(tmp_path / name), only), {})]) for name, only in calls]
    monkeypatch.setattr(warmup, "_steps", lambda: iter(steps))
    warmup.warm_up([], lambda progress: None, processes=3)
    here = {path.name: path.read_text() == str(os.getpid()) for path in tmp_path.iterdir()}
    assert here == {"one": True, "two": False, "three": True}
