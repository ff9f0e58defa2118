"""The README and the docs do what they say: every Python block and every command in them is run."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

from shoal import Promise, check
from shoal.cli import main
from shoal.masking import MASKERS

ROOT = Path(__file__).parent.parent
APART = {"columns", "groups", "missing", "where"}  # options with which k is not that of whole records
MASKERS_BY_NAME = {masker.__name__ for masker in MASKERS}
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    pattern = re.compile(rf"^```{language}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return pattern.findall(page.read_text(encoding="utf-8"))


def steps(page: Path) -> list[tuple[str, str]]:
    """The blocks of a page that run, in the order of the page, each with its language."""
    pattern = re.compile(r"^```(python|console)\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return pattern.findall(page.read_text(encoding="utf-8"))


def promised_in(block: str) -> list[tuple[str, int]]:
    """Tables that a block makes by a masker with a k for whole records, and that k."""
    found = []
    for node in ast.walk(ast.parse(block)):
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
            continue
        called = node.value.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        options = {keyword.arg: keyword.value for keyword in node.value.keywords}
        whole = (
            not {"columns", "groups", "missing", "where"} & options.keys() and name != "individual_ranking"
        )
        if name in MASKERS_BY_NAME and whole and isinstance(options.get("k"), ast.Constant):
            found += [
                (target.id, options["k"].value) for target in node.targets if isinstance(target, ast.Name)
            ]
    return found


def run(command: str, monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", shlex.split(command))
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code, command


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
@pytest.mark.parametrize("page", [p for p in PAGES if steps(p)], ids=lambda p: p.stem)
def test_a_page_runs_in_order(page, tmp_path, monkeypatch, capsys):
    """Python and commands of a page share one folder, as they do for a reader."""
    monkeypatch.chdir(tmp_path)
    commands = blocks(page, "console")
    if commands:
        run("shoal demo", monkeypatch)
    names: dict[str, object] = {}
    for language, block in steps(page):
        if language == "python":
            run_block(page, block, names)
        else:
            for line in block.splitlines():
                run(line, monkeypatch)
    if commands:
        out = capsys.readouterr().out
        assert "reached" in out
        for shown in re.findall(r"^    (Recommended: .*)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert shown in out


def run_block(page: Path, block: str, names: dict[str, object]) -> None:
    exec(compile(block, page.name, "exec"), names)
    for table, k in promised_in(block):
        verdict = check(names[table], Promise(k=k))
        assert verdict.kept, f"{page.name}: {table} says k = {k}, but reaches {verdict.reached}"


def test_promises_are_found_in_the_readme():
    assert promised_in("".join(blocks(ROOT / "README.md", "python"))) == [("masked", 5)]


def test_the_readme_has_its_promised_parts():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text
    for language in ("python", "console"):
        (example,) = blocks(ROOT / "README.md", language)
        assert len([line for line in example.splitlines() if line.strip()]) == 5, language
    assert text.count("![") == 1, "one picture"
    assert text.index("## ") > text.index("![") > 0, "the picture comes first"
    for target in re.findall(r"\]\((docs/[^)]+)\)", text):
        assert (ROOT / target).exists(), target


def test_the_picture_is_made_by_its_script(tmp_path):
    pytest.importorskip("matplotlib", reason="the picture needs the extra `report`")
    import runpy

    runpy.run_path(str(ROOT / "docs" / "make_picture.py"))["draw"](tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000


def test_no_path_or_seed_of_a_machine_in_the_pages():
    for page in PAGES:
        assert not re.search(r"/(root|home|work)/", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "methods").glob("*.md")), ids=lambda p: p.stem)
def test_a_method_is_explained_in_five_hundred_words(page):
    """Code and tables do not count; what was measured has pages of its own."""
    prose = re.sub(
        r"^```.*?^```|<!--.*?-->", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    words = [word for line in prose.splitlines() if not line.startswith("|") for word in line.split()]
    assert len(words) <= 500, f"{page.name} has {len(words)} words"


MEASURED = re.compile(
    r"\d (seconds|ms\b|milliseconds|minutes|MB|GB)|\d+\.\d+ ?(%|percent)|\|[^|]*\d\.\d+[^|]*\|[^|]*\d\.\d+"
)


@pytest.mark.parametrize(
    "page",
    [p for room in ("methods", "benchmarks") for p in sorted((ROOT / "docs" / room).glob("*.md"))],
    ids=lambda p: f"{p.parent.name}/{p.stem}",
)
def test_what_was_measured_comes_from_a_file(page):
    """Seconds, memory and rows of figures stand between the marks of `docs/make_tables.py`, or nowhere."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!-- table: .*?<!-- end of table -->", "", text, flags=re.DOTALL)
    assert not [line for line in text.splitlines() if MEASURED.search(re.sub(r"`[^`]*`", "", line))]


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs" / "benchmarks").glob("[!i]*.md")), ids=lambda p: p.stem
)
def test_a_benchmark_names_its_command(page):
    """Machine and date are on the page of the index; the script that writes the csv is on each."""
    scripts = re.findall(r"`(benchmarks/\w+/\w+\.py)`", page.read_text(encoding="utf-8"))
    assert scripts
    assert all((ROOT / script).exists() for script in scripts)
