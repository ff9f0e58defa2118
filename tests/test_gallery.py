"""The gallery of the docs is made by its script, and shows what the script makes."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="pictures need the extra `report`")
DOCS = Path(__file__).parent.parent / "docs"


def test_the_script_makes_the_pictures_of_the_page(tmp_path):
    written = runpy.run_path(str(DOCS / "make_gallery.py"))["draw"](tmp_path, n=200)
    assert min(path.stat().st_size for path in written) > 3000
    shown = re.findall(r"\(pictures/([^)]+)\)", (DOCS / "gallery.md").read_text(encoding="utf-8"))
    assert {path.name for path in written} | {"before-after.png"} == set(shown)
    assert all((DOCS / "pictures" / name).exists() for name in shown)
