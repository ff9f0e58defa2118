"""Closing the gap: with prices near the optimum few groups can be part of it; the best choice among these."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from shoal.partition._anneal.merge_partitions import merge_partitions
from shoal.partition._bound.column_generation import PROVEN, Ascent, join_pools
from shoal.partition._bound.highs import Groups, groups_of_labels
from shoal.partition._bound.master_problem import dual_prices
from shoal.partition._bound.pricing import Effort, File, OutOfTime, costs_of, groups_below, losses
from shoal.partition._bound.region_choice import improve_regions
from shoal.partition._bound.set_partitioning import choose_groups
from shoal.partition.labels import relabel, sse
from shoal.partition.local_search import local_search
from shoal.types import Labels

CLEAR = 0.5  # a share in the linear programme that is taken for one; no measurement on record
KEPT = 60  # groups listed of every owner and size; no measurement on record
FIRST, FACTOR = 4, 3  # groups per record to choose from: at first, and how many times more in later rounds
NEAR, FARTHER = 0.1, 3.0  # how much more than its members pay a group may cost, as a share: likewise
EFFORT = Effort(500, 200_000)  # groups wanted and nodes searched a round; chosen, not measured
ROUND = 0.4  # share of the time left that a round may take, if another one can follow
LISTING = 0.3  # share of a round for listing groups
PARTS = 0.7  # share of a round for choices in parts of the file


class Proven(NamedTuple):
    """Labels at least as good as those before, and a bound below all partitions."""

    labels: Labels
    bound: float


class Listed(NamedTuple):
    """Groups, those that cost hardly more than their members pay first."""

    groups: Groups
    complete: bool  # is none missing below the gap?
    last: bool  # would looking farther tell no more?


def close_gap(file: File, ascent: Ascent, labels: Labels, end: float) -> Proven:
    """Choose from the groups that may be part of a better partition, more of them in every round.

    A group that costs more than its members pay by more than the gap is in no better partition. If all the
    others could be listed, the best choice among them is the optimum, and proven to be.
    """
    if ascent.bound <= 0 or time.monotonic() >= end:  # no prices, or no time
        return Proven(labels, ascent.bound)
    labels = merge_partitions(file.X, labels, rounded(file, ascent))
    proven, most, near = Proven(labels, ascent.bound), FIRST * len(file.X), NEAR
    while time.monotonic() < end:
        labels, begin, loss = proven.labels, time.monotonic(), sse(file.X, proven.labels)
        if proven.bound >= (1 - 2 * PROVEN) * loss:
            break
        listed = _list_groups(file, ascent, loss, near, begin + ROUND * LISTING * (end - begin))
        last = listed.last and len(listed.groups) <= most
        until = end if last else begin + ROUND * (end - begin)
        soon = time.monotonic() + PARTS * (until - begin)
        labels = improve_regions(file.X, file.k, labels, listed.groups, ascent.prices.triples, soon)
        proven = proven._replace(labels=labels)
        proven = _choose(file, ascent, proven, listed, most, until)
        better = sse(file.X, proven.labels) < loss
        if last and not better:
            break
        most, near = (most, near) if better else (FACTOR * most, FARTHER * near)
    return proven


def rounded(file: File, ascent: Ascent) -> Labels:
    """A partition of the groups that the linear programme clearly prefers; a search groups the others."""
    n, unit = len(file.X), ascent.bound / len(file.X)
    room = 1e3 * np.abs(ascent.prices.records) + unit
    shares = dual_prices(ascent.pool, costs_of(file.X, ascent.pool), ascent.prices, room, unit).shares
    labels = np.full(n, -1, dtype=np.intp)
    for number in np.flatnonzero(shares > CLEAR):
        group = ascent.pool[number]
        if (labels[group[group >= 0]] < 0).all():
            labels[group[group >= 0]] = number
    while 0 < (labels < 0).sum() < file.k:
        labels[labels == labels.max()] = -1
    left = np.flatnonzero(labels < 0)
    if len(left):
        labels[left] = len(ascent.pool) + local_search(file.X[left], file.k)
    return local_search(file.X, file.k, start=relabel(labels))


def _list_groups(file: File, ascent: Ascent, loss: float, near: float, end: float) -> Listed:
    """The groups near the prices that may be part of a partition that costs less than `loss`."""
    gap, sizes = max(loss - ascent.bound, 0.0), list(range(file.k, 2 * file.k))
    limits = np.minimum(gap, near * file.k * np.abs(ascent.prices.records))
    pool, last, complete = ascent.pool, bool((limits == gap).all()), False
    try:
        below = groups_below(file, ascent.prices, limits, EFFORT, sizes, KEPT, end)
        pool, complete = join_pools(pool, below.groups), last and not below.more
    except OutOfTime:
        last = True
    dear = losses(file, ascent.prices, pool)
    pool, dear = pool[dear <= gap], dear[dear <= gap]
    return Listed(pool[np.argsort(dear / costs_of(file.X, pool).clip(1e-300))], complete, last)


def _choose(file: File, ascent: Ascent, known: Proven, listed: Listed, most: int, end: float) -> Proven:
    """The best choice from the first `most` groups and those of the labels known."""
    own, loss = groups_of_labels(known.labels, file.k), sse(file.X, known.labels)
    pool = join_pools(listed.groups[:most], own)
    mine = {group.tobytes() for group in own}
    first = np.array([group.tobytes() in mine for group in pool], dtype=np.float64)
    seconds = max(end - time.monotonic(), 0.0)
    triples = ascent.prices.triples
    choice = choose_groups(pool, costs_of(file.X, pool), triples, len(file.X), first=first, seconds=seconds)
    labels = known.labels
    if choice.labels is not None and sse(file.X, choice.labels) < loss:
        labels, loss = relabel(choice.labels), sse(file.X, choice.labels)
    all_of_them = listed.complete and len(listed.groups) <= most
    proven = (1 - PROVEN) * min(choice.bound, loss)  # HiGHS is about as exact as that
    return Proven(labels, max(known.bound, proven if all_of_them else 0.0))
