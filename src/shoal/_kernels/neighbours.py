"""The nearest records of every record, or of other points; among equals the lowest row position first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inner, jit
from shoal._kernels.order import spatial_order
from shoal._kernels.search import NEAREST, replace_worst, search
from shoal._kernels.threads import useful_threads
from shoal._kernels.tree import Tree, plant


def nearest_rows(X: Matrix, points: Matrix, m: int) -> tuple[Rows, Matrix]:
    """Rows of the m records of X nearest to every point, the closest first, and their squared distances."""
    tree = plant(X, np.arange(len(X), dtype=np.int32), np.empty(len(X), np.int32), X.mean(axis=0))
    order = np.arange(len(points), dtype=np.int32)
    spatial_order(points, order, np.empty(len(order)))  # one search reads what the one before has just read
    rows, squares = np.empty((len(points), m), np.intp), np.empty((len(points), m))
    threads = useful_threads(X.size)
    with ThreadPoolExecutor(threads) as pool:
        shares = np.array_split(order, threads)
        list(pool.map(lambda share: _nearest_rows(tree, points, share, rows, squares), shares))
    return rows, squares


@jit
def _nearest_rows(tree: Tree, points: Matrix, order: Slots, rows: Rows, squares: Matrix) -> None:
    for i in order:
        search(tree, points[i], NEAREST, squares[i], rows[i])
        unheap(squares[i], rows[i])


@inner
def unheap(keys: Matrix, rows: Rows) -> None:
    """Sort a heap: the worst goes to the end, again and again."""
    for last in range(len(keys) - 1, 0, -1):
        key, row = keys[last], rows[last]
        keys[last], rows[last] = keys[0], rows[0]
        replace_worst(key, row, keys[:last], rows[:last])
