"""The arrows of the house: which room may import which, and the sizes of files and functions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import shoal

ROOT = Path(shoal.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

FOUNDATION = {"shoal.errors", "shoal.types", "shoal._check"}
TABLES = FOUNDATION | {"shoal.table", "shoal.categories", "shoal.encode", "shoal.hierarchy"}
MAY_IMPORT = {
    "_kernels": {"shoal._kernels"},
    "partition": FOUNDATION | {"shoal._kernels", "shoal.evolve", "shoal.partition"},
    "masking": TABLES | {"shoal.partition", "shoal.masking"},
    "measures": TABLES | {"shoal._kernels", "shoal.measures"},
    "search": TABLES
    | {
        "shoal._kernels",
        "shoal.masking",
        "shoal.measures",
        "shoal.partition",
        "shoal.evolve",
        "shoal.search",
    },
    "datasets": TABLES | {"shoal.io", "shoal.datasets"},
    "graph": TABLES
    | {
        "shoal._kernels",
        "shoal.io",
        "shoal.datasets",
        "shoal.masking",
        "shoal.partition",
        "shoal.measures",
        "shoal.graph",
    },
}
FRONT = ("report", "distributed", "cli", "web", "console", "commands")


def name_of(path: Path) -> str:
    return ".".join(("shoal", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def imports(path: Path) -> list[str]:
    """Every shoal module a file imports, at the top or inside a function."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} uses a relative import"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_rooms_import_only_what_the_house_allows(path):
    room = name_of(path).split(".")[1] if path != ROOT / "__init__.py" else ""
    for target in (t for t in imports(path) if t.split(".")[0] == "shoal"):
        if room in MAY_IMPORT:
            assert any(f"{target}.".startswith(f"{allowed}.") for allowed in MAY_IMPORT[room]), target
        if room in FRONT:
            private = [
                part for part in target.split(".")[1:] if part.startswith("_") and part != "__version__"
            ]
            assert not private, f"{room} reaches into {target}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_only_kernels_import_numba(path):
    if "_kernels" not in path.parts:
        assert not [target for target in imports(path) if target.split(".")[0] == "numba"]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_and_functions_are_small(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    limit = 60 if "_kernels" in path.parts else 40
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            assert lines <= limit, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_file_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_banned_names_stay_out(path):
    assert path.stem not in {"utils", "helpers", "common", "misc"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"df", "data", "kwargs", "utils", "helpers"}
