"""The package as others get it: one version, extras in use, a wheel and an sdist that install clean."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from functools import cache
from pathlib import Path

import pytest

import shoal

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {
    name: deps
    for name, deps in PROJECT["optional-dependencies"].items()
    if name not in ("dev", "test", "docs")
}
# What a distribution is imported as, where that is not its own name.
IMPORTED = {
    "scikit-learn": "sklearn",
    "odfpy": "odf",
    "adbc-driver-postgresql": "adbc_driver_postgresql",
    "adbc-driver-sqlite": "adbc_driver_sqlite",
    "dask[dataframe]": "dask",
}


@cache
def modules_in_code() -> set[str]:
    """Every module that a file of shoal imports, by statement or by a text with its name."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(str(node.module).partition(".")[0])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value.partition(".")[0])
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_installs_what_code_uses(extra):
    used = modules_in_code() | {"pyarrow"}  # the databases hand their records over by it
    for requirement in EXTRAS[extra]:
        name = re.split(r"[<>=!~;]", requirement)[0].strip()
        if name.startswith("shoal["):
            continue
        assert IMPORTED.get(name, name.replace("-", "_")) in used, f"{extra} installs {name} in vain"


def test_every_dependency_has_a_lower_bound():
    for requirement in [*PROJECT["dependencies"], *(r for deps in EXTRAS.values() for r in deps)]:
        assert ">=" in requirement or requirement.startswith("shoal["), requirement


def test_there_is_one_version_number():
    assert "version" in PROJECT["dynamic"]
    assert "version" not in PROJECT
    for page in ("CITATION.cff", "docs/index.md", "README.md"):
        assert shoal.__version__ not in (ROOT / page).read_text(encoding="utf-8")


def test_the_papers_of_a_project_are_there():
    for name in (
        "CITATION.cff",
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "LICENSE",
    ):
        assert (ROOT / name).stat().st_size > 300


def test_the_workflow_calls_make():
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert "run: make test\n" in text
    assert "run: make test-lowest\n" in text
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^test:", make, re.MULTILINE)
    assert re.search(r"^test-lowest:", make, re.MULTILINE)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel and the sdist, built with what is installed here: nothing is fetched."""
    pytest.importorskip("build", reason="the extra `test` is not installed")
    pytest.importorskip("hatchling", reason="the extra `test` is not installed")
    folder = tmp_path_factory.mktemp("dist")
    call = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(call, check=True, capture_output=True, timeout=300)
    return folder


@pytest.mark.slow
def test_what_is_in_the_wheel_and_the_sdist(built):
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    assert wheel.name.startswith(f"shoal-{shoal.__version__}-py3-none-any")
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name for name in names if name.startswith("shoal/")}
    sources = {p.relative_to(ROOT / "src").as_posix() for p in (ROOT / "src").rglob("*.py")}
    assert sources <= inside
    assert "shoal/py.typed" in inside
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests/")]
    with tarfile.open(sdist) as packed:
        kept = {name.partition("/")[2] for name in packed.getnames()}
    assert {"README.md", "LICENSE", "CHANGELOG.md", "Makefile", "tests/conftest.py"} <= kept
    assert not [name for name in kept if name.endswith(".whl") or name.startswith((".git/", ".venv"))]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["*.whl", "*.tar.gz"])
def test_it_installs_clean_and_works(built, tmp_path, pattern):
    """In an environment that sees the dependencies of this one, but no shoal besides the one installed."""
    (package,) = built.glob(pattern)
    place = tmp_path / "env"
    venv.create(place, with_pip=False)
    bin_folder = place / ("Scripts" if sys.platform == "win32" else "bin")
    python = bin_folder / ("python.exe" if sys.platform == "win32" else "python")
    target = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    call = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet"]
    build = ["--no-build-isolation"] if pattern == "*.tar.gz" else []
    here = [path for path in sys.path if "site-packages" in path]
    Path(target, "borrowed.pth").write_text("\n".join(here))
    subprocess.run(
        [*call, "--ignore-installed", *build, package], check=True, capture_output=True, timeout=300
    )
    program = "import shoal; print(shoal.__file__); print(shoal.__version__)"
    clean = {"PYTHONPATH": "", "PATH": str(bin_folder)}
    how = {"check": True, "capture_output": True, "text": True, "cwd": tmp_path, "env": clean}
    where, version = subprocess.run([python, "-c", program], **how).stdout.split()
    assert Path(where).is_relative_to(place)
    assert version == shoal.__version__
    said = subprocess.run([bin_folder / "shoal", "--version"], **how).stdout
    assert said.strip() == shoal.__version__
