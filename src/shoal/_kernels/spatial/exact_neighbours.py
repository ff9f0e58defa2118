"""The nearest records of every record, or of other points; among equals the lowest row position first."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from math import inf

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit, kernel_only
from shoal._kernels.spatial.record_tree import Tree, build_tree
from shoal._kernels.spatial.spatial_order import spatial_order
from shoal._kernels.spatial.tree_search import NEAREST, replace_worst, search
from shoal._kernels.threads import useful_threads

POINTS_PER_LOOK = 2_000  # points between two looks at the clock; no measurement on record


def nearest_rows(X: Matrix, points: Matrix, m: int, end: float = inf) -> tuple[Rows, Matrix]:
    """Rows of the m records of X nearest to every point, the closest first, and their squared distances.

    The rows of points not reached before `time.monotonic` shows `end` are -1, their distances zero.
    """
    tree = build_tree(X, np.arange(len(X), dtype=np.int32), np.empty(len(X), np.int32), X.mean(axis=0))
    order = np.arange(len(points), dtype=np.int32)
    spatial_order(points, order, np.empty(len(order)))  # one search reads what the one before has just read
    rows, squares = np.full((len(points), m), -1), np.zeros((len(points), m))

    def measure(share: Slots) -> None:
        if time.monotonic() < end:
            _nearest_rows(tree, points, share, rows, squares)

    with ThreadPoolExecutor(useful_threads(X.size)) as pool:
        list(pool.map(measure, np.array_split(order, len(order) // POINTS_PER_LOOK + 1)))
    return rows, squares


@jit
def _nearest_rows(tree: Tree, points: Matrix, order: Slots, rows: Rows, squares: Matrix) -> None:
    for i in order:
        search(tree, points[i], NEAREST, squares[i], rows[i])
        unheap(squares[i], rows[i])


@kernel_only
def unheap(keys: Matrix, rows: Rows) -> None:
    """Sort a heap: the worst goes to the end, again and again."""
    for last in range(len(keys) - 1, 0, -1):
        key, row = keys[last], rows[last]
        keys[last], rows[last] = keys[0], rows[0]
        replace_worst(key, row, keys[:last], rows[:last])
