"""The map of loss and risk."""

from __future__ import annotations

import pytest

from report.files import facts, tried
from shoal import InvalidInput, NotApplicable, explore
from shoal.datasets import load_sme
from shoal.report import (
    plot_trade_off,
)

pytest.importorskip("matplotlib", reason="pictures need the extra `report`")


def test_the_map_marks_the_front_and_the_chosen():
    figure = plot_trade_off(tried(), chosen="mdav, k = 4", risk=30)
    axis = figure.axes[0]
    front = [(c.loss, c.risk) for c in tried().front]
    assert [tuple(point) for point in axis.lines[0].get_xydata()] == front
    legend = [text.get_text() for text in axis.get_legend().get_texts()]
    assert legend == ["mdav", "rank_swap", "chosen", "risk limit 30"]
    from_facts = plot_trade_off(facts()["exploration"])
    assert [tuple(point) for point in from_facts.axes[0].lines[0].get_xydata()] == front
    with pytest.raises(InvalidInput, match="must be what explore"):
        plot_trade_off("found")
    failed = explore(load_sme(), {"mdav": {"k": [99]}})
    with pytest.raises(NotApplicable, match="No candidate"):
        plot_trade_off(failed)
