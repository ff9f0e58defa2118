"""The best partition that a given time allows, and a certificate of how far from optimal it can be."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache, partial
from itertools import chain, islice
from math import inf
from typing import Literal, NamedTuple, overload

import numpy as np

from shoal._check import check_count, check_number
from shoal._shared.workers import as_map, pooled
from shoal.partition._anneal.initial import first_groups
from shoal.partition._anneal.simulated_annealing import PART, anneal_copies, anneal_parts
from shoal.partition._anneal.spatial_file import spatial_file
from shoal.partition._anneal.time_warnings import warn_if_compiled, warn_if_late, warn_no_search
from shoal.partition._bound.certify import certify as prove_bound
from shoal.partition._bound.certify import worthwhile
from shoal.partition._bound.close_gap import Proven
from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.start_labels import Start
from shoal.partition.labels import relabel, sse
from shoal.partition.local_search import local_search
from shoal.partition.lower_bound import neighbour_bound, scale_of
from shoal.types import Callback, Labels, MapLike, Matrix, Progress, RandomState, Workers

PARTED_FROM = 2 * PART  # records: a larger file is searched in parts
MANY_NUMBERS = 50_000  # in a file: Python reads fewer itself where nothing is compiled (`_kernels.jit`)
SCANNED = 2_000  # records: MDAV of a larger file may need compiled code of its own
NEIGHBOURS = 12  # near records listed of each, and k more
ROUNDS = 500  # temperatures of a search; half and double on Census: 1 % less, as much as seeds differ
SHORTEST = 0.03  # seconds of a round; no measurement on record
MOST_SWEEPS = 1_000_000  # tries per record in a round
SEARCH = 0.5  # share of the time for the search where a proof follows; no measurement on record
RESERVE = 0.03  # share of the time for the last steps; no measurement on record
START = 0.5  # share of the time for the groups to begin with; no measurement on record
BOUND = 0.05  # share of the time for a bound that the callback can be told; no measurement on record
READY, LAST = 8e-7, 1e-6  # seconds per number in the file, before a search begins and after it


class Certified(NamedTuple):
    """A partition, its sum of squares, what no partition can undercut, and the gap between them (0 to 1).

    >>> print(Certified(np.zeros(3), 10.0, 9.0, 0.1))
    At most 10.0 % of this loss could be avoided by any other groups of at least k records: that is proven.
    """

    labels: Labels
    sse: float
    bound: float
    gap: float

    def __str__(self) -> str:
        if self.gap <= 0:
            return "No other groups of at least k records lose less than these: that is proven."
        percent = f"{100 * self.gap:.1f}" if self.gap >= 0.0005 else "less than 0.1"
        return (
            f"At most {percent} % of this loss could be avoided by any other groups of at least k records: "
            "that is proven."
        ).replace("At most less than", "Less than")


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
    workers: Workers = ...,
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
    workers: Workers = ...,
    callback: Callback | None = ...,
) -> Certified: ...


@pooled
def best(
    X: Matrix,
    k: int,
    *,
    seconds: float = 60.0,
    iterations: int | None = None,
    start: Start = local_search,
    certify: bool = False,
    rng: RandomState = None,
    workers: Workers = map,
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
        How long to search, from the first groups on. What is not compiled on this machine yet is compiled
        before, and a `TimeWarning` says so; another one says if there was no time to search.
    iterations
        Tries per record; if given, the search ends after them and not by the clock, and the same seed gives
        the same groups. A minute is some 500,000 tries per record for a file of a thousand records.
    start
        The partitioner whose groups are improved, or labels at hand; the result is never worse.
    certify
        Return `Certified(labels, sse, bound, gap)` instead of the labels alone: no partition loses more than
        `gap` (a share, 0 to 1) less than this one. Half of the time goes into the proof.
    rng
        Seed or generator.
    workers
        A number of new processes, or any map-like callable such as `ThreadPoolExecutor().map`: two
        partitions, or parts of a large file, are searched at the same time.
    callback
        Called with `Progress`: the message tells the loss in percent, the bound and the gap, `best` holds
        the labels. Returning True stops and keeps the best.

    Returns
    -------
    Labels or Certified
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    Simulated annealing: records move, trade places, groups are dissolved and opened, two to four neighbouring
    groups are forgotten and built anew, and losses are accepted with a chance that falls. Two partitions of
    the file cool down side by side, each by itself; wherever one of them is better, it is kept. A file of
    10,000 records or more cools down once, in parts that are cut along another random direction in every
    round; one of more than 100,000 begins with MDAV in blocks before `local_search`, or with the groups of
    `blockwise` if there is no time for that.

    With small files and small k (1,000 records in a minute at k = 3 or 4, always if `certify`) the second
    half of the time goes into column generation: prices of records that no group undercuts prove a bound and
    tell which groups may be part of an optimum, and branch and bound chooses among these. Files of a few
    hundred records are often solved. Not done by `iterations`. Time as given; memory O(n (d + k)).

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing, Science 220 (1983). Cook, Seymour: Tour
    merging via branch-decomposition, INFORMS J. Computing 15 (2003), for merging good outcomes. Shaw: Using
    constraint programming and local search methods to solve vehicle routing problems, CP (1998), for building
    parts anew. Jepsen, Petersen, Spoorendonk, Pisinger: Subset-row inequalities, Operations Research 56
    (2008), for the bound.

    Examples
    --------
    >>> best([[0.0], [5.0], [0.1], [5.1], [0.2], [5.2]], 3, iterations=10, rng=1)
    array([0, 1, 0, 1, 0, 1])
    """
    mapped = as_map(workers)
    rng, given = np.random.default_rng(rng), X
    check_number("seconds", seconds, 0)
    iterations = None if iterations is None else check_count("iterations", iterations)
    X, k = prepare(X, k)
    by_clock = iterations is None and len(X) >= 2 * k
    proving = certify or (by_clock and worthwhile(len(X), k, seconds))
    if by_clock:
        _compile_first(X, proving, seconds)
    begin = time.monotonic()
    end, search = begin + seconds, SEARCH if proving else 1.0
    span = search * seconds if by_clock else inf
    until, latest, last = _times(begin, begin + span - RESERVE * seconds, X.size)
    found = [first_groups(X, k, start, until, mapped)]
    watch = Watch(X, k, callback, search, time.monotonic() + BOUND * span)
    if len(X) >= 2 * k:
        late = by_clock and time.monotonic() > latest
        searched = [] if late else _search(X, found[0], k, pace(last, iterations), rng, mapped, watch)
        if not searched:
            warn_no_search("best")
        found = searched or found
    proven = Proven(found[0], 0.0)
    if proving:
        proven = prove_bound(X, k, found, end - RESERVE * seconds, partial(watch.stop_proof, found[0]))
    if iterations is None:
        warn_if_late("best", begin, seconds)
    labels = proven.labels if iterations is None else found[0]
    if not certify:
        return labels
    loss, bound = sse(X, labels), proven.bound
    gap = (loss - bound) / loss if loss > 0 else 0.0
    unit = 2.0 ** scale_of(given)
    return Certified(labels, loss * unit * unit, bound * unit * unit, gap)


