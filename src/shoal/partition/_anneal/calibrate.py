"""A pilot: cool quickly from very hot to very cold, and see at which temperatures the loss is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.types import Matrix

HOTTEST, COLDEST = 10.0, 0.03  # in units of `Nearby.warmth`
FEWEST = 10  # temperatures that tell something
BEGUN, OVER = 0.75, 0.99  # shares of the whole fall of the loss
WIDER = 2.0, 0.7  # hotter, to forget the start; and a slow search is over a little later than a quick one


class Heats(NamedTuple):
    """The temperatures between which a search cools down, and where it begins if it shall not forget all."""

    hot: float = 1.0
    cold: float = 0.1

    @property
    def mild(self) -> float:
        return float((self.hot * self.cold) ** 0.5)


def pilot_heat(fraction: float) -> float:
    """The temperature after this share of the pilot.

    >>> pilot_heat(0.0), round(pilot_heat(1.0), 6)
    (10.0, 0.03)
    """
    return float(HOTTEST * (COLDEST / HOTTEST) ** fraction)


def heats_from(heats: Sequence[float], losses: Sequence[float]) -> Heats:
    """From losses, each after a descent from a temperature: most of the fall is between these two.

    >>> found = heats_from(np.geomspace(8, 0.25, 11), [9, 9, 9, 8, 7, 4, 2.5, 2, 1, 1, 1])
    >>> round(found.hot, 2), round(found.cold, 2)
    (2.83, 0.35)
    """
    smooth = _medians(losses)
    if len(heats) < FEWEST or smooth.max() <= smooth[-1]:
        return Heats()
    fallen = (smooth.max() - smooth) / (smooth.max() - smooth[-1])
    begun = np.flatnonzero(fallen < BEGUN)[-1]
    over = np.flatnonzero(fallen < OVER)[-1] + 1
    return Heats(float(heats[begun] * WIDER[0]), float(heats[over] * WIDER[1]))


def _medians(losses: Sequence[float]) -> Matrix:
    """Of every loss and the ones before and after it: luck makes single ones jump.

    >>> _medians([3.0, 9.0, 2.0, 1.0])
    array([3., 3., 2., 1.])
    """
    ends = np.concatenate([losses[:1], losses, losses[-1:]])
    medians: Matrix = np.median([ends[:-2], ends[1:-1], ends[2:]], axis=0)
    return medians
