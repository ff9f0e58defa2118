"""Column generation: prices per record whose sum no partition can undercut, raised step by step."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import NamedTuple

import numpy as np

from shoal.partition._bound.highs import Groups
from shoal.partition._bound.master_problem import Duals, dual_prices
from shoal.partition._bound.pricing import (
    Effort,
    File,
    OutOfTime,
    Priced,
    Prices,
    costs_of,
    price_all,
    without_fees,
)
from shoal.partition._bound.subset_row_cuts import find_triples

STEPS = 150  # of the first, coarse ascent; no measurement on record
NARROW, WIDEST = 0.3, 1e3  # of a price: a box that keeps steps short, and one that holds nothing back
CLOSE = 2e-4  # share of the bound that is not worth another step; no measurement on record
PROVEN = 1e-6  # of the loss of the best partition known: a gap like this is none
NEARLY = 0.1  # share of the gap that is not worth another step as long as there are rules left to add
TRIES = 4  # between the best prices and the dual prices; no measurement on record
SMALL_SHARE = 0.01  # share of the groups known; no measurement on record


class Ascent(NamedTuple):
    """Where an ascent has arrived: the best prices so far, and the groups found."""

    prices: Prices
    pool: Groups
    effort: Effort

    @property
    def bound(self) -> float:
        return self.prices.sum()

    def after(self, priced: Priced, worth: float) -> Ascent:
        """With better prices, and with the groups found unless the prices were a bad guess."""
        better = priced.bound > self.bound
        pool = join_pools(self.pool, priced.groups) if priced.bound > worth else self.pool
        return self._replace(prices=priced.lowered if better else self.prices, pool=pool)


def ascend(file: File, upper: float, pool: Groups, end: float) -> Iterator[Ascent]:
    """Better and better bounds, until they hardly grow; `upper` is what some partition costs.

    Subgradient steps first, then linear programmes; whenever these are nearly solved, rules for triples that
    the shares of groups break are added.
    """
    now = Ascent(without_fees(file.safe), pool, Effort(min(60, len(file.X)), 1_000))
    yield now
    try:
        now = yield from _coarse_ascent(file, upper, now, end)
        if now.bound > 0:
            yield from _fine_ascent(file, upper, now, end)
    except OutOfTime:
        return


def _coarse_ascent(file: File, upper: float, now: Ascent, end: float) -> Generator[Ascent, None, Ascent]:
    """Subgradient steps: who is in several groups pays less, who is in none pays more."""
    start = prices = file.safe
    step, worse, direction = 1.0, 0, np.zeros(len(prices))
    for _ in range(STEPS):
        if step < 0.02 or time.monotonic() > end or len(file.X) == 0:
            break
        priced = price_all(file, without_fees(prices), now.effort, end)
        worse = worse + 1
        if priced.bound > now.bound:
            start, worse = prices, 0
        now = now.after(priced, 0.8 * now.bound)
        yield now
        if worse == 8:
            step, worse, prices, direction = 0.7 * step, 0, start, np.zeros(len(prices))
            continue
        wanted = 1.0 - np.bincount(priced.groups[priced.groups >= 0], minlength=len(prices))
        direction = 0.7 * direction + 0.3 * wanted
        length = step * (upper - priced.bound) / max(float(((start * direction) ** 2).sum()), 1e-300)
        room = 0.1 * step * np.abs(prices)
        prices = prices + np.clip(length * start**2 * direction, -room, room)
    return now


def _fine_ascent(file: File, upper: float, now: Ascent, end: float) -> Iterator[Ascent]:
    """Linear programmes over the groups found, in a box around the best prices; in-out steps."""
    unit, keep, width = now.bound / len(file.X), 0.5, NARROW
    while time.monotonic() < end and now.bound < (1 - PROVEN) * upper:
        begin, before = time.monotonic(), now
        room = width * np.abs(now.prices.records) + 0.02 * unit
        duals = dual_prices(now.pool, costs_of(file.X, now.pool), now.prices, room, unit)
        now, tries, unsure = _step(file, now, duals, keep, end)
        yield now
        keep = max(0.0, keep - 0.1) if tries == 1 else min(0.9, keep + 0.1)
        took, new = time.monotonic() - begin, len(now.pool) - len(before.pool)
        stuck = new == 0 and now.bound - before.bound < 0.1 * CLOSE * now.bound
        if unsure and (new < SMALL_SHARE * len(before.pool) or unsure > len(file.X) // 20):
            if 3 * took < 0.2 * (end - time.monotonic()):
                now, stuck = now._replace(effort=now.effort.more()), False
        elif stuck and duals.held > 0.01:
            width, stuck = 2 * width, width > WIDEST
        left = duals.total - now.bound if duals.held < 0.01 else np.inf
        if not stuck and left > max(CLOSE * duals.total, NEARLY * (upper - duals.total)):
            continue
        if not now.prices.fees.any():
            file = file._replace(safe=now.prices.records)
        triples = find_triples(before.pool, duals.shares, now.prices.triples, len(file.X))
        if len(triples) > 0:
            now, width = now._replace(prices=now.prices.with_triples(triples)), NARROW
        elif stuck or left < CLOSE * duals.total:
            return


def _step(file: File, now: Ascent, duals: Duals, keep: float, end: float) -> tuple[Ascent, int, int]:
    """Price between the best prices and the dual prices, ever closer to the best, until that is better.

    Returns also how many tries it took and how many owners the last one left unsure.
    """
    better, tries = False, 0
    while not better and tries < TRIES:
        priced = price_all(file, duals.prices.towards(now.prices, keep), now.effort, end)
        better, tries = priced.bound > now.bound, tries + 1
        now, keep = now.after(priced, -np.inf), (1 + keep) / 2
    return now, tries, priced.open


def join_pools(pool: Groups, groups: Groups) -> Groups:
    """All different groups.

    >>> join_pools(np.array([[-1, 0, 1]]), np.array([[1, 0, -1], [2, 0, 1]])).tolist()
    [[-1, 0, 1], [0, 1, 2]]
    """
    return np.unique(np.concatenate([pool, np.sort(groups, axis=1)]), axis=0) if len(groups) else pool
