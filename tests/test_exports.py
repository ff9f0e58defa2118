"""What is exported exists, is documented, and takes its arguments in the order of the house."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from shoal.cli.commands import COMMANDS, loaded, sentence_of
from shoal.workflow.registry import INGREDIENTS, MENUS

ROOT = Path(__file__).parent.parent


def public_rooms() -> list[str]:
    """Every package and module that says in `__all__` what it offers, but those of the front ends."""
    found = ["shoal"]
    for module in pkgutil.walk_packages(shoal.__path__, "shoal."):
        inner = module.name.split(".")[1:]
        front = inner[0] in ("cli", "studio") or any(part.startswith("_") for part in inner)
        if not front and hasattr(importlib.import_module(module.name), "__all__"):
            found.append(module.name)
    return found


ROOMS = public_rooms()
EXPORTS = [(room, name) for room in ROOMS for name in importlib.import_module(room).__all__]
FUNCTIONS = {
    f"{room}.{name}": getattr(importlib.import_module(room), name)
    for room, name in EXPORTS
    if inspect.isfunction(getattr(importlib.import_module(room), name))
}
TESTED_ELSEWHERE = {  # several modules whose functions are tried together, against one definition
    "shoal.hierarchy.domain": "hierarchy/test_cover.py",
    "shoal.hierarchy.recoding_files": "io/test_muargus.py",
    "shoal.io.address": "io/test_database.py",
    "shoal.io.draft": "io/test_formats.py",
    "shoal.masking.fitting": "workflow/test_fit_steps.py",
    "shoal.masking.fitting.join_centres": "masking/test_contract.py",
    "shoal.masking.fitting.mask_strata": "workflow/test_fit_steps.py",
    "shoal.models": "models/test_models_by_definition.py",
    "shoal.progress": "test_notebook.py",
}
LAST = ["columns", "rng", "workers", "callback"]


@pytest.mark.parametrize("room", ROOMS)
def test_all_names_exist_once(room):
    module = importlib.import_module(room)
    assert len(module.__all__) == len(set(module.__all__))
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_public_functions_have_a_sentence_an_example_and_types(function):
    text = inspect.getdoc(function) or ""
    assert text.splitlines()[0].rstrip().endswith((".", "?")), "the first line is one sentence"
    assert ">>>" in text, "an example that runs"
    hints = inspect.signature(function)
    assert hints.return_annotation is not hints.empty
    assert all(p.annotation is not p.empty for p in hints.parameters.values())


@pytest.mark.parametrize("method", [m for menu in MENUS.values() for m in menu], ids=lambda f: f.__name__)
def test_methods_on_a_menu_say_cost_and_reference(method):
    text = inspect.getdoc(method)
    for section in ("Parameters", "Returns", "Notes", "References", "Examples"):
        assert f"\n{section}\n---" in text, f"{method.__name__} has no {section}"


OFFERED = [method for menu in (*MENUS.values(), *INGREDIENTS.values()) for method in menu]


def room_of(method):
    """The public room of a method: shoal.partition for shoal.partition._shared.x."""
    return ".".join(method.__module__.split(".")[:2])


@pytest.mark.parametrize("method", OFFERED, ids=lambda f: f.__name__)
def test_methods_on_a_menu_are_exported_by_their_room(method):
    if room_of(method) != "shoal.evolve":  # a module of its own, no room
        assert method.__name__ in importlib.import_module(room_of(method)).__all__


@pytest.mark.parametrize("module", sorted({function.__module__ for function in FUNCTIONS.values()}))
def test_modules_with_public_functions_have_a_test_file(module):
    tests = ROOT / "tests"
    known = [path for name, path in TESTED_ELSEWHERE.items() if f"{module}.".startswith(f"{name}.")]
    found = [tests / path for path in known] or list(tests.rglob(f"test_{module.rpartition('.')[2]}.py"))
    assert found, f"{module} has no test file: write tests/.../test_{module.rpartition('.')[2]}.py"
    assert all("def test_" in path.read_text(encoding="utf-8") for path in found)


@pytest.fixture(scope="module")
def pages():
    """Every page written by hand; the build of the docs fails for one outside the navigation."""
    return "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("method", OFFERED, ids=lambda f: f.__name__)
def test_methods_on_a_menu_are_in_the_docs(method, pages):
    assert re.search(rf"\b{method.__name__}\b", pages), f"no page of the docs names {method.__name__}"


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_the_usual_arguments_come_last_and_in_order(function):
    names = list(inspect.signature(function).parameters)
    tail = [name for name in names if name in LAST]
    assert tail == sorted(tail, key=LAST.index)
    if "k" in names:
        parameter = inspect.signature(function).parameters["k"]
        assert parameter.default in (parameter.empty, None, ()), "no k but what was asked for"


def test_version_matches_the_project():
    from importlib.metadata import version

    assert shoal.__version__ == version("shoal")


PROMISED = ast.parse(Path(shoal.__file__).read_text(encoding="utf-8"))


def test_what_editors_see_is_what_is_loaded_when_asked_for():
    """The imports for type checkers, the homes and `__all__` of shoal/__init__.py are one list."""
    block = next(node for node in PROMISED.body if isinstance(node, ast.If))
    seen = {alias.name: line.module for line in block.body for alias in line.names}
    assert seen == shoal._HOME_OF
    assert sorted(seen) == shoal.__all__
    for name in shoal.__all__:
        assert getattr(shoal, name) is getattr(importlib.import_module(seen[name]), name)
    assert set(shoal.__all__) <= set(dir(shoal))


def test_every_public_room_is_an_attribute():
    rooms = {path.stem for path in Path(shoal.__file__).parent.iterdir() if path.stem[0] not in "_."}
    assert set(shoal._ROOMS) == rooms - {"cli", "py"}
    script = "import shoal, sys; shoal.partition.mdav; assert 'shoal.graph' not in sys.modules; shoal.graph"
    subprocess.run([sys.executable, "-c", script], check=True)
    with pytest.raises(AttributeError, match="no attribute 'microagregate'"):
        shoal.microagregate  # noqa: B018


HEAVY = ["numba", "scipy.sparse", "scipy.spatial", "scipy.special", "scipy.stats", "pandas", "pyarrow"]
HEAVY += ["sklearn", "matplotlib", "jinja2", "networkx", "highspy", "duckdb", "IPython"]
MODULES_AT_MOST = {  # by what is run; a module costs about a millisecond
    "import shoal": (5, ["numpy", "polars", "narwhals", "typer"]),
    "import sys; from shoal.cli import main; sys.argv[1:] = ['--help']": (
        10,
        ["numpy", "polars", "narwhals"],
    ),
    "from shoal import microaggregate": (310, ["typer", "shoal.cli", "shoal.workflow", "shoal.report"]),
    "import shoal.cli.mask": (390, ["shoal.graph", "shoal.datasets"]),
}


@pytest.mark.parametrize("script", MODULES_AT_MOST)
def test_imports_stay_light(script):
    """Nothing that compiles, nothing that only few need, and not more modules of shoal than it takes."""
    most, unneeded = MODULES_AT_MOST[script]
    shown = "print(*sys.modules, file=sys.stderr)"
    end = f"\ntry: main()\nfinally: {shown}" if "main" in script else f"\nimport sys; {shown}"
    done = subprocess.run([sys.executable, "-c", script + end], capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    assert not {*HEAVY, *unneeded} & set(loaded)
    assert len([name for name in loaded if name.startswith("shoal")]) <= most


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_the_command_says(name):
    command = loaded(name)
    assert sentence_of(name) == command.help.partition("\n\n")[0].replace("\n", " ")
