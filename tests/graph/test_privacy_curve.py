from __future__ import annotations

from shoal.graph import make_social, privacy_curve


def test_the_curve_begins_at_the_original_and_trades_risk_for_loss():
    curve = privacy_curve(make_social(200, rng=1).graph(), shares=[0, 0.1, 0.8], rng=1)
    assert curve.columns[:2] == ["share", "found"]
    assert curve.row(0)[2:] == (0.0,) * 6
    assert curve["found"].is_sorted(descending=True)
    assert curve["connections"].is_sorted()
