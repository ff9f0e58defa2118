"""`shoal warmup` reaches every kernel a room can reach: a new method has to be public, with an example."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.commands.warmup import _all_processors

ROOT = Path(shoal.__file__).parent
AFTERWARDS = """
import json, sys
from shoal.commands.warmup import warm_up
seen = []
warm_up([], lambda progress: seen.append(progress.fraction))
compiled = {
    name: sum(bool(getattr(value, "signatures", ())) for value in vars(module).values())
    for name, module in sys.modules.items() if name.startswith("shoal._kernels.")
}
print(json.dumps([compiled, seen]))
"""


def kernels_of_rooms():
    """Every kernel module that a file outside _kernels imports, with the names it takes from it."""
    found = {}
    for path in ROOT.rglob("*.py"):
        if "_kernels" not in path.parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("shoal._kernels."):
                    found.setdefault(node.module, set()).update(alias.name for alias in node.names)
    return found


def compiles(module):
    """Does the file compile functions that Python calls?"""
    source = (ROOT / "_kernels" / f"{module.rpartition('.')[2]}.py").read_text(encoding="utf-8")
    return "\n@jit\n" in source


@pytest.fixture(scope="module")
def warm():
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", AFTERWARDS], capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout.splitlines()[-1])


def test_every_kernel_a_room_uses_is_compiled(warm):
    compiled, _ = warm
    assert compiled["shoal._kernels.mdav_tree"] > 0
    assert compiled["shoal._kernels.mdav_line"] > 0
    assert compiled["shoal._kernels.mdav_scan"] > 0
    for module in kernels_of_rooms():
        assert module in compiled, f"warmup reaches nothing that uses {module}"
        if compiles(module):
            assert compiled[module] > 0, f"warmup runs nothing of {module}"


def test_the_bar_moves_forward(warm):
    _, seen = warm
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert seen[-1] == 1
    assert len(seen) > 50


def test_one_method_by_name():
    result = CliRunner().invoke(app, ["warmup", "univariate"])
    assert result.exit_code == 0
    assert result.output.startswith("univariate compiled and kept on disk, in ")


def test_an_unknown_method_is_named():
    result = CliRunner().invoke(app, ["warmup", "mdva"])
    assert "Did you mean 'mdav'?" in str(result.exception)


def double(number):
    return 2 * number


def double_at_home(number):
    """Ends any other process than the one that began."""
    home, value = number
    if os.getpid() != home:
        os._exit(1)
    return 2 * value


def test_all_processors_leave_nothing_out():
    assert sorted(_all_processors(double, range(40))) == list(range(0, 80, 2))
    assert list(_all_processors(double, [7])) == [14]


def test_nothing_is_lost_with_a_process():
    steps = [(os.getpid(), value) for value in range(5)]
    assert sorted(_all_processors(double_at_home, steps)) == [0, 2, 4, 6, 8]
