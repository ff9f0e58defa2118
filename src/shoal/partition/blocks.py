"""Blocks of neighbours: cut the records, and work on the blocks by any map-like workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.types import MapLike, Matrix

Rows = NDArray[np.int32]  # four bytes: positions of ten million records take as much as half a column

SAMPLE = 2000  # records that tell across which column to cut
BATCH = 256  # blocks handed out at a time: workers that take all tasks at once would copy the whole file


def cut_blocks(X: Matrix, rows: Rows, k: int, block_size: int) -> Iterator[Rows]:
    """Halve the rows, at a multiple of k, until blocks are small enough.

    Every cut goes across the column whose two halves lie farthest apart (on average, not by their extremes:
    few but large numbers among zeros are no reason to cut).

    >>> [block.tolist() for block in cut_blocks(np.array([[0.0], [9.0], [1.0], [8.0]]), np.arange(4), 2, 3)]
    [[0, 2], [1, 3]]
    """
    waiting = [rows]
    while waiting:
        rows = waiting.pop()
        if len(rows) <= block_size:
            yield np.sort(rows)
            continue
        half = max(len(rows) // (2 * k), 1) * k
        order = np.argpartition(X[rows, _widest(X[rows[:: -(-len(rows) // SAMPLE)]])], half)
        waiting += [rows[order[half:]], rows[order[:half]]]


def _widest(X: Matrix) -> int:
    """The column whose upper and lower half have the most different means."""
    return int(np.argmax(np.abs(X - np.median(X, axis=0)).sum(axis=0)))


def work_on(function: Callable[[Any], Any], tasks: Iterator[Any], workers: MapLike) -> Iterator[Any]:
    """The results in order; tasks are made when their batch has its turn.

    >>> list(work_on(abs, iter([-1, 2]), map))
    [1, 2]
    """
    if workers is map:  # one at a time
        yield from map(function, tasks)
    while batch := list(islice(tasks, BATCH)):
        yield from workers(function, batch)
