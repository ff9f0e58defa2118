"""Lists of near records: the nearest ones in the closest leaves, most or all of the true nearest.

The records must be in spatial order (`order.spatial_order`): every LEAF of them in a row are a leaf.
Distances are taken in single precision, but from the middle of a leaf: a far origin costs no digits.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inline, interpreted_if_small, is_cached, jit, kernel_only
from shoal._kernels.spatial.spatial_order import LEAF
from shoal._kernels.threads import useful_threads

WITHOUT_COMPILING = 1_500  # records: numpy lists the near ones of so many in 0.3 s; compiling takes 1.5

Singles: TypeAlias = NDArray[np.float32]


class Leaves(NamedTuple):
    """Records side by side (leaf, column, place) minus the middle of their leaf, and boxes around them."""

    points: Singles  # infinite where a place is empty
    middle: Matrix
    low: Matrix
    high: Matrix


class Workspace(NamedTuple):
    """What a thread writes on: what is known of the leaves around, and of the records in those it reads."""

    closest: Rows
    keys: Matrix
    low: Singles
    high: Singles
    bounds: Singles
    chosen: Rows
    distances: Singles  # a line per chosen leaf
    least: Singles  # the smallest distance at each place of these lines
    folded: Singles
    nearest: Singles


def near_records(
    X: Matrix, count: int, around: int, read: int, first: int, *, busy: int = 0
) -> tuple[Slots, Matrix]:
    """`count` near other records of every record, the closest first; squared distances of `first`, summed.

    A record looks at the `read` closest of the `around` leaves whose middles are closest to that of its own
    leaf: exact if there are no more leaves, linear in the number of records otherwise. `busy` processors are
    left to others.
    """
    leaves, near, sums = (
        interpreted_if_small(_leaves, X.size)(X),
        np.empty((len(X), count), np.int32),
        np.empty(len(X)),
    )
    number = len(leaves.points)
    around, read = min(around, number), min(read, number)
    kernel: Any = _near_records
    if read == number and len(X) <= WITHOUT_COMPILING and not (kernel.signatures or is_cached(kernel)):
        _near_by_numpy(X, leaves, first, near, sums)
        return near, sums
    threads = max(1, useful_threads(read * LEAF * X.size) - busy)
    desks = [_workspace(X.shape[1], count, around, read) for _ in range(threads)]
    cuts = np.linspace(0, number, threads + 1).astype(np.intp)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(partial(_near_records, X, leaves, first, near, sums), desks, cuts[:-1], cuts[1:]))
    return near, sums


def _near_by_numpy(X: Matrix, leaves: Leaves, first: int, near: Slots, sums: Matrix) -> None:
    """The same lists as those of the kernel to the last tie, where every record reads all leaves."""
    number, d = leaves.middle.shape
    low, high = leaves.low.astype(np.float32), leaves.high.astype(np.float32)
    for leaf in range(number):
        rows = slice(leaf * LEAF, min((leaf + 1) * LEAF, len(X)))
        closest = np.argsort(_sums_of_squares(leaves.middle - leaves.middle[leaf]), kind="stable")
        own = X[rows].astype(np.float32)[:, None]
        gaps = np.maximum(np.maximum(low[closest] - own, own - high[closest]), np.float32(0.0))
        order = closest[np.argsort(_sums_of_squares(gaps), axis=1, kind="stable")]
        away = (X[rows][:, None] - leaves.middle).astype(np.float32)  # record, leaf, column
        distances = np.zeros((len(own), number, LEAF), np.float32)
        for c in range(0, d, 2):  # two columns at a time, as the kernel adds them
            squares = [(leaves.points[:, b] - away[:, :, b, None]) ** 2 for b in range(c, min(c + 2, d))]
            distances += sum(squares[1:], squares[0])
        at = np.arange(len(own))
        distances[at, leaf, at] = np.inf  # nobody is near itself
        by_place = np.take_along_axis(distances, order[:, :, None], axis=1).swapaxes(1, 2)
        flat = by_place.reshape(len(own), -1)
        chosen = np.argsort(flat, axis=1, kind="stable")[:, : near.shape[1]]
        near[rows] = np.take_along_axis(order, chosen % number, axis=1) * LEAF + chosen // number
        nearest = np.take_along_axis(flat, chosen, axis=1)
        sums[rows] = np.cumsum(nearest[:, :first], axis=1, dtype=np.float64)[:, -1]


def _sums_of_squares(values: NDArray[np.floating]) -> NDArray[np.floating]:
    """Along the last axis, column after column as the kernel adds them."""
    total = np.zeros_like(values[..., 0])
    for c in range(values.shape[-1]):
        total += values[..., c] ** 2
    return total


def _workspace(d: int, count: int, around: int, read: int) -> Workspace:
    single = np.float32
    return Workspace(
        np.empty(around, np.intp),
        np.empty(around),
        np.empty((d, around), single),
        np.empty((d, around), single),
        np.empty(around, single),
        np.empty(read, np.intp),
        np.empty((read, LEAF), single),
        np.empty(LEAF, single),
        np.empty(LEAF, single),
        np.empty(count, single),
    )


@jit
def _leaves(X: Matrix) -> Leaves:
    number, d = (len(X) + LEAF - 1) // LEAF, X.shape[1]
    points, middle = np.full((number, d, LEAF), np.float32(np.inf)), np.zeros((number, d))
    low, high = np.full((number, d), np.inf), np.full((number, d), -np.inf)
    for leaf in range(number):
        first, last = leaf * LEAF, min((leaf + 1) * LEAF, len(X))
        for i in range(first, last):
            for c in range(d):
                middle[leaf, c] += X[i, c] / (last - first)
                low[leaf, c], high[leaf, c] = min(low[leaf, c], X[i, c]), max(high[leaf, c], X[i, c])
        for i in range(first, last):
            for c in range(d):
                points[leaf, c, i - first] = X[i, c] - middle[leaf, c]
    return Leaves(points, middle, low, high)


@jit
def _near_records(
    X: Matrix, leaves: Leaves, first: int, near: Slots, sums: Matrix, work: Workspace, start: int, stop: int
) -> None:
    for leaf in range(start, stop):
        _closest_leaves(leaves.middle, leaf, work.closest, work.keys)
        for a in range(len(work.closest)):
            for c in range(X.shape[1]):
                work.low[c, a] = leaves.low[work.closest[a], c]
                work.high[c, a] = leaves.high[work.closest[a], c]
        for i in range(leaf * LEAF, min((leaf + 1) * LEAF, len(X))):
            _to_boxes(work, X, i)
            _clear(work.least)
            for line in range(len(work.chosen)):
                a = _first_smallest(work.bounds)
                work.bounds[a], work.chosen[line] = np.inf, work.closest[a]
                _measure(leaves, work, line, X, i)
                if work.chosen[line] == leaf:
                    work.distances[line, i - leaf * LEAF] = np.inf  # nobody is near itself
                _lower(work, line)
            _list_nearest(work, near, i)
            sums[i] = 0.0
            for p in range(first):
                sums[i] += work.nearest[p]


@kernel_only
def _closest_leaves(middle: Matrix, leaf: int, closest: Rows, keys: Matrix) -> None:
    """The numbers of the leaves with the closest middles, by insertion."""
    size = len(closest)
    for p in range(size):
        keys[p] = np.inf
    for other in range(len(middle)):
        key = 0.0
        for c in range(middle.shape[1]):
            key += (middle[other, c] - middle[leaf, c]) ** 2
        if key < keys[size - 1] or other < size:
            p = min(other, size - 1)
            while p > 0 and keys[p - 1] > key:
                keys[p], closest[p] = keys[p - 1], closest[p - 1]
                p -= 1
            keys[p], closest[p] = key, other


@kernel_only
def _to_boxes(work: Workspace, X: Matrix, i: int) -> None:
    """Squared distances to boxes that lie side by side."""
    low, high, bounds, zero = work.low, work.high, work.bounds, np.float32(0.0)
    for a in range(len(bounds)):
        bounds[a] = zero
    for c in range(X.shape[1]):
        value = np.float32(X[i, c])
        for a in range(len(bounds)):
            below, above = low[c, a] - value, value - high[c, a]
            gap = below if below > above else above
            gap = gap if gap > zero else zero
            bounds[a] += gap * gap


@inline
def _first_smallest(bounds: Singles) -> int:
    smallest, best = 0, bounds[0]
    for a in range(1, len(bounds)):
        smallest = a if bounds[a] < best else smallest
        best = bounds[a] if bounds[a] < best else best
    return smallest


@inline
def _measure(leaves: Leaves, work: Workspace, line: int, X: Matrix, i: int) -> None:
    """Squared distances to the records of a leaf, two columns at a time."""
    points, middle, distances = leaves.points, leaves.middle, work.distances
    leaf, d = work.chosen[line], X.shape[1]
    for a in range(LEAF):
        distances[line, a] = 0.0
    for c in range(0, d - 1, 2):
        value, other = np.float32(X[i, c] - middle[leaf, c]), np.float32(X[i, c + 1] - middle[leaf, c + 1])
        for a in range(LEAF):
            along, across = points[leaf, c, a] - value, points[leaf, c + 1, a] - other
            distances[line, a] += along * along + across * across
    if d % 2 == 1:
        value = np.float32(X[i, d - 1] - middle[leaf, d - 1])
        for a in range(LEAF):
            along = points[leaf, d - 1, a] - value
            distances[line, a] += along * along


@inline
def _lower(work: Workspace, line: int) -> None:
    distances, least = work.distances, work.least
    for a in range(LEAF):
        least[a] = distances[line, a] if distances[line, a] < least[a] else least[a]


@kernel_only
def _list_nearest(work: Workspace, near: Slots, i: int) -> None:
    """The nearest of all records read, sorted; a limit that enough do not exceed leaves few to compare."""
    distances, least, folded, keys = work.distances, work.least, work.folded, work.nearest
    width, last = LEAF, len(keys) - 1
    for a in range(LEAF):
        folded[a] = least[a]
    while width >= 4 * len(keys):  # the smallest of 2, 4, ... places
        width //= 2
        for a in range(width):
            folded[a] = folded[a + width] if folded[a + width] < folded[a] else folded[a]
    _clear(keys)
    for a in range(width):
        if folded[a] < keys[last]:
            _insert(folded[a], 0, keys, near, i)
    limit = keys[last]
    _clear(keys)
    for a in range(LEAF):
        if least[a] <= limit:
            for line in range(len(distances)):
                if distances[line, a] <= limit and distances[line, a] < keys[last]:
                    _insert(distances[line, a], work.chosen[line] * LEAF + a, keys, near, i)


@kernel_only
def _clear(keys: Singles) -> None:
    for p in range(len(keys)):
        keys[p] = np.inf


@kernel_only
def _insert(key: float, row: int, keys: Singles, near: Slots, i: int) -> None:
    p = len(keys) - 1
    while p > 0 and keys[p - 1] > key:
        keys[p], near[i, p] = keys[p - 1], near[i, p - 1]
        p -= 1
    keys[p], near[i, p] = key, row


@jit
def groups_known(near: Slots, labels: Rows, some: Rows) -> Rows:
    """To how many other groups the first 1, 2, ... near records of members lead; some groups, one by one."""
    known, seen, first = np.zeros(near.shape[1], np.intp), np.full(len(near), -1), 0
    while first < len(some):
        home, last = labels[some[first]], first
        while last < len(some) and labels[some[last]] == home:
            last += 1
        seen[home] = home
        for q in range(near.shape[1]):
            for p in range(first, last):
                other = labels[near[some[p], q]]
                known[q] += seen[other] != home
                seen[other] = home
        first = last
    return np.cumsum(known)
