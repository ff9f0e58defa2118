"""Pages of docs/papers are what the csv files say, what is marked exact is exact, quick items still hold."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from shoal.datasets import list_datasets

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "benchmarks" / "papers"
SOURCES = ("000", "001", "002", "003", "004")
pytest.importorskip("matplotlib", reason="the pages have pictures, which need the extra `report`")


@pytest.fixture(scope="module")
def make():
    """The scripts, which are no package."""
    sys.path.insert(0, str(SCRIPTS))
    try:
        yield importlib.import_module("make")
    finally:
        sys.path.remove(str(SCRIPTS))


@pytest.mark.parametrize("key", SOURCES)
def test_pages_are_what_the_csv_files_say(make, key):
    page = ROOT / "docs" / "papers" / f"{key}.md"
    assert page.read_text(encoding="utf-8") == make.page(key), f"run benchmarks/papers/make.py --pages {key}"


@pytest.mark.parametrize("key", SOURCES)
def test_what_is_marked_exact_is_exact(make, key):
    printed = make.published(key)
    for item, cells in make.read_here(key).items():
        for cell in cells:
            if cell.exact:
                known = printed[item, cell.name]
                assert abs(cell.value - float(known)) <= 1.000001 * make.tolerance(known), (item, cell)


@pytest.mark.parametrize("key", SOURCES)
def test_every_item_has_figures_and_every_published_figure_has_ours(make, key):
    found = make.read_here(key)
    keys = [item.key for item in make.source(key).items]
    assert len(keys) == len(set(keys))
    assert set(found) <= set(keys)
    assert set(make.published(key)) <= {(item, cell.name) for item, cells in found.items() for cell in cells}
    for item in make.source(key).items:
        assert found.get(item.key) or item.draw, f"{item.key} has neither figures nor a picture"


@pytest.mark.parametrize("key", SOURCES)
def test_every_picture_of_a_page_is_there(key):
    page = (ROOT / "docs" / "papers" / f"{key}.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\((pictures/[^)]+)\)", page):
        assert (ROOT / "docs" / "papers" / target).exists(), target


@pytest.mark.parametrize("key", SOURCES)
def test_quick_items_still_give_the_same(make, key):
    quick = [item for item in make.source(key).items if item.quick]
    absent = not any(info.name == "census" and info.found for info in list_datasets())
    if not quick:
        pytest.skip("this source has no item that takes seconds only")
    if absent and key != "000":
        pytest.skip("reference file census is not here (set SHOAL_DATA to the folder of reference files)")
    for item in quick:
        assert make.wrong(key, item, make.run(key, item)[0]) == []


def test_items_are_found_by_their_names(make):
    assert [item.key for _, item in make.chosen(["000/7"])] == ["table 7"]
    assert [item.key for _, item in make.chosen(["000/figure-3"])] == ["figure 3"]
    assert {key for key, _ in make.chosen(["004", "--quick"])} == {"004"}
