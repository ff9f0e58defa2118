"""The tutorial on Adult does what it says; it needs the reference file, so it is run by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shoal.measures import anonymity_level

PAGE = Path(__file__).parent.parent / "docs" / "tutorial-adult.md"


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_every_block_runs_and_the_figures_are_those_of_the_page(reference, capsys):
    reference("adult_arx")
    text = PAGE.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for block in re.findall(r"^```py\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        exec(compile(block, PAGE.name, "exec"), names)
    printed = capsys.readouterr().out
    assert "1 2955" in printed
    assert "2,955 of 3,017" in text
    for name, masked in names["files"].items():
        assert anonymity_level(masked) >= 5
        found = [float(figure) for figure in re.search(rf"^{name} (.*)$", printed, re.MULTILINE)[1].split()]
        row = re.search(rf"^\| {name} \|(.*)\|$", text, re.MULTILINE)[1].split("|")
        shown = [float(cell.strip(" %")) for cell in row[:3]]
        assert found == pytest.approx(shown, abs=0.51)
