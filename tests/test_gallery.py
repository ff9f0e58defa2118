"""The examples of the gallery run, draw, and show every picture that there is."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import shoal.graph
import shoal.report

matplotlib = pytest.importorskip("matplotlib", reason="pictures need the extra `report`")
EXAMPLES = sorted((Path(__file__).parent.parent / "docs" / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_draws(example):
    from matplotlib.figure import Figure

    names = runpy.run_path(str(example))
    assert any(isinstance(value, Figure) for value in names.values())


def test_every_picture_has_an_example():
    text = "".join(example.read_text(encoding="utf-8") for example in EXAMPLES)
    drawn = [name for name in (*shoal.report.__all__, *shoal.graph.__all__) if name.startswith("plot_")]
    assert [name for name in drawn if f"{name}(" not in text] == []
