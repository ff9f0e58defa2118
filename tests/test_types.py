"""Typos of roles and kinds are caught by who checks types, before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
USE = """
from shoal import Recipe, Table, as_table, read_table

def used(table: Table) -> None:
    as_table({"a": [1]}, roles={"quasy": "a"})
    as_table({"a": [1]}, kinds={"a": "numerik"})
    read_table("a.csv", roles={"quasi": ["a"], "wieght": "w"})
    read_table("a.csv", kinds={"a": "nominal", "b": "order"})
    table.names("quazi")
    table.names(kind="number")
    Recipe("r", {"quasi": ["a"]}, [], kinds={"a": "ordnal"})
    as_table({"a": [1]}, roles={"quasi": ["a"]}, kinds={"a": "ordinal", "b": ["low", "high"], "c": (1, 2)})
"""
RIGHT = 12  # the last line, and all before the first of the wrong ones


@pytest.mark.slow
def test_typos_of_roles_and_kinds_are_errors(tmp_path, monkeypatch):
    """With the options and the cache of `make lint`, which has read the package before."""
    api = pytest.importorskip("mypy.api", reason="the extra `dev` is not installed")
    monkeypatch.setenv("MYPYPATH", str(ROOT / "src"))
    monkeypatch.chdir(ROOT)
    (tmp_path / "use.py").write_text(USE)
    said, complaint, _ = api.run([str(tmp_path / "use.py")])
    assert not complaint
    lines = {int(line) for line in re.findall(r"use\.py:(\d+): error", said)}
    assert lines == set(range(5, RIGHT)), said
