from __future__ import annotations

import numpy as np
import pytest

from shoal.partition._anneal.calibrate import FEWEST, Heats, heats_from


def test_the_range_is_where_the_loss_falls():
    heats = np.geomspace(10.0, 0.03, 40)
    losses = 1.0 + 1.0 / (1.0 + (0.6 / heats) ** 4)  # half of the fall is at 0.6
    found = heats_from(heats, losses)
    assert 0.05 < found.cold < 0.2 < found.mild < found.hot < 1.2


def test_a_lucky_descent_from_hot_does_not_mislead():
    heats = np.geomspace(10.0, 0.03, 40)
    losses = 1.0 + 1.0 / (1.0 + (0.6 / heats) ** 4)
    unlucky = losses.copy()
    unlucky[3] = 1.0
    assert heats_from(heats, unlucky) == heats_from(heats, losses)


@pytest.mark.parametrize("losses", [[1.0] * FEWEST, [2.0] * (FEWEST - 1), [], list(range(FEWEST))])
def test_a_pilot_that_saw_nothing_falls_back_on_the_usual(losses):
    assert heats_from(np.geomspace(9.0, 0.1, len(losses)) if losses else [], losses) == Heats()
