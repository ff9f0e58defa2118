from __future__ import annotations

import sys

import pytest

from shoal import NotApplicable
from shoal.graph import attack_graph, make_social, plot_protection, structure_losses, switch_edges


def test_the_picture_says_the_figures(monkeypatch):
    graph = make_social(60, rng=1).graph()
    moved = switch_edges(graph, 0.5, rng=1)
    found, lost = attack_graph(graph, moved), structure_losses(graph, moved)
    left, right = plot_protection(found, lost).axes
    said = [text.get_text() for text in left.texts]
    assert said == [f"{v:.1f}" for row in found.select("before", "after").rows() for v in row]
    assert [text.get_text() for text in right.texts] == [f"{v:.1f}" for v in lost["loss"]]
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(NotApplicable, match="shoal\\[report\\]"):
        plot_protection(found, lost)
