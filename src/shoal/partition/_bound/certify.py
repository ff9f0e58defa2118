"""Proving: a bound by column generation, and the best choice from the groups found on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from shoal.partition._anneal.time_warnings import warn_not_reached
from shoal.partition._bound.close_gap import Proven, close_gap
from shoal.partition.lower_bound import MOST_RECORDS, ascents, file_of, neighbour_bound, safe
from shoal.types import Labels, Matrix

ASCENT = 0.6  # share of the time for the bound; the rest is for the choice


def certify(
    X: Matrix, k: int, known: Sequence[Labels], end: float, stop: Callable[[float, float], bool]
) -> Proven:
    """Labels at least as good as the first ones known, and what no partition can undercut.

    X are prepared records. The groups of all labels known are considered. `stop` is told which part of the
    time is over and the bound; what it has when it says True is returned.
    """
    labels, begin = known[0], time.monotonic()
    bound, reached = neighbour_bound(X, k, end)
    if reached < 1:
        warn_not_reached("best", reached)
    if not 2 * k <= len(X) <= MOST_RECORDS or begin >= end:
        return Proven(labels, bound)
    for ascent in ascents(X, k, known, begin + ASCENT * (end - begin)):
        bound = max(bound, safe(X, ascent.bound))
        if stop((time.monotonic() - begin) / (end - begin), bound):
            return Proven(labels, bound)
    proven = close_gap(file_of(X, k), ascent, labels, end)
    return Proven(proven.labels, max(bound, safe(X, proven.bound)))


def worthwhile(n: int, k: int, seconds: float) -> bool:
    """Is there time enough for prices close to the optimum? Some ten seconds for 1,000 records at k = 3.

    >>> worthwhile(1_000, 3, 60), worthwhile(1_000, 6, 60), worthwhile(100_000, 3, 600)
    (True, False, False)
    """
    return n <= MOST_RECORDS and 8 * (n / 1000) ** 1.5 * 2.0 ** (k - 3) < 0.3 * seconds
