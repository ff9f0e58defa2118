"""MDAV by reading everything: for records in so many dimensions that bounds exclude hardly any of them.

One pass finds both the nearest and the farthest records; a round takes two passes, each shared by threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit, kernel_only
from shoal._kernels.mdav.farthest import Shell, outer_shell, outermost
from shoal._kernels.mdav.mdav_tree import Remaining, leave
from shoal._kernels.spatial.record_tree import NO_RECORD
from shoal._kernels.spatial.spatial_order import LEAF
from shoal._kernels.spatial.tree_search import admit, measure, replace_worst, worse
from shoal._kernels.threads import useful_threads


class ScanBlocks(NamedTuple):
    """The remaining records without gaps; layout (block, column, place in the block)."""

    points: Matrix
    rows: Slots


class Found(NamedTuple):
    """Heaps of the nearest records and of the farthest one, a line per thread."""

    near_keys: Matrix
    near: Rows
    far_keys: Matrix
    far: Rows


def scan_rounds(left: Remaining, k: int, stop: int) -> None:
    """Two groups at a time while at least `stop` records remain."""
    stored = _scan_blocks(left)
    shell = outer_shell(left.X, left.places, left.total / left.number[0])
    with ThreadPoolExecutor(useful_threads(stored.points.size)) as pool:
        while left.number[0] >= stop:
            centre = left.total / left.number[0]
            if shell.cursor[1] > left.number[0]:
                shell = outer_shell(left.X, left.places, centre)
            r = _outermost(left, shell, centre)
            if r == NO_RECORD:
                r = _farthest(left, _scan(pool, left, stored, centre, 1))
                shell.cursor[1] += left.number[0]
            found = _scan(pool, left, stored, left.X[r], k)
            _group(left, stored, found)
            s = _farthest(left, found)
            if s == NO_RECORD:  # everyone is equally far from r
                s = _farthest(left, _scan(pool, left, stored, left.X[r], 1))
            _group(left, stored, _scan(pool, left, stored, left.X[s], k))


def _scan_blocks(left: Remaining) -> ScanBlocks:
    rows = np.flatnonzero(left.places >= 0)
    blocks = -(-len(rows) // LEAF)
    stored = ScanBlocks(
        np.full((blocks, left.X.shape[1], LEAF), np.nan), np.full((blocks, LEAF), NO_RECORD, np.int32)
    )
    left.places[rows] = np.arange(len(rows))
    stored.rows.flat[: len(rows)] = rows
    for block in range(blocks):
        some = rows[block * LEAF : (block + 1) * LEAF]
        stored.points[block, :, : len(some)] = left.X[some].T
    return stored


def _scan(pool: ThreadPoolExecutor, left: Remaining, stored: ScanBlocks, q: Matrix, k: int) -> Found:
    """The k nearest and the farthest record of q, found by every thread among its share."""
    blocks = -(-int(left.number[0]) // LEAF)
    threads = useful_threads(blocks * LEAF * len(q))
    shape, cuts = (threads, k), np.linspace(0, blocks, threads + 1).astype(int)
    found = Found(
        np.empty(shape), np.empty(shape, np.intp), np.empty((threads, 1)), np.empty((threads, 1), np.intp)
    )
    others = [pool.submit(_scan_share, stored, cuts[t], cuts[t + 1], q, found, t) for t in range(1, threads)]
    _scan_share(stored, cuts[0], cuts[1], q, found, 0)
    for share in others:
        share.result()
    return found


@jit
def _scan_share(stored: ScanBlocks, start: int, stop: int, q: Matrix, found: Found, thread: int) -> None:
    near_keys, near = found.near_keys[thread], found.near[thread]
    far_keys, far = found.far_keys[thread], found.far[thread]
    near_keys[:], near[:], far_keys[:], far[:] = np.inf, NO_RECORD, np.inf, NO_RECORD
    distances = np.empty(LEAF)
    for block in range(start, stop):
        measure(stored.points, block, q, distances)
        admit(distances, stored.rows[block], near_keys, near)
        for i in range(LEAF):
            distances[i] = -distances[i]
        admit(distances, stored.rows[block], far_keys, far)


@jit
def _outermost(left: Remaining, shell: Shell, centre: Matrix) -> int:
    return outermost(left.X, left.places, shell, centre)


@jit
def _farthest(left: Remaining, found: Found) -> int:
    """The farthest record of all threads, NO_RECORD if it has left."""
    best = 0
    for thread in range(1, len(found.far)):
        if not worse(found.far_keys[thread, 0], found.far[thread, 0], found.far_keys[best], found.far[best]):
            best = thread
    row = found.far[best, 0]
    return row if left.places[row] >= 0 else NO_RECORD


@jit
def _group(left: Remaining, stored: ScanBlocks, found: Found) -> None:
    """The nearest records of all threads become a group and leave; the last records fill the gaps."""
    keys, rows = found.near_keys[0], found.near[0]
    for thread in range(1, len(found.near)):
        for i in range(len(rows)):
            if not worse(found.near_keys[thread, i], found.near[thread, i], keys, rows):
                replace_worst(found.near_keys[thread, i], found.near[thread, i], keys, rows)
    last = left.number[0] - 1
    leave(left, rows)
    for i in range(len(rows)):
        gap, moved = left.places[rows[i]], stored.rows[last // LEAF, last % LEAF]
        left.places[moved] = gap
        left.places[rows[i]] = -1 - left.number[1]
        _move(stored, last, gap)
        last -= 1


@kernel_only
def _move(stored: ScanBlocks, last: int, gap: int) -> None:
    """Put the last record into the gap and clear its old place."""
    points, rows = stored
    rows[gap // LEAF, gap % LEAF] = rows[last // LEAF, last % LEAF]
    rows[last // LEAF, last % LEAF] = NO_RECORD
    for j in range(points.shape[1]):
        points[gap // LEAF, j, gap % LEAF] = points[last // LEAF, j, last % LEAF]
        points[last // LEAF, j, last % LEAF] = np.nan
