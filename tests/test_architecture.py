"""The arrows of the house: which room may import which, and the sizes of files and functions.

Default-deny: a room may import what its line below names and nothing else; a new room needs a line.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import shoal

ROOT = Path(shoal.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

DOOR = {"errors", "types", "_check", "_shared"}
TABLES = DOOR | {"_door", "_once", "table", "hierarchy", "encode"}
MAY_IMPORT = {
    "errors": set(),
    "types": set(),
    "_check": {"errors", "types"},
    "_shared": {"errors", "types"},
    "table": DOOR,
    "_door": {"_shared", "table"},
    "_once": {"table"},
    "evolve": DOOR,
    "progress": DOOR,
    "io": DOOR | {"_door", "table"},
    "hierarchy": DOOR | {"_door", "table", "io"},
    "_kernels": set(),
    "models": DOOR | {"_kernels"},
    "encode": DOOR | {"_door", "_once", "table", "hierarchy", "models"},
    "partition": DOOR | {"_kernels", "evolve"},
    "measures": TABLES | {"_kernels", "models"},
    "search": TABLES | {"_kernels", "evolve", "io", "masking", "measures", "models", "partition"},
    "workflow": TABLES | {"edits", "evolve", "io", "masking", "measures", "models", "partition", "search"},
    "edits": DOOR | {"_door", "table"},
    "masking": TABLES | {"_kernels", "edits", "models", "partition"},
    "datasets": DOOR | {"table", "io"},
    "graph": TABLES | {"_kernels", "datasets", "io", "masking", "partition"},
    "report": TABLES | {"", "io", "measures", "models", "workflow"},
    "sklearn": DOOR | {"table", "partition"},
    "distributed": TABLES | {"io", "masking", "measures", "models", "partition", "workflow"},
    "cli": TABLES
    | {"", "datasets", "distributed", "graph", "io", "masking", "measures", "models", "partition"}
    | {"report", "search", "studio", "workflow"},
    "studio": TABLES
    | {"", "datasets", "io", "masking", "measures", "models", "report", "search", "workflow"},
    "": TABLES
    | {
        "distributed",
        "io",
        "masking",
        "measures",
        "models",
        "partition",
        "progress",
        "workflow",
    },  # shoal/__init__.py
}
MOST_FILES = 20  # in a room


def name_of(path: Path) -> str:
    return ".".join(("shoal", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {name_of(path) for path in FILES}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def room_of(module: str) -> str:
    return f"{module}..".split(".")[1]


def only_for_types(tree: ast.AST) -> set[ast.AST]:
    """What stands below `if TYPE_CHECKING:`; it is never run."""
    blocks = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)]
    return {inside for block in blocks for inside in ast.walk(block)}


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, at the top or inside a function; of shoal the file that holds the name."""
    tree = tree_of(path)
    unread = only_for_types(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and node not in unread:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node not in unread:
            assert node.level == 0, f"{path.name} uses a relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else str(node.module)


IMPORT_BY_NAME = {  # and what; a name that is written out whole is held by the arrows, as any import
    "shoal": "its rooms, and what is exported",
    "shoal.cli.commands": "the file of a command",
    "shoal.cli.warmup": "rooms whose examples are run",
    "shoal.distributed.engines": "the file of an engine",
    "shoal.io.database": "a library that need not be installed",
    "shoal.studio.work": "the room of the answers",
}


def named_modules(path: Path) -> set[str]:
    """Modules of shoal that a file names in a text and may import late."""
    if name_of(path) not in IMPORT_BY_NAME:
        return set()
    tree = tree_of(path)
    return {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in MODULES
    } - {"shoal"}


@cache
def own_imports(path: Path) -> set[str]:
    return {target for target in imports(path) if target.split(".")[0] == "shoal"} | named_modules(path)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_rooms_import_only_what_the_house_allows(path):
    room = room_of(name_of(path))
    assert room in MAY_IMPORT, f"the room {room} has no line in MAY_IMPORT"
    for target in own_imports(path):
        assert target in MODULES, f"{target} does not exist"
        assert room_of(target) == room or room_of(target) in MAY_IMPORT[room], f"{room} imports {target}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_private_packages_are_entered_from_their_parent_only(path):
    for target in own_imports(path):
        parts = target.split(".")
        for depth in range(2, len(parts)):  # shoal._x itself is for all rooms that may import it
            if parts[depth].startswith("_"):
                parent = ".".join(parts[:depth])
                assert f"{name_of(path)}.".startswith(f"{parent}."), f"{target} is private to {parent}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_only_some_files_import_by_name(path):
    text = path.read_text(encoding="utf-8")
    assert name_of(path) in IMPORT_BY_NAME or not re.search(r"\bimport_module\b|\b__import__\b", text)


def test_no_module_imports_itself_in_a_circle():
    waiting = {name_of(path): own_imports(path) - {name_of(path)} for path in FILES}
    while waiting:
        ready = {name for name, needed in waiting.items() if not needed & waiting.keys()}
        assert ready, f"a circle of imports among {sorted(waiting)}"
        waiting = {name: needed for name, needed in waiting.items() if name not in ready}


def test_no_two_files_have_one_name():
    """But a command may be called like what it calls, and a kernel like the method it serves."""
    for kernels in (True, False):
        counted = Counter(
            path.stem
            for path in FILES
            if ("_kernels" in path.parts) == kernels and "cli" not in path.parts and path.stem != "__init__"
        )
        assert not [name for name, count in counted.items() if count > 1]


@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES}), ids=lambda p: p.name)
def test_rooms_are_small(folder):
    assert len([p for p in folder.glob("*.py") if p.name != "__init__.py"]) <= MOST_FILES


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_only_kernels_import_numba(path):
    if "_kernels" not in path.parts:
        assert not [target for target in imports(path) if target.split(".")[0] in ("numba", "llvmlite")]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_and_functions_are_small(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    limit = 60 if "_kernels" in path.parts else 40
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            assert lines <= limit, f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_file_says_what_it_is(path):
    assert ast.get_docstring(tree_of(path))


def is_constant(node: ast.stmt) -> bool:
    """NAME = numbers, or several of them side by side; 0, 1, 2 ... are only names."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = [inside.id for target in targets for inside in ast.walk(target) if isinstance(inside, ast.Name)]
    values = [inside.value for inside in ast.walk(node.value) if isinstance(inside, ast.Constant)]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = any(isinstance(value, str) for value in values)
    names_only = len(names) > 1 and (numbers == list(range(len(names))) or "range" in ast.dump(node.value))
    return all(name.isupper() for name in names) and bool(numbers) and not texts and not names_only


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_constant_says_its_unit_or_where_it_comes_from(path):
    """In a comment behind it or above it."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in filter(is_constant, tree_of(path).body):
        own = lines[node.lineno - 1 : node.end_lineno]
        assert "#" in "".join(own) or lines[node.lineno - 2].startswith("#"), f"{own[0]}: of what, and why?"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_banned_names_stay_out(path):
    assert path.stem not in {"utils", "helpers", "common", "misc"}
    tree = tree_of(path)
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"df", "data", "kwargs", "utils", "helpers"}
