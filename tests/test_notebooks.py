"""The notebooks of the docs: run again from their first cell, they show what is kept in them.

Where a method has changed what they show, run `make notebooks` and read them again.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="the extra `test` is not installed")
pytest.importorskip("nbclient", reason="the extra `test` is not installed")
pytest.importorskip("ipykernel", reason="the extra `test` is not installed")

DOCS = Path(__file__).parent.parent / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
NUMBER = r"[-+]?\d+(?:\.\d+)?"


def shown(notebook) -> list[tuple[str, list[float], bool]]:
    """What every cell shows: its words, its numbers, and whether there is a picture."""
    cells = []
    for cell in notebook.cells:
        texts, picture = "", False
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            picture = picture or "image/png" in data
            texts += output.get("text", "") or data.get("text/html", "") or data.get("text/plain", "")
        words = " ".join(re.sub(NUMBER, "#", texts).split())
        cells.append((words, [float(number) for number in re.findall(NUMBER, texts)], picture))
    return cells


def test_there_is_one_for_every_part_of_the_mission():
    names = {path.stem for path in NOTEBOOKS}
    assert names == {"attribute-groups", "business-amounts", "categories-pram", "evolution", "networks"}


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_kept_in_it(path, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need the extra `report`")
    made = runpy.run_path(str(DOCS / "make_notebooks.py"))
    before = shown(nbformat.read(path, as_version=4))
    after = shown(made["kept"](made["executed"](path, tmp_path)))
    for (words, numbers, picture), (said, figures, drawn) in zip(before, after, strict=True):
        assert said == words
        assert drawn == picture
        assert figures == pytest.approx(numbers, rel=0.05, abs=1.0)  # other versions round otherwise


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_whole_and_tells_nothing_of_a_machine(path):
    text = path.read_text(encoding="utf-8")
    assert len(text) < 400_000  # bytes: a picture of many panels is 200,000
    assert not re.search(r"/(root|home|work|tmp)/|Traceback", text)
    cells = nbformat.read(path, as_version=4).cells
    assert cells[0].source.startswith("# Notebook: ")
    assert all(cell.execution_count for cell in cells if cell.cell_type == "code")
    assert any("image/png" in o.get("data", {}) for cell in cells for o in cell.get("outputs", []))