def _compile_first(X: Matrix, proof: bool, seconds: float) -> None:
    """Compile, or load, what the call will need, so that the clock is for the search alone."""
    from shoal._kernels.spatial.near_lists import WITHOUT_COMPILING

    begin = time.monotonic()
    _compile(
        max(size for size in (0, WITHOUT_COMPILING + 1, SCANNED, PARTED_FROM) if size <= len(X)),
        X.shape[1] > 1,
        proof,
        X.size > MANY_NUMBERS,
    )
    warn_if_compiled("best", time.monotonic() - begin, seconds)


@cache
def _compile(n: int, several: bool, proof: bool, many: bool) -> None:
    """A small search on random records: other sizes of file, and of columns, need other code."""
    columns = 1 + MANY_NUMBERS // max(n, 60) if many else 3 if several else 1
    X = np.random.default_rng(0).normal(size=(max(n, 60), columns))
    best(X, 3, iterations=1, rng=0)
    if proof:
        best(X[:30, :3], 3, iterations=1, certify=True, rng=0)


def _times(begin: float, end: float, size: int) -> tuple[float, float, float]:
    """Until when the first groups should be made, when a search has to begin, and when it has to end."""
    last = end - LAST * size
    latest, until = last - READY * size, begin + START * (end - begin)
    return until if until < latest else end, latest, last


def _search(
    X: Matrix,
    labels: Labels,
    k: int,
    rounds: Iterator[tuple[int, float]],
    rng: np.random.Generator,
    workers: MapLike,
    watch: Watch,
) -> list[Labels]:
    """Anneal a file as a whole, or a large one in parts; the best partition first, none without time."""
    file = spatial_file(X, k, NEIGHBOURS + k, around=64, read=64)
    first = list(islice(rounds, 1))
    if not first:
        return []

    def stop(fraction: float, found: Labels) -> bool:
        return watch.callback is not None and watch.stop(watch.search * fraction, file.in_file_order(found))

    anneal = anneal_parts if len(X) >= PARTED_FROM else anneal_copies
    found = anneal(file, relabel(labels[file.order]), k, chain(first, rounds), rng, workers, stop)
    return [file.in_file_order(one) for one in found]


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
        sweeps, before = int(np.clip(wanted, 1, min(10 * sweeps, MOST_SWEEPS))), now


class Watch:
    """What the callback is told: loss, bound and gap; it remembers the bound and whether to stop."""

    def __init__(self, X: Matrix, k: int, callback: Callback | None, search: float, end: float) -> None:
        self.X, self.callback, self.search = X, callback, search  # which share of the work is the search
        self.total = float((X**2).sum())
        self.bound = neighbour_bound(X, k, end)[0] if callback is not None else 0.0
        self.stopped = False

    def stop(self, fraction: float, labels: Labels) -> bool:
        """Tell the callback; True if it wants no more."""
        if self.callback is not None and not self.stopped:
            loss = sse(self.X, labels)
            share = 100 / self.total if self.total > 0 else 0.0
            gap = 100 * (loss - self.bound) / loss if loss > 0 else 0.0
            message = f"loss {share * loss:.4f} %, bound {share * self.bound:.4f} %, gap {gap:.1f} %"
            self.stopped = bool(self.callback(Progress(min(fraction, 1.0), message, labels, share * loss)))
        return self.stopped

    def stop_proof(self, labels: Labels, fraction: float, bound: float) -> bool:
        """The same after the search, when the bound grows; True also if it was stopped before."""
        self.bound = bound
        return self.stop(self.search + (1 - self.search) * fraction, labels)
