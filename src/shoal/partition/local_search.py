"""Local search: move and trade records between neighbouring groups until nothing helps."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from shoal.partition._anneal.merge_partitions import cross
from shoal.partition._anneal.spatial_file import Nearby, nearby
from shoal.partition._anneal.split_file import cut, joined, part_of
from shoal.partition._shared.prepare import prepare
from shoal.partition._shared.start_labels import Start, start_labels
from shoal.partition.labels import relabel
from shoal.partition.mdav import mdav
from shoal.types import Labels, Matrix

if TYPE_CHECKING:
    from shoal._kernels.groups.groups import Groups

HOT, HOTTEST, COLD, STEPS = 0.65, 1.5, 0.3, 6  # the short annealing, in units of `Nearby.warmth`
SMALL = 10_000  # smaller files are searched whole, and twice, by about as many tries as one of this size
TRIES, SMALL_TRIES = 500, 240  # tries per record of a file of this size, and 1/k^2 or 1/k
MOST = 50  # times that number for a record of a tiny file
NEIGHBOURS = 8  # groups that a group deals with in a file of this size, on average
WIDE = 1.5  # times as many where groups are as the start left them: later, fewer are so close
SAMPLE = 40  # groups that tell how many others they are near to
SEED = 20  # fixed: the same file always gives the same groups


def local_search(X: Matrix, k: int, *, start: Start = mdav) -> Labels:
    """Improve the groups of another method: about a tenth less loss than MDAV.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    start
        The partitioner whose groups are improved, or labels at hand. Groups of 2k records or more are first
        divided by MDAV. The result is never worse.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Notes
    -----
    Groups take turns. Each looks at its neighbours, the groups that hold near records of its members (in a
    large file some ten of them, those with the closest means), and does what helps most: a record moves, or
    two trade places. Groups are dissolved into their neighbours and founded anew. In a short first phase
    small losses are accepted, by a fixed sequence of random numbers: the same file always gives the same
    groups, on any number of processors. Then only what helps is done, until nothing does; the result is
    never worse than the start. Files of 10,000 records or more are cut in two halves for the first phase,
    twice and differently, and two threads take one each; where groups are large they have no such phase.
    Smaller files are searched twice, and wherever one result is better, it is kept. Time O(n^1.3 (d + k)) for
    large files, which grows slower than MDAV's for ten unrelated columns; memory O(n (d + k)).

    References
    ----------
    Spath: Cluster dissection and analysis (1985), the exchange method. Kirkpatrick, Gelatt, Vecchi:
    Optimization by simulated annealing, Science 220 (1983), the first phase. Mortazavi, Jalili, Gohargazi:
    Multidimensional microaggregation by iterative optimization, Applied Intelligence 39 (2013), for
    iterated improvement of microaggregation.

    Examples
    --------
    >>> local_search([[0.0], [5.0], [0.1], [5.1], [0.2], [5.2]], 3)
    array([0, 1, 0, 1, 0, 1])
    """
    X, k = prepare(X, k)
    if len(X) < 2 * k:
        return start_labels(X, k, start)
    large = len(X) >= SMALL
    if callable(start):
        with ThreadPoolExecutor(1) as pool:  # MDAV keeps one processor busy, most of the time
            ready = pool.submit(_nearby, X, k, large, busy=1)
            labels, near = start_labels(X, k, start), ready.result()
    else:
        labels, near = start_labels(X, k, start), _nearby(X, k, large)
    begin = relabel(labels[near.order])
    groups = _improve(near, begin, k, large)
    if large:
        return near.in_file_order(_better(begin, groups, k))
    return near.in_file_order(cross(near.X, begin, relabel(groups.labels.astype(np.intp))))


def _nearby(X: Matrix, k: int, large: bool, *, busy: int = 0) -> Nearby:
    """Near records of every record: six to eight of a large file, a dozen of others."""
    if not large:
        return nearby(X, k, 12, around=32, read=12, busy=busy)
    wider = (len(X) / SMALL) ** 0.25  # the more leaves, the fewer hold what is near
    read = wider * min(8, max(4, 40 // k))  # the larger the groups, the less it matters who is nearest
    return nearby(X, k, min(8, max(6, 60 // k)), around=int(4 * read), read=int(read), busy=busy)


def _enough(near: Nearby, labels: Labels, neighbours: float) -> Nearby:
    """As many near records as it takes to know twice so many other groups: many columns need few."""
    from shoal._kernels.spatial.near_lists import groups_known

    some = np.flatnonzero(labels % max(1, int(labels.max()) // SAMPLE) == 0)
    some = some[np.argsort(labels[some], kind="stable")]
    known = groups_known(near.near, labels, some)
    enough = 1 + int(np.searchsorted(known, 2 * neighbours * len(np.unique(labels[some])), side="right"))
    return near._replace(near=np.ascontiguousarray(near.near[:, : max(2, enough)]))


def _improve(near: Nearby, labels: Labels, k: int, large: bool) -> Groups:
    """A short annealing, then a descent; labels are those of the records in spatial order."""
    from shoal._kernels.groups.descend import CUTS, LARGE, descend_and_regroup
    from shoal._kernels.groups.groups import groups_of
    from shoal._kernels.threads import two_at_once

    sweeps, rng = _sweeps(len(labels), k), np.random.default_rng(SEED)
    cuts, neighbours = 0 if sweeps or near.X.size < LARGE else CUTS, usual_neighbours(len(labels))
    if not sweeps and not cuts:
        neighbours *= WIDE
    near = _enough(near, labels, neighbours) if large else near
    step = partial(_anneal, k=k, sweeps=sweeps, neighbours=neighbours)
    with two_at_once() as both:
        if large:
            for heats in np.split(_heats(k), 2) if sweeps else []:  # another cut every time
                halves = cut(near.X, labels, rng.normal(size=near.X[0].shape), 2)
                work = partial(_anneal_half, near, labels, partial(step, heats=heats))
                labels = joined(halves, both(work, zip(halves, rng.spawn(2), strict=True)), len(labels))
        else:
            heats = np.geomspace(HOT, COLD, STEPS)
            first, second = both(partial(step, near, labels, heats=heats), rng.spawn(2))
            labels = cross(near.X, relabel(first), relabel(second))
    groups = groups_of(near.X, labels, k)
    descend_and_regroup(groups, near.near, k, neighbours, cuts)
    return groups


def _anneal_half(
    near: Nearby,
    labels: Labels,
    search: Callable[[Nearby, Labels, np.random.Generator], Labels],
    task: tuple[Labels, np.random.Generator],
) -> Labels:
    """The labels of a half of the file after the search."""
    rows, rng = task
    return search(*part_of(near, labels, rows), rng)


def usual_neighbours(n: int) -> float:
    """How many groups one deals with on average; in a small file all that hold near records.

    >>> usual_neighbours(1000), round(usual_neighbours(1_000_000))
    (inf, 32)
    """
    return NEIGHBOURS * float(n / SMALL) ** 0.3 if n >= SMALL else np.inf


def _heats(k: int) -> Matrix:
    """Temperatures for a large file: the larger the groups, the hotter it has to begin."""
    return np.geomspace(min(HOT * max(k / 3, 1) ** 0.9, HOTTEST), COLD, STEPS)


def _better(start: Labels, found: Groups, k: int) -> Labels:
    """The better of two partitions as a whole: quicker than `cross`, and the start is hardly ever better."""
    from shoal._kernels.groups.groups import groups_of, total_spread

    better = total_spread(found) < total_spread(groups_of(found.X, start, k))
    return found.labels.astype(np.intp) if better else start


def _sweeps(n: int, k: int) -> int:
    """Tries per record and temperature; they grow slower than the time of MDAV for a record does."""
    if n < SMALL:
        return max(1, round(SMALL_TRIES / k * min(SMALL / n, MOST) / STEPS))
    tries: float = TRIES / max(k, 3) ** 2 * (n / SMALL) ** 0.3
    return round(tries / STEPS)


def _anneal(
    near: Nearby,
    labels: Labels,
    rng: np.random.Generator,
    *,
    k: int,
    sweeps: int,
    neighbours: float,
    heats: Matrix,
) -> Labels:
    """Moves at falling temperatures, then only those that help."""
    from shoal._kernels.groups.anneal import anneal
    from shoal._kernels.groups.descend import descend_once
    from shoal._kernels.groups.groups import groups_of, refresh
    from shoal._kernels.random import dice_of

    groups, dice = groups_of(near.X, labels, k), dice_of(rng)
    for heat in heats:
        anneal(groups, near.near, near.warmth, k, sweeps, heat, dice)
    refresh(groups)
    descend_once(groups, near.near, k, neighbours)
    return groups.labels.astype(np.intp)
