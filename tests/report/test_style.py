"""One look for every picture."""

from __future__ import annotations

import sys

import pytest

from report.files import facts
from shoal import InvalidInput
from shoal.report import (
    plot_distribution,
    plot_groups,
)
from shoal.report.style import BLUE, GREEN, GREY, ORANGE, STYLE, as_svg, label

matplotlib = pytest.importorskip("matplotlib", reason="pictures need the extra `report`")


def test_one_look_whatever_the_notebook_is_set_to():
    with matplotlib.rc_context({"axes.spines.top": True, "font.size": 30}):
        figure = plot_groups(facts())
        assert not figure.axes[0].spines["top"].get_visible()
        assert matplotlib.rcParams["font.size"] == 30, "and the notebook keeps its own"
    text = STYLE.read_text(encoding="utf-8")
    assert all(colour.strip("#") in text for colour in (BLUE, ORANGE, GREEN))
    assert GREY.startswith("#")


def test_svg_takes_the_colours_of_the_page():
    text = as_svg(plot_groups(facts()), "p1")
    assert "var(--blue)" in text
    assert BLUE.lower() not in text.lower()
    assert 'id="p1-' in text
    assert "<metadata" not in text
    assert text == as_svg(plot_groups(facts()), "p1"), "the same every time"


def test_labels_are_never_formulas():
    assert label("") == " "
    assert label("a\nb\x00") == "a b?"
    variable = {"name": "$x", "label": "$\\frac{$", "distribution": {"type": "categories", "labels": ["$a$"]}}
    variable["distribution"] |= {"before": [100.0], "after": [100.0]}
    assert "$a$" in as_svg(plot_distribution(variable), "p").replace("&#36;", "$")


def test_without_matplotlib_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InvalidInput, match="need matplotlib"):
        plot_groups(facts())
