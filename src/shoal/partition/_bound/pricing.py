"""Pricing: prices per record whose sum no partition can undercut, proven by looking for groups that gain.

If no group of k records costs less than its members pay, then no larger group does: a group of m records
costs at least k (m-1) / (m (k-1)) times what its members pay, the mean over all k of them. So only groups of
k records have to be priced, unless there are fees (see `triples`). Whatever is not proven is taken off the
price of the record that owns the group: any prices give a valid bound.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.threads import useful_threads
from shoal.partition._bound.highs import Groups, Triples, holds_two, members
from shoal.partition._bound.subset_row_cuts import by_record, needs_pricing
from shoal.types import Matrix

if TYPE_CHECKING:
    from shoal._kernels.bound.price_groups import PricingProblem

SPARE = 1e-5  # of a price: groups that gain less are not looked for
MOST_CANDIDATES = 2_000  # groups a round may add; more make the linear programme slow
SHIFT = 64  # owners that are priced between two looks at the clock; no measurement on record


class File(NamedTuple):
    """Records, their nearest ones (themselves first), and prices that are safe without fees."""

    X: Matrix
    k: int
    near: NDArray[np.int32]
    squares: Matrix  # of the distances
    safe: Matrix


class Prices(NamedTuple):
    """What every record pays, and the fee of a group that holds two records of a triple, or all."""

    records: Matrix
    triples: Triples
    fees: Matrix

    def sum(self) -> float:
        """What no partition undercuts: one group at most holds two records of a triple and pays its fee."""
        return float(self.records.sum() - self.fees.sum())

    def with_triples(self, new: Triples) -> Prices:
        """More triples, without fees yet."""
        triples, fees = np.concatenate([self.triples, new]), np.zeros(len(new))
        return Prices(self.records, triples, np.concatenate([self.fees, fees]))

    def towards(self, other: Prices, share: float) -> Prices:
        """Between these prices and others of the same triples."""
        fees = self.fees + share * (other.fees - self.fees)
        return Prices(self.records + share * (other.records - self.records), self.triples, fees)


class Effort(NamedTuple):
    """How many candidates and branches a search may look at."""

    most: int
    nodes: int

    def more(self) -> Effort:
        return Effort(min(self.most * 3 // 2, MOST_CANDIDATES), min(self.nodes * 3, 10**9))


class Priced(NamedTuple):
    """Lowered prices, whose sum is a bound, and groups that would have paid more than they cost."""

    bound: float
    lowered: Prices  # where a group may gain, its owner pays less
    groups: Groups
    open: int  # owners whose groups were not all looked at


class OutOfTime(Exception):
    """The clock showed the end before all groups were priced."""


def without_fees(records: Matrix) -> Prices:
    return Prices(records, np.empty((0, 3), dtype=np.int32), np.empty(0))


def costs_of(X: Matrix, groups: Groups) -> Matrix:
    """Sum of squares of every group.

    >>> costs_of(np.array([[0.0], [2.0], [5.0]]), np.array([[0, 1, -1]]))
    array([2.])
    """
    inside = (groups >= 0)[:, :, None]
    middle = np.where(inside, X[groups], 0.0).sum(axis=1, keepdims=True) / inside.sum(axis=1, keepdims=True)
    costs: Matrix = (np.where(inside, X[groups] - middle, 0.0) ** 2).sum(axis=(1, 2))
    return costs


def losses(file: File, prices: Prices, groups: Groups) -> Matrix:
    """What groups cost more than their members pay, fees considered."""
    n = len(file.X)
    fees: Matrix = holds_two(groups, prices.triples, n) @ prices.fees
    paid: Matrix = members(groups, n) @ prices.records
    return costs_of(file.X, groups) - paid + fees


def price_all(file: File, prices: Prices, effort: Effort, end: float = np.inf) -> Priced:
    """Look for groups that cost less than their members pay, and lower the prices of their owners."""
    records, k = prices.records, file.k
    sizes = [
        m for m in range(k, 2 * k) if m == k or needs_pricing(prices.triples, prices.fees, file.safe, k, m)
    ]
    limits = -SPARE * np.abs(records) - 1e-12 * np.abs(records).mean()
    found = groups_below(file, prices, limits, effort, sizes, 1, end)
    lowered = prices._replace(records=records + found.least)
    return Priced(lowered.sum(), lowered, found.groups, int(found.unsure.sum()))


class Below(NamedTuple):
    """Groups below the limits of their owners."""

    groups: Groups
    least: Matrix  # what the groups of an owner cost at least beyond what is paid, its limit at most
    unsure: NDArray[np.bool_]  # owners whose groups were not all looked at
    more: bool  # some owner may have more groups than these


def groups_below(
    file: File, prices: Prices, limits: Matrix, effort: Effort, sizes: list[int], keep: int, end: float
) -> Below:
    """Groups of these sizes that cost less than their members pay plus the limit of their owner.

    At most `keep` of a size for every owner, the cheapest.
    """
    found, least, more = [], limits, False
    unsure = np.zeros(len(limits), dtype=bool)
    for size in sizes:
        groups, costs = _price(_problem(file, prices, size), limits, effort, keep, end)
        good, bound = np.isfinite(costs[:, :-1]), costs[:, -1]
        unsure |= bound < np.minimum(limits, costs[:, :-1].min(axis=1))
        more |= bool(good.all(axis=1).any())
        least = np.minimum(least, bound)
        found.append(np.full((int(good.sum()), 2 * file.k - 1), -1, dtype=np.int32))
        found[-1][:, :size] = groups[good]
    return Below(np.concatenate(found), least, unsure, more or bool(unsure.any()))


def _problem(file: File, prices: Prices, size: int) -> PricingProblem:
    """Who pays most comes first and owns its groups: for all others the search is short without it."""
    from shoal._kernels.bound.price_groups import PricingProblem

    pays = prices.records - file.squares[:, : size - 1].sum(axis=1) / (2 * size)
    top_priced = np.argsort(-pays, kind="stable").astype(np.int32)
    rank = np.argsort(np.argsort(-prices.records, kind="stable")).astype(np.int32)
    triples = by_record(prices.triples, prices.fees, len(rank))
    return PricingProblem(
        file.X, file.near, file.squares, prices.records, size, pays, top_priced, rank, *triples
    )


def _price(
    problem: PricingProblem, limits: Matrix, effort: Effort, keep: int, end: float
) -> tuple[Groups, Matrix]:
    """The cheapest groups of all owners; threads take turns, since the last owners take longest."""
    from shoal._kernels.bound.price_groups import price_owners

    n = len(problem.X)
    groups, costs = np.zeros((n, keep, problem.k), dtype=np.int32), np.empty((n, keep + 1))
    threads = useful_threads(n * problem.near.shape[1] * problem.k)
    shifts, owners = max(threads, n // SHIFT), np.argsort(problem.rank)

    stopped = np.zeros(1, dtype=np.intp)

    def work(first: int) -> None:
        if not stopped[0]:
            price_owners(problem, owners[first::shifts], limits, *effort, groups, costs, stopped)

    with ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(work, first) for first in range(shifts)]
        try:
            late = wait(tasks, None if np.isinf(end) else max(end - time.monotonic(), 0.0)).not_done
        finally:
            stopped[0] = 1  # one owner alone may take minutes
    for task in tasks:
        task.result()
    if late:
        raise OutOfTime
    return groups, costs
