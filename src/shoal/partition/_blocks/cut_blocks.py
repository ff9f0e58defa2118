"""Blocks of neighbours: cut the records, work on the blocks by any map-like workers, join their groups.

To save memory one array of row positions is sorted in place all the time: first block by block, then within
every block group by group. With the sizes of the groups it is a partition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.types import Callback, Labels, MapLike, Matrix, Progress

Rows = NDArray[np.int32]  # four bytes: positions of ten million records take as much as half a column

# Records that tell across which column to cut; half and double lose the same on california_housing.
SAMPLE_RECORDS = 2000
CHUNK = 50_000  # groups; no measurement on record
BATCH = 16  # blocks handed out at a time, or a quarter of them: workers that take all would copy the file


def cut_blocks(X: Matrix, rows: Rows, k: int, block_size: int) -> list[Rows]:
    """Halve the rows, at a multiple of k, until blocks are small enough; blocks are parts of `rows`.

    Every cut goes across the column whose two halves lie farthest apart (on average, not by their extremes:
    few but large numbers among zeros are no reason to cut). `rows` is sorted in place.

    >>> cut_blocks(np.array([[0.0], [9.0], [1.0], [8.0]]), np.arange(4), 2, 3)
    [array([0, 2]), array([1, 3])]
    """
    waiting, blocks = [rows], []
    while waiting:
        part = waiting.pop()
        if len(part) <= block_size:
            part.sort()
            blocks.append(part)
            continue
        half = max(len(part) // (2 * k), 1) * k
        part[:] = part[np.argpartition(X[part, _widest(X[part[:: -(-len(part) // SAMPLE_RECORDS)]])], half)]
        waiting += [part[half:], part[:half]]
    return blocks


def _widest(X: Matrix) -> int:
    """The column whose upper and lower half have the most different means."""
    return int(np.argmax(np.abs(X - np.median(X, axis=0)).sum(axis=0)))


def work_on(
    function: Callable[[Any], Any], tasks: Iterator[Any], count: int, workers: MapLike
) -> Iterator[Any]:
    """The results of all `count` tasks in order; tasks are made when their batch has its turn.

    >>> list(work_on(abs, iter([-1, 2]), 2, map))
    [1, 2]
    """
    if workers is map:  # one at a time
        yield from map(function, tasks)
    while batch := list(islice(tasks, max(count // 4, BATCH))):
        yield from workers(function, batch)


def group_blocks(
    blocks: list[Rows],
    results: Iterator[Labels],
    otherwise: Callable[[int], Labels],
    callback: Callback | None,
    message: str,
) -> tuple[Labels, bool]:
    """Sort every block in place, group by group; the sizes of all groups, and whether the callback said stop.

    `results` are labels inside the blocks, 0..g-1. After a stop `otherwise` gives those of block number i.

    >>> blocks = [np.array([0, 2, 3]), np.array([1])]
    >>> group_blocks(blocks, iter([np.array([1, 0, 1]), np.array([0])]), np.zeros, None, "block"), blocks
    ((array([1, 2, 1]), False), [array([2, 0, 3]), array([1])])
    """
    size, stopped = [], False
    for number, block in enumerate(blocks):
        inside = otherwise(number) if stopped else next(results)
        block[:] = block[np.argsort(inside, kind="stable")]
        size.append(np.bincount(inside))
        if callback is not None and not stopped:
            done = number + 1
            stopped = bool(callback(Progress(done / len(blocks), f"{message} {done} of {len(blocks)}")))
    return np.concatenate(size), stopped


def labels_of(rows: Rows, size: Labels) -> Labels:
    """One integer per row, 0..g-1 in order of first appearance; `rows` are sorted group by group.

    >>> labels_of(np.array([1, 3, 0, 2]), np.array([2, 2]))
    array([0, 1, 0, 1])
    """
    first = np.minimum.reduceat(rows, np.cumsum(size) - size)
    rank, labels = np.empty(len(size), dtype=np.int32), np.empty(len(rows), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(size))
    for groups, places in chunks(size):
        labels[rows[places]] = np.repeat(rank[groups], size[groups])
    return labels


def chunks(size: Labels) -> Iterator[tuple[slice, slice]]:
    """Some groups at a time, and where their rows are: what is worked out for all at once takes memory.

    >>> list(chunks(np.array([3, 4])))
    [(slice(0, 2, None), slice(0, 7, None))]
    """
    place = 0
    for start in range(0, len(size), CHUNK):
        groups = slice(start, min(start + CHUNK, len(size)))
        count = int(size[groups].sum())
        yield groups, slice(place, place + count)
        place += count
