"""Settling: with prices close to the optimum few groups can be part of it; the best choice among them."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from shoal.partition.choose import choose_groups
from shoal.partition.columns import Ascent, joined
from shoal.partition.labels import sse
from shoal.partition.pricing import Effort, File, OutOfTime, costs_of, groups_below, losses
from shoal.partition.programme import Groups, groups_of_labels
from shoal.types import Labels

KEPT = 60  # groups listed of every owner and size
FIRST, FACTOR = 4, 3  # groups per record to choose from: at first, and how many times more in later rounds
EFFORT = Effort(500, 200_000)
ROUND = 0.4  # share of the time left that a round may take, if another one can follow
LISTING = 0.5  # share of a round for listing groups


class Settled(NamedTuple):
    """Labels at least as good as those before, and a bound below all partitions."""

    labels: Labels
    bound: float


class Listed(NamedTuple):
    """Groups, those that cost least beyond what their members pay first; are these all below the gap?"""

    groups: Groups
    complete: bool


def settle(file: File, ascent: Ascent, labels: Labels, end: float) -> Settled:
    """Choose from the groups that may be part of a better partition, more of them in every round.

    A group that costs more than its members pay by more than the gap is in no better partition. If all the
    others could be listed, the best choice among them is the optimum, and proven to be.
    """
    most, settled = FIRST * len(file.X), Settled(labels, ascent.bound)
    while time.monotonic() < end:
        begin, before = time.monotonic(), sse(file.X, settled.labels)
        listed = _list_groups(file, ascent, before, begin + ROUND * LISTING * (end - begin))
        last = len(listed.groups) <= most
        settled = _choose(file, ascent, settled, listed, most, end if last else begin + ROUND * (end - begin))
        loss = sse(file.X, settled.labels)
        if last or settled.bound >= (1 - 1e-9) * loss:
            break
        most *= 1 if loss < before else FACTOR
    return settled


def _list_groups(file: File, ascent: Ascent, loss: float, end: float) -> Listed:
    """The groups that may be part of a partition that costs less than `loss`."""
    gap, sizes = max(loss - ascent.bound, 0.0), list(range(file.k, 2 * file.k))
    try:
        below = groups_below(file, ascent.prices, np.full(len(file.X), gap), EFFORT, sizes, KEPT, end)
        pool, complete = joined(ascent.pool, below.groups), not below.more
    except OutOfTime:
        pool, complete = ascent.pool, False
    dear = losses(file, ascent.prices, pool)
    return Listed(pool[np.argsort(dear, kind="stable")[: (dear <= gap).sum()]], complete)


def _choose(file: File, ascent: Ascent, known: Settled, listed: Listed, most: int, end: float) -> Settled:
    """The best choice from the first `most` groups and those of the labels known."""
    own, loss = groups_of_labels(known.labels, file.k), sse(file.X, known.labels)
    pool = joined(listed.groups[:most], own)
    mine = {group.tobytes() for group in own}
    first = np.array([group.tobytes() in mine for group in pool], dtype=np.float64)
    seconds = max(end - time.monotonic(), 0.0)
    threes = ascent.prices.threes
    choice = choose_groups(pool, costs_of(file.X, pool), threes, len(file.X), first=first, seconds=seconds)
    labels = known.labels
    if choice.labels is not None and sse(file.X, choice.labels) < loss:
        labels, loss = choice.labels, sse(file.X, choice.labels)
    all_of_them = listed.complete and len(listed.groups) <= most
    return Settled(labels, max(known.bound, min(choice.bound, loss) if all_of_them else 0.0))
