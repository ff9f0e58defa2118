"""The tables of the docs are those of the committed benchmark results."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [p for p in sorted((ROOT / "docs").rglob("*.md")) if "<!-- table: " in p.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_tables_are_made_from_the_results(page):
    text = page.read_text(encoding="utf-8")
    assert runpy.run_path(str(ROOT / "docs" / "make_tables.py"))["filled"](text) == text


def test_a_cell_that_is_not_in_the_results_is_noticed():
    filled = runpy.run_path(str(ROOT / "docs" / "make_tables.py"))["filled"]
    query = "<!-- table: quality/large.csv\nselect max(records) as n from self -->"
    typed = f"{query}\n| n |\n| ---: |\n| 7 |\n<!-- end of table -->"
    assert filled(typed) == typed.replace("| 7 |", "| 1,000,000 |")
