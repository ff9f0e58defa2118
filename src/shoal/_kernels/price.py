"""Pricing: groups of k records that cost less than the prices of their members, by branch and bound.

Every record has a price. A group is worth finding if its sum of squares is less than what its members pay. A
group belongs to its first record, so that every group is met once. The sum of squares of k records is the sum
of the squared distances between them, divided by k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inner, jit

FEW = 24  # candidates whose distances to each other are worth adding up again


class Market(NamedTuple):
    """What a search knows: records, their prices, and what their k-2 nearest others add up to."""

    X: Matrix
    prices: Matrix
    least: Matrix
    k: int


class Stall(NamedTuple):
    """Room for the candidates around one record, and for the levels of the search among them."""

    rows: Slots
    apart: Matrix  # squared distances between candidates
    listed: Slots  # per level: candidates, the most promising first
    keys: Matrix  # per level: the least a candidate can add, in the order of `listed`
    paid: Matrix  # per level and candidate: what it adds, but for distances to members still to come
    least: Matrix  # per level and candidate: what its distances to members still to come add up to, at least
    sums: Matrix  # per candidate: its 0, 1, 2 ... smallest distances to others, added up
    cost: Matrix  # per level: that of the members so far
    counts: Rows
    position: Rows
    chosen: Slots


@inner
def _stall(k: int, most: int) -> Stall:
    return Stall(
        np.empty(most, np.int32),
        np.empty((most, most)),
        np.empty((k, most), np.int32),
        np.empty((k, most)),
        np.empty((k, most)),
        np.empty((k, most)),
        np.empty((most, k)),
        np.empty(k),
        np.empty(k, np.intp),
        np.empty(k, np.intp),
        np.empty(k, np.int32),
    )


@jit
def price(
    market: Market, owners: Rows, limits: Matrix, most: int, nodes: int, groups: Slots, costs: Matrix
) -> None:
    """The cheapest group of every owner, and a bound below all groups of the owner.

    `costs[r, 0]` is the sum of squares minus prices of `groups[r]` (infinite: none below `limits[r]`);
    `costs[r, 1]` bounds all groups that belong to r, `limits[r]` at most. No more than `most` candidates and
    `nodes` branches are looked at; the bound allows for the others.
    """
    stall, keys = _stall(market.k, most), np.empty(len(market.X))
    for r in owners:
        count, rest = _candidates(market, stall, r, limits[r], keys)
        found, rest = _cheapest(stall, market.k, count, limits[r], rest, nodes, groups[r])
        groups[r, 0] = r
        costs[r, 0], costs[r, 1] = found, min(limits[r], found, rest)


@jit
def count_candidates(market: Market, limits: Matrix, counts: Rows) -> None:
    """How many records could share a group below its limit with each record, whoever owns the group."""
    keys = np.empty(len(market.X))
    for r in range(len(market.X)):
        cheapest, last = _keys(market, r, 0, keys)
        counts[r] = 0
        if cheapest + last < limits[r]:
            for key in keys:
                counts[r] += cheapest + key < limits[r]


@inner
def _keys(market: Market, r: int, first: int, keys: Matrix) -> tuple[float, float]:
    """What every record from `first` on adds at least to a group of record r.

    Returns what r and the k-2 cheapest of them cost at least, and the key of the next one.
    """
    X, prices, k = market.X, market.prices, market.k
    best = np.full(k - 1, np.inf)
    for q in range(first, len(X)):
        key = -prices[q] + market.least[q] / (2 * k)
        for c in range(X.shape[1]):
            difference = X[q, c] - X[r, c]
            key += difference * difference / k
        keys[q] = key if q != r else np.inf
        if keys[q] < best[k - 2]:
            p = k - 2
            while p > 0 and best[p - 1] > key:
                best[p] = best[p - 1]
                p -= 1
            best[p] = key
    return best[: k - 2].sum() - prices[r], best[k - 2]


@inner
def _candidates(market: Market, stall: Stall, r: int, limit: float, keys: Matrix) -> tuple[int, float]:
    """List the later records that a group of record r below `limit` may have, as many as there is room for.

    Returns their number, and a bound below the groups with a record that found no room.
    """
    cheapest, last = _keys(market, r, r + 1, keys)
    if not cheapest + last < limit:
        return 0, np.inf
    rest, most = np.inf, len(stall.rows)
    wanted = r + 1 + np.flatnonzero((cheapest + keys[r + 1 :] < limit) | (keys[r + 1 :] <= last))
    if len(wanted) > most:
        wanted = wanted[np.argsort(keys[wanted])]
        rest = cheapest + keys[wanted[most]]
    count = min(len(wanted), most)
    stall.cost[0] = -market.prices[r]
    for a in range(count):
        stall.rows[a], stall.listed[0, a] = wanted[a], a
        stall.paid[0, a] = _squared(market.X, wanted[a], r) / market.k - market.prices[wanted[a]]
        for b in range(a):
            stall.apart[a, b] = stall.apart[b, a] = _squared(market.X, wanted[a], wanted[b])
    return count, rest


@inner
def _squared(X: Matrix, i: int, j: int) -> float:
    total = 0.0
    for c in range(X.shape[1]):
        difference = X[i, c] - X[j, c]
        total += difference * difference
    return total


@inner
def _cheapest(
    stall: Stall, k: int, count: int, limit: float, rest: float, nodes: int, group: Slots
) -> tuple[float, float]:
    """The least cost below `limit` (infinite: none) and a bound below what was not looked at."""
    found, visited, level = np.inf, 0, 0
    stall.counts[0] = count
    _enter(stall, k, 0, limit)
    while level >= 0:
        bound = _next_bound(stall, k, level)
        if bound >= limit:
            level -= 1
        elif level == k - 2:  # the last member: the list is sorted by what it really adds
            limit = found = bound
            stall.chosen[level] = stall.listed[level, stall.position[level]]
            for p in range(k - 1):
                group[p + 1] = stall.rows[stall.chosen[p]]
            level -= 1
        elif visited >= nodes:
            rest = min(rest, bound)
            level -= 1
        else:
            visited += 1
            _descend(stall, k, level, limit)
            level += 1
    return found, rest


@inner
def _next_bound(stall: Stall, k: int, level: int) -> float:
    """The least that groups with the next candidate of a level, or a later one, can cost."""
    left, i = k - 1 - level, stall.position[level]
    if i + left > stall.counts[level]:
        return np.inf
    bound = stall.cost[level]
    for j in range(left):
        bound += stall.keys[level, i + j]
    return bound


@inner
def _descend(stall: Stall, k: int, level: int, limit: float) -> None:
    """Choose the next candidate of a level and enter the one below with those after it."""
    i = stall.position[level]
    stall.position[level] += 1
    a = stall.listed[level, i]
    stall.chosen[level] = a
    stall.cost[level + 1] = stall.cost[level] + stall.paid[level, a]
    stall.counts[level + 1] = stall.counts[level] - i - 1
    for j in range(stall.counts[level + 1]):
        b = stall.listed[level, i + 1 + j]
        stall.listed[level + 1, j] = b
        stall.paid[level + 1, b] = stall.paid[level, b] + stall.apart[a, b] / k
    _enter(stall, k, level + 1, limit)


@inner
def _enter(stall: Stall, k: int, level: int, limit: float) -> None:
    """Sort the candidates of a level by what they add at least; those that lead nowhere are dropped.

    The fewer are left, the more their distances to each other must add: drop again while many go.
    """
    left, again = k - 1 - level, True  # members still to choose
    stall.position[level] = 0
    while again and stall.counts[level] >= left:
        before = stall.counts[level]
        _add_up(stall, level, left - 1)
        _sort(stall, k, level)
        cheapest, kept = stall.cost[level], left - 1
        for i in range(left - 1):
            cheapest += stall.keys[level, i]
        while kept < before and cheapest + stall.keys[level, kept] < limit:
            kept += 1
        stall.counts[level] = kept
        again = left > 1 and 4 * kept < 3 * before and (level == 0 or kept <= FEW)
    if stall.counts[level] < left:
        stall.counts[level] = 0


@inner
def _add_up(stall: Stall, level: int, others: int) -> None:
    """What the distances of every candidate to members still to come add up to, at least."""
    listed = stall.listed[level, : stall.counts[level]]
    if level > 0 and len(listed) > FEW:  # what was added up among all candidates is a bound still
        for a in listed:
            stall.least[level, a] = stall.sums[a, others]
        return
    smallest = np.empty(others + 1)
    for a in listed:
        smallest[:] = np.inf
        smallest[0] = 0.0
        for b in listed:
            value, p = stall.apart[a, b], others
            if value < smallest[p] and b != a and p > 0:
                while p > 1 and smallest[p - 1] > value:
                    smallest[p] = smallest[p - 1]
                    p -= 1
                smallest[p] = value
        stall.least[level, a] = smallest.sum()
        if level == 0:
            stall.sums[a, : others + 1] = np.cumsum(smallest)


@inner
def _sort(stall: Stall, k: int, level: int) -> None:
    """By insertion: most are in order already."""
    listed, keys = stall.listed[level], stall.keys[level]
    for i in range(stall.counts[level]):
        a, p = listed[i], i
        key = stall.paid[level, a] + stall.least[level, a] / (2 * k)
        while p > 0 and keys[p - 1] > key:
            keys[p], listed[p] = keys[p - 1], listed[p - 1]
            p -= 1
        keys[p], listed[p] = key, a
