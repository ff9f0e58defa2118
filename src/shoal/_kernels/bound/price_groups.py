"""Pricing: groups of k records that cost less than the prices of their members, by branch and bound.

Every record has a price. A group is worth finding if its sum of squares is less than what its members pay. A
group belongs to its first record, so that every group is met once. The sum of squares of k records is the sum
of the squared distances between them, divided by k.

Some triples of records have a fee: a group that holds two or three of them pays it. When the first of a
triple is chosen, each of the other two is asked for half of the fee; who comes second pays the other half
as well, and the third is free then. So what is asked never exceeds what will be paid.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inline, jit, kernel_only

TOP_PRICED = 32  # the records that pay most are considered wherever they are; no measurement on record
FEW_CANDIDATES = 24  # candidates whose distances to each other are worth adding up again; not measured


class PricingProblem(NamedTuple):
    """What a search knows about the records."""

    X: Matrix
    near: Slots  # the nearest others of every record
    squares: Matrix  # and their squared distances
    prices: Matrix
    k: int
    pays: Matrix  # the price, less a share of the least distances
    top_priced: Slots  # records that pay most, in this sense, first
    rank: Slots  # records by price, the highest first: the first member of a group owns it
    first: Rows  # where the triples of a record begin in the next two lists, and at last where they end
    others: Slots  # the other two of the three
    half: Matrix  # half of its fee


class Workspace(NamedTuple):
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
    seen: Slots  # records that were looked at
    adds: Matrix  # what each of them adds at least
    best: Matrix  # the k-1 least of these
    mark: Slots  # per record of the file: for which record it was looked at last
    extra: Matrix  # per record of the file: fees it is asked for at once
    place: Slots  # per record of the file: which candidate it is, -1 if none
    inside: NDArray[np.bool_]  # per record of the file: is it a member?


@kernel_only
def _workspace(n: int, k: int, most: int) -> Workspace:
    return Workspace(
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
        np.empty(n, np.int32),
        np.empty(n),
        np.empty(k - 1),
        np.full(n, -1, np.int32),
        np.zeros(n),
        np.full(n, -1, np.int32),
        np.zeros(n, np.bool_),
    )


@jit
def price_owners(
    problem: PricingProblem,
    owners: Rows,
    limits: Matrix,
    most: int,
    nodes: int,
    groups: Slots,
    costs: Matrix,
    stopped: Rows,
) -> None:
    """The cheapest groups of every owner, and a bound below all groups of the owner.

    `costs[r, :-1]` are the sums of squares minus prices of `groups[r]` (infinite: no more below `limits[r]`);
    `costs[r, -1]` bounds all groups that belong to r, `limits[r]` at most. No more than `most` candidates and
    `nodes` branches are looked at, none after another thread has set `stopped[0]`; the bound allows for the
    others.
    """
    work = _workspace(len(problem.X), problem.k, most)
    for r in owners:
        count, rest = _candidates(problem, work, r, limits[r])
        work.inside[r] = True
        costs[r] = np.inf
        rest = _cheapest(problem, work, count, limits[r], rest, nodes, groups[r], costs[r, :-1], stopped)
        work.inside[r] = False
        for a in range(count):
            work.place[work.rows[a]] = -1
        groups[r, :, 0] = r
        costs[r, -1] = min(limits[r], rest, costs[r].min())


@kernel_only
def _look_around(problem: PricingProblem, work: Workspace, r: int, limit: float) -> tuple[int, float, float]:
    """Look at the later records that may share a group below `limit` with record r.

    First at those that pay most, wherever they are, then at near ones, then at others as long as they pay
    enough. Returns their number, what r and the k-2 cheapest of them cost at least, and what the next adds.
    (One loop, and no calls in it: handing over a problem costs more than looking at a record.)
    """
    X, k, near, squares, rank = problem.X, problem.k, problem.near[r], problem.squares[r], problem.rank
    pays, top_priced, extra, mark, best = problem.pays, problem.top_priced, work.extra, work.mark, work.best
    seen, adds, count, others, own = work.seen, work.adds, 0, np.inf, problem.prices[r]
    for t in range(problem.first[r], problem.first[r + 1]):
        extra[problem.others[t, 0]] += problem.half[t]
        extra[problem.others[t, 1]] += problem.half[t]
    best[:] = np.inf
    top, mark[r] = min(TOP_PRICED, len(X) - 1), r
    most = min(pays[top_priced[top]], own)  # who comes later pays less
    for i in range(len(X) + len(near)):
        if top <= i < top + len(near):
            q = near[i - top]
            least = squares[i - top] / k - most
        else:
            q = top_priced[i if i < top else i - len(near)]
            least = squares[-1] / k - min(pays[q], own) if i >= top else -np.inf
        if least >= best[k - 2] and others - own + least >= limit:
            break
        if mark[q] == r or rank[q] < rank[r]:
            continue
        key = 0.0
        for c in range(X.shape[1]):
            key += (X[q, c] - X[r, c]) ** 2
        key = extra[q] - pays[q] + key / k
        mark[q], seen[count], adds[count] = r, q, key
        count += 1
        if key < best[k - 2]:
            p, others = k - 2, 0.0
            while p > 0 and best[p - 1] > key:
                best[p] = best[p - 1]
                p -= 1
            best[p] = key
            for p in range(k - 2):
                others += best[p]
    for t in range(problem.first[r], problem.first[r + 1]):
        extra[problem.others[t, 0]] = extra[problem.others[t, 1]] = 0.0
    return count, others - own, best[k - 2]


@kernel_only
def _candidates(problem: PricingProblem, work: Workspace, r: int, limit: float) -> tuple[int, float]:
    """List the later records that a group of record r below `limit` may have, as many as there is room for.

    Returns their number, and a bound below the groups with a record that found no room.
    """
    seen, cheapest, last = _look_around(problem, work, r, limit)
    if not cheapest + last < limit:
        return 0, np.inf
    rest, most, count = np.inf, len(work.rows), 0
    for p in range(seen):
        q, adds = work.seen[p], work.adds[p]
        if not (cheapest + adds < limit or adds <= last):
            continue
        if count == most:
            rest = min(rest, cheapest + adds)
            continue
        work.rows[count], work.listed[0, count], work.place[q] = q, count, count
        work.paid[0, count] = _squared(problem.X, q, r) / problem.k - problem.prices[q]
        count += 1
    work.cost[0] = -problem.prices[r]
    _measure(problem.X, work.rows[:count], work.apart)
    _ask(problem, work, 0, r)
    return count, rest


@kernel_only
def _measure(X: Matrix, rows: Slots, apart: Matrix) -> None:
    """Squared distances between the candidates."""
    for a in range(len(rows)):
        for b in range(a):
            apart[a, b] = apart[b, a] = _squared(X, rows[a], rows[b])


@kernel_only
def _ask(problem: PricingProblem, work: Workspace, level: int, r: int) -> None:
    """Record r becomes a member: who pays for its triples from now on?"""
    cost, paid = work.cost, work.paid[level]
    for t in range(problem.first[r], problem.first[r + 1]):
        half, one, two = problem.half[t], problem.others[t, 0], problem.others[t, 1]
        if work.inside[one] and work.inside[two]:
            continue
        if work.inside[one] or work.inside[two]:  # r is the second: the other half, and the third is free
            cost[level] += half
            third = work.place[two if work.inside[one] else one]
            if third >= 0:
                paid[third] -= half
            continue
        if work.place[one] >= 0:
            paid[work.place[one]] += half
        if work.place[two] >= 0:
            paid[work.place[two]] += half


@kernel_only
def _other_half(problem: PricingProblem, work: Workspace, r: int) -> float:
    """What record r pays if it is the second of a triple, besides what it was asked."""
    total = 0.0
    for t in range(problem.first[r], problem.first[r + 1]):
        if work.inside[problem.others[t, 0]] != work.inside[problem.others[t, 1]]:
            total += problem.half[t]
    return total


@inline
def _squared(X: Matrix, i: int, j: int) -> float:
    total = 0.0
    for c in range(X.shape[1]):
        difference = X[i, c] - X[j, c]
        total += difference * difference
    return total


@kernel_only
def _cheapest(
    problem: PricingProblem,
    work: Workspace,
    count: int,
    limit: float,
    rest: float,
    nodes: int,
    groups: Slots,
    costs: Matrix,
    stopped: Rows,
) -> float:
    """Fill in the groups that cost least, and less than `limit`; a bound below what was not looked at."""
    k, visited, level = problem.k, 0, 0
    work.counts[0] = count
    _enter(work, k, 0, limit)
    while level >= 0:
        bound = _next_bound(work, k, level)
        if bound < limit and level == k - 2:  # the last member
            work.chosen[level] = work.listed[level, work.position[level]]
            work.position[level] += 1
            cost = bound + _other_half(problem, work, work.rows[work.chosen[level]])
            if cost < limit:
                worst = np.argmax(costs)
                costs[worst] = cost
                for p in range(k - 1):
                    groups[worst, p + 1] = work.rows[work.chosen[p]]
                limit = min(limit, costs.max())
        elif bound < limit and visited < nodes and stopped[0] == 0:
            visited += 1
            _descend(problem, work, level, limit)
            level += 1
        else:
            rest = min(rest, bound) if bound < limit else rest
            level -= 1
            if level >= 0:
                work.inside[work.rows[work.chosen[level]]] = False
    return rest


@inline
def _next_bound(work: Workspace, k: int, level: int) -> float:
    """The least that groups with the next candidate of a level, or a later one, can cost."""
    left, i = k - 1 - level, work.position[level]
    if i + left > work.counts[level]:
        return np.inf
    bound = work.cost[level]
    for j in range(left):
        bound += work.keys[level, i + j]
    return bound


@kernel_only
def _descend(problem: PricingProblem, work: Workspace, level: int, limit: float) -> None:
    """Choose the next candidate of a level and enter the one below with those after it."""
    k, i = problem.k, work.position[level]
    work.position[level] += 1
    a = work.listed[level, i]
    work.chosen[level] = a
    work.cost[level + 1] = work.cost[level] + work.paid[level, a]
    work.counts[level + 1] = work.counts[level] - i - 1
    for j in range(work.counts[level + 1]):
        b = work.listed[level, i + 1 + j]
        work.listed[level + 1, j] = b
        work.paid[level + 1, b] = work.paid[level, b] + work.apart[a, b] / k
    _ask(problem, work, level + 1, work.rows[a])
    work.inside[work.rows[a]] = True
    _enter(work, k, level + 1, limit)


@kernel_only
def _enter(work: Workspace, k: int, level: int, limit: float) -> None:
    """Sort the candidates of a level by what they add at least; those that lead nowhere are dropped.

    The fewer are left, the more their distances to each other must add: drop again while many go.
    """
    left, again = k - 1 - level, True  # members still to choose
    work.position[level] = 0
    while again and work.counts[level] >= left:
        before = work.counts[level]
        _add_up(work, level, left - 1)
        _sort(work, k, level)
        cheapest, kept = work.cost[level], left - 1
        for i in range(left - 1):
            cheapest += work.keys[level, i]
        while kept < before and cheapest + work.keys[level, kept] < limit:
            kept += 1
        work.counts[level] = kept
        again = left > 1 and 4 * kept < 3 * before and (level == 0 or kept <= FEW_CANDIDATES)
    if work.counts[level] < left:
        work.counts[level] = 0


@kernel_only
def _add_up(work: Workspace, level: int, others: int) -> None:
    """What the distances of every candidate to members still to come add up to, at least."""
    listed = work.listed[level, : work.counts[level]]
    if level > 0 and len(listed) > FEW_CANDIDATES:  # what was added up among all candidates is a bound still
        for a in listed:
            work.least[level, a] = work.sums[a, others]
        return
    smallest, apart = np.empty(others + 1), work.apart
    for a in listed:
        smallest[:] = np.inf
        smallest[0] = 0.0
        for b in listed:
            value, p = apart[a, b], others
            if value < smallest[p] and b != a and p > 0:
                while p > 1 and smallest[p - 1] > value:
                    smallest[p] = smallest[p - 1]
                    p -= 1
                smallest[p] = value
        total = 0.0
        for p in range(others + 1):
            total += smallest[p]
            if level == 0:
                work.sums[a, p] = total
        work.least[level, a] = total


@kernel_only
def _sort(work: Workspace, k: int, level: int) -> None:
    """By insertion: most are in order already."""
    listed, keys = work.listed[level], work.keys[level]
    for i in range(work.counts[level]):
        a, p = listed[i], i
        key = work.paid[level, a] + work.least[level, a] / (2 * k)
        while p > 0 and keys[p - 1] > key:
            keys[p], listed[p] = keys[p - 1], listed[p - 1]
            p -= 1
        keys[p], listed[p] = key, a
