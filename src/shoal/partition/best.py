"""The best partition that a given time allows, and a certificate of how far from optimal it can be."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Literal, NamedTuple, overload

import numpy as np

from shoal._check import check_count, check_number
from shoal.partition.cross import cross
from shoal.partition.labels import relabel, sse
from shoal.partition.local_search import local_search
from shoal.partition.lower_bound import MOST_RECORDS, lower_bound, raised_bounds, scale_of
from shoal.partition.nearby import nearby
from shoal.partition.parts import anneal_parts, rest
from shoal.partition.prepare import prepare
from shoal.partition.start import Start, start_labels
from shoal.types import Callback, Labels, MapLike, Matrix, Progress, RandomState

NEIGHBOURS = 12  # and k more
ROUNDS = 2_000  # temperatures of a search
SHORTEST = 0.02  # seconds of a round
# Until which part of the time, and how hot it begins: four times from hot, then four times milder. Luck
# differs more between runs than a run four times as long would gain, and crossing takes the best of all.
CYCLES = (
    *((0.15, 2.0), (0.3, 2.0), (0.45, 2.0), (0.6, 2.0)),
    *((0.7, 0.6), (0.8, 0.6), (0.9, 0.6), (1.0, 0.3)),
)
COLD = 0.08
MOST_SWEEPS = 1_000_000  # of a round
SEARCH = 0.5  # share of the time for the search where a certificate is wanted, too
RESERVE = 0.03  # share of the time for the last steps


class Certified(NamedTuple):
    """A partition, its sum of squares, what no partition can undercut, and the gap between them (0 to 1)."""

    labels: Labels
    sse: float
    bound: float
    gap: float


@overload
def best(
    X: Matrix,
    k: int,
    *,
    seconds: float = ...,
    iterations: int | None = ...,
    start: Start = ...,
    certify: Literal[False] = ...,
    rng: RandomState = ...,
    workers: MapLike = ...,
    callback: Callback | None = ...,
) -> Labels: ...


@overload
def best(
    X: Matrix,
    k: int,
    *,
    seconds: float = ...,
    iterations: int | None = ...,
    start: Start = ...,
    certify: Literal[True],
    rng: RandomState = ...,
    workers: MapLike = ...,
    callback: Callback | None = ...,
) -> Certified: ...


def best(
    X: Matrix,
    k: int,
    *,
    seconds: float = 60.0,
    iterations: int | None = None,
    start: Start = local_search,
    certify: bool = False,
    rng: RandomState = None,
    workers: MapLike = map,
    callback: Callback | None = None,
) -> Labels | Certified:
    """Search for the partition with the least loss as long as you allow.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    seconds
        How long to search, everything included.
    iterations
        Tries per record; if given, the search ends after them and not by the clock, and the same seed gives
        the same groups. A minute is some 100,000 tries per record for a file of a thousand records.
    start
        The partitioner whose groups are improved, or labels at hand; the result is never worse.
    certify
        Use half of the time for a lower bound and return `Certified(labels, sse, bound, gap)` instead of the
        labels alone: no partition loses more than `gap` (a share, 0 to 1) less than this one.
    rng
        Seed or generator.
    workers
        Any map-like callable; two or more parts of the file are searched at the same time, for example
        `ThreadPoolExecutor().map`.
    callback
        Called with `Progress`: the message tells the loss in percent, the bound and the gap, `best` holds
        the labels. Returning True stops and keeps the best.

    Returns
    -------
    Labels or Certified
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    Simulated annealing: records move, trade places, groups dissolve and are founded, and losses are accepted
    with a chance that falls. The file is cut into parts along a random direction, another one in every
    round, and the parts are annealed side by side. This is done four times from hot and four times from
    mild; wherever an outcome is better than the best so far it is kept. Time as given; memory O(n (d + k)).

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing, Science 220 (1983).

    Examples
    --------
    >>> best([[0.0], [5.0], [0.1], [5.1], [0.2], [5.2]], 3, iterations=10, rng=1)
    array([0, 1, 0, 1, 0, 1])
    """
    begin = time.monotonic()
    rng = np.random.default_rng(rng)
    end = begin + check_number("seconds", seconds, 0)
    iterations = None if iterations is None else check_count("iterations", iterations)
    given = X
    X, k = prepare(X, k)
    labels = start_labels(X, k, start)
    watch = Watch(X, k, callback)
    if len(X) >= 2 * k:
        last = begin + (end - begin) * ((SEARCH if certify else 1.0) - RESERVE)
        labels = _search(X, labels, k, pace(last, iterations), rng, workers, watch)
    if not certify:
        return labels
    loss, bound = sse(X, labels), _bound(X, labels, k, end, watch)
    gap = (loss - bound) / loss if loss > 0 else 0.0
    unit = 2.0 ** scale_of(given)
    return Certified(labels, loss * unit * unit, bound * unit * unit, gap)


def _search(
    X: Matrix,
    labels: Labels,
    k: int,
    rounds: Iterator[tuple[int, float]],
    rng: np.random.Generator,
    workers: MapLike,
    watch: Watch,
) -> Labels:
    """Anneal in cycles; after each, wherever it came out better, it is kept."""
    near = nearby(X, k, NEIGHBOURS + k, around=64, read=64)
    kept = current = relabel(labels[near.order])
    cycle = 0
    for sweeps, fraction in rounds:
        while fraction >= CYCLES[cycle][0] and cycle < len(CYCLES) - 1:
            kept = current = cross(near.X, kept, rest(near, current, k))
            cycle += 1
        heat = heat_at(fraction, cycle)
        current = anneal_parts(near, current, k, sweeps=sweeps, heat=heat, rng=rng, workers=workers)
        if watch.stop(fraction, near.in_file_order(kept) if watch.callback else labels):
            break
    kept = cross(near.X, kept, rest(near, current, k))
    return near.in_file_order(kept)


def heat_at(fraction: float, cycle: int) -> float:
    """The temperature, which falls by equal factors in equal times within a cycle.

    >>> heat_at(0.0, 0), round(heat_at(0.15, 0), 3)
    (2.0, 0.08)
    """
    until, hot = CYCLES[cycle]
    since = CYCLES[cycle - 1][0] if cycle else 0.0
    return float(hot * (COLD / hot) ** min((fraction - since) / (until - since), 1.0))


def pace(end: float, iterations: int | None) -> Iterator[tuple[int, float]]:
    """Tries per record in the next round and which part of the search is over, by count or by the clock.

    >>> sum(sweeps for sweeps, _ in pace(0.0, 1000))
    1000
    """
    if iterations is not None:
        rounds = min(ROUNDS, iterations)
        for number in range(rounds):
            done = number * iterations // rounds
            yield (number + 1) * iterations // rounds - done, number / rounds
        return
    begin = before = time.monotonic()
    length, sweeps = max((end - begin) / ROUNDS, SHORTEST), 1
    while before < end:
        yield sweeps, (before - begin) / (end - begin)
        now = time.monotonic()
        wanted = sweeps * min(length, end - now) / max(now - before, 1e-9)
        sweeps, before = int(np.clip(wanted, 1, min(2 * sweeps, MOST_SWEEPS))), now


def _bound(X: Matrix, labels: Labels, k: int, end: float, watch: Watch) -> float:
    """The best lower bound until the clock shows `end`."""
    found = lower_bound(X, k)
    if 2 * k <= len(X) <= MOST_RECORDS:
        begin, loss = time.monotonic(), sse(X, labels)
        for bound in raised_bounds(X, k, labels, begin + (end - begin) * (1 - RESERVE)):
            found = max(found, bound)
            watch.bound = found
            part = SEARCH + (1 - SEARCH) * (time.monotonic() - begin) / max(end - begin, 1e-9)
            if found >= loss * (1 - 1e-6) or watch.stop(min(part, 1.0), labels):
                break
    return found


class Watch:
    """What the callback is told: loss, bound and gap; it remembers the bound and whether to stop."""

    def __init__(self, X: Matrix, k: int, callback: Callback | None) -> None:
        self.X, self.callback = X, callback
        self.total = float((X**2).sum())
        self.bound = lower_bound(X, k) if callback is not None else 0.0
        self.stopped = False

    def stop(self, fraction: float, labels: Labels) -> bool:
        """Tell the callback; True if it wants no more."""
        if self.callback is not None and not self.stopped:
            loss = sse(self.X, labels)
            share = 100 / self.total if self.total > 0 else 0.0
            gap = 100 * (loss - self.bound) / loss if loss > 0 else 0.0
            message = f"loss {share * loss:.4f} %, bound {share * self.bound:.4f} %, gap {gap:.1f} %"
            self.stopped = bool(self.callback(Progress(min(fraction, 1.0), message, labels)))
        return self.stopped
