"""Column generation: prices per record whose sum no partition can undercut, raised step by step.

If no group of k records costs less than its members pay, then no larger group does: a group of m records
costs at least k (m-1) / (m (k-1)) times what its members pay, the mean over all k of them. So only groups of
k records have to be priced. Whatever is not proven is taken off the price of the record that owns the group:
every step gives a valid bound.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.threads import useful_threads
from shoal.partition.master import fair_prices
from shoal.types import Matrix

SPARE = 1e-5  # of a price: groups that gain less are not looked for
MOST_CANDIDATES = 2_000
STEPS = 150  # of the first, coarse ascent
WIDEST = 1e3  # of a price: a box that holds nothing back
CLOSE = 2e-4  # share of the bound that is not worth another step


class File(NamedTuple):
    """Records and what their k-2 and k-1 nearest others add up to."""

    X: Matrix
    k: int
    least: Matrix
    prices: Matrix  # those of the neighbour bound


class Effort(NamedTuple):
    """How many candidates and branches a search may look at."""

    most: int
    nodes: int

    def more(self) -> Effort:
        return Effort(min(self.most * 6 // 5, MOST_CANDIDATES), min(self.nodes * 3 // 2, 10**9))


class Priced(NamedTuple):
    """Lowered prices, whose sum is a bound, and groups that would have paid more than they cost."""

    bound: float
    lowered: Matrix  # where a group may gain, its owner pays less
    groups: NDArray[np.int32]
    open: int  # owners whose groups were not all looked at


def price_all(file: File, prices: Matrix, effort: Effort) -> Priced:
    """Look for groups that cost less than their members pay, and lower the prices of their owners."""
    from shoal._kernels.price import Market, count_candidates, price

    n = len(prices)
    limits = -SPARE * np.abs(prices) - 1e-12 * np.abs(prices).mean()
    counts = np.empty(n, dtype=np.intp)
    count_candidates(Market(file.X, np.ascontiguousarray(prices), file.least, file.k), limits, counts)
    order = np.argsort(counts, kind="stable")  # who has many candidates comes last, when few of them are left
    market = Market(file.X[order], prices[order], file.least[order], file.k)
    groups, costs = np.zeros((n, file.k), dtype=np.int32), np.empty((n, 2))
    limits = limits[order]
    threads = useful_threads(n * file.X.size)
    with ThreadPoolExecutor(threads) as pool:
        shares = [np.arange(n)[first::threads] for first in range(threads)]
        calls = [pool.submit(price, market, share, limits, *effort, groups, costs) for share in shares]
    for call in calls:
        call.result()
    found = np.isfinite(costs[:, 0])
    unsure = int((costs[:, 1] < np.minimum(limits, costs[:, 0])).sum())
    lowered = prices.copy()
    lowered[order] += costs[:, 1]
    return Priced(float(lowered.sum()), lowered, order[groups[found]].astype(np.int32), unsure)


def ascend(file: File, upper: float, end: float) -> Iterator[float]:
    """Better and better bounds, until they hardly grow; `upper` is what some partition costs."""
    effort = Effort(min(60, len(file.X)), 1_000)
    best, prices, pool = float(file.prices.sum()), file.prices, np.empty((0, file.k), dtype=np.int32)
    for bound, point, groups in _coarse_ascent(file, upper, effort, end):
        if bound > best:
            best, prices = bound, point
        pool = _join(pool, groups)
        yield best
    yield from _fine_ascent(file, best, prices, pool, effort, end)


def _coarse_ascent(
    file: File, upper: float, effort: Effort, end: float
) -> Iterator[tuple[float, Matrix, NDArray[np.int32]]]:
    """Subgradient steps: who is in several groups pays less, who is in none pays more."""
    best, start, prices = float(file.prices.sum()), file.prices, file.prices
    step, worse, direction = 1.0, 0, np.zeros(len(prices))
    for _ in range(STEPS):
        if step < 0.02 or time.monotonic() > end or len(file.X) == 0:
            return
        priced = price_all(file, prices, effort)
        yield priced.bound, priced.lowered, priced.groups if priced.bound > 0.8 * best else priced.groups[:0]
        if priced.bound > best:
            best, start, worse = priced.bound, prices, 0
        else:
            worse += 1
        if worse == 8:
            step, worse, prices, direction = 0.7 * step, 0, start, np.zeros(len(prices))
            continue
        wanted = 1.0 - np.bincount(priced.groups.ravel(), minlength=len(prices))
        direction = 0.7 * direction + 0.3 * wanted
        length = step * (upper - priced.bound) / max(float(((start * direction) ** 2).sum()), 1e-300)
        room = 0.1 * step * np.abs(prices)
        prices = prices + np.clip(length * start**2 * direction, -room, room)


def _fine_ascent(
    file: File, best: float, centre: Matrix, pool: NDArray[np.int32], effort: Effort, end: float
) -> Iterator[float]:
    """Linear programmes over the groups found, in a box around the best prices; in-out steps."""
    unit, keep, width = best / len(centre), 0.5, 0.3
    if unit <= 0:
        return
    while time.monotonic() < end:
        room = width * np.abs(centre) + 0.02 * unit
        target, total, held = fair_prices(pool, _costs(file.X, pool), centre - room, centre + room, unit)
        begin, known, share, tries = time.monotonic(), len(pool), keep, 0
        while tries < 4 and time.monotonic() < end:
            prices = share * centre + (1 - share) * target
            priced = price_all(file, prices, effort)
            pool = _join(pool, priced.groups)
            tries += 1
            if priced.bound > best:
                best, centre = priced.bound, priced.lowered
                break
            share = (1 + share) / 2
        yield best
        keep = max(0.0, keep - 0.1) if tries == 1 else min(0.9, keep + 0.1)
        took = time.monotonic() - begin
        if priced.open and (len(pool) == known or priced.open > len(centre) // 20):
            if 1.5 * took < 0.2 * (end - time.monotonic()):
                effort = effort.more()
        elif len(pool) == known:
            width *= 2
        if (total - best < CLOSE * total and held < 0.01) or width > WIDEST:
            return


def _costs(X: Matrix, groups: NDArray[np.int32]) -> Matrix:
    """Sum of squares of groups of one size."""
    points = X[groups]
    costs: Matrix = ((points - points.mean(axis=1, keepdims=True)) ** 2).sum(axis=(1, 2))
    return costs


def _join(pool: NDArray[np.int32], groups: NDArray[np.int32]) -> NDArray[np.int32]:
    """All different groups."""
    return np.unique(np.concatenate([pool, np.sort(groups, axis=1)]), axis=0) if len(groups) else pool
