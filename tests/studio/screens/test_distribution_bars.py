"""Bars: before and after, side by side inside the drawing."""

from __future__ import annotations

from shoal.studio.screens.distribution_bars import HIGH, WIDE, bars, highest


def test_bars_stand_inside_and_side_by_side():
    shape = {"type": "numbers", "edges": [0.0, 1.0, 2.0], "before": [40.0, 60.0], "after": [100.0, 0.0]}
    drawn = bars(shape)
    assert [bar["label"] for bar in drawn["bars"]] == ["0 – 1", "1 – 2"]
    for bar in drawn["bars"]:
        assert 0 <= bar["x"] < bar["x2"] <= WIDE
        assert 0 <= bar["h"] <= HIGH
        assert 0 <= bar["h2"] <= HIGH
    assert drawn["bars"][0]["h2"] == HIGH
    assert bars(None) is None


def test_drawings_with_one_scale_have_bars_of_one_height():
    low = {"type": "categories", "labels": ["a", "b"], "before": [50.0, 50.0], "after": [50.0, 50.0]}
    high = low | {"after": [100.0, 0.0]}
    tallest = max(highest(low), highest(high))
    assert bars(low)["bars"][0]["h"] == HIGH
    assert bars(low, tallest)["bars"][0]["h"] == bars(high, tallest)["bars"][0]["h"] == HIGH / 2
