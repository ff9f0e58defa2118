"""Tours: put records in an order in which close ones follow each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from shoal.partition._shared.nearest import nearest_records
from shoal.partition._shared.optimal_cut import ascending
from shoal.types import Labels, Matrix

Tour: TypeAlias = Callable[[Matrix], Labels]
# Near records that are tried as the next one: half and double lose 2 and 4 % more on Census at k = 10.
NEAR = 10


def nearest_next(X: Matrix) -> Labels:
    """Start at the record farthest from the mean and go on to the nearest free one, again and again.

    >>> nearest_next(np.array([[0.0], [5.0], [1.0], [4.0]]))
    array([0, 2, 3, 1])
    """
    from shoal._kernels.sequences.tours import walk

    path: Labels = walk(X, _farthest_from_mean(X), False)
    return path


def nearest_point_next(X: Matrix) -> Labels:
    """Start at the record closest to the mean and lengthen the path at whichever end is nearer to a free one.

    >>> nearest_point_next(np.array([[0.0], [5.0], [2.0], [4.0]]))
    array([1, 3, 2, 0])
    """
    from shoal._kernels.sequences.tours import walk

    start = int(np.argmin(_distances_from_mean(X)))
    path: Labels = walk(X, start, True)
    return path


def insertion(X: Matrix) -> Labels:
    """Insert the record farthest from the tour where it costs least (farthest insertion).

    Along one column that is a way there and back, so there the sorted values are the tour.

    >>> insertion(np.array([[0.0], [5.0], [1.0], [4.0]]))
    array([0, 2, 3, 1])
    """
    from shoal._kernels.sequences.tours import insert_farthest, open_tour

    if X.shape[1] == 1:
        return ascending(X[:, 0])
    start = _farthest_from_mean(X)
    path: Labels = open_tour(insert_farthest(X, start), X, start)
    return path


def greedy(X: Matrix) -> Labels:
    """Join the closest records first, then the paths that arise, the shortest edge always first.

    >>> greedy(np.array([[0.0], [5.0], [1.0], [4.0]]))
    array([0, 2, 3, 1])
    """
    points, point = np.unique(X, axis=0, return_inverse=True)  # equal records stay together
    position = np.empty(len(points), dtype=np.intp)
    position[_greedy_path(points)] = np.arange(len(points))
    path: Labels = np.argsort(position[point.reshape(-1)], kind="stable")
    return path


def shortened(X: Matrix, path: Labels) -> Labels:
    """The path after 2-opt and Or-opt moves between near records, from the same first record.

    >>> shortened(np.array([[0.0], [5.0], [1.0], [4.0]]), np.array([0, 3, 2, 1]))
    array([0, 2, 3, 1])
    """
    from shoal._kernels.sequences.two_opt import shorten

    near = nearest_records(X, min(NEAR, len(X) - 1))
    shorter: Labels = shorten(X, path, near)
    return shorter


def _greedy_path(points: Matrix) -> Labels:
    """Rounds of joining loose points and ends of paths, until there is one path."""
    from shoal._kernels.sequences.tours import add_edges, follow

    n = len(points)
    ends, degree = np.arange(n), np.zeros(n, dtype=np.intp)
    beside = np.full((n, 2), -1, dtype=np.intp)
    joined = 0
    while joined < n - 1:
        free = np.flatnonzero(degree < 2)
        joined += add_edges(_short_edges(points, free, ends), ends, degree, beside)
    tips = np.flatnonzero(degree < 2)
    start = tips[np.argmax(_distances_from_mean(points)[tips])]
    path: Labels = follow(beside, degree, int(start))
    return path


def _short_edges(points: Matrix, free: Labels, ends: Labels) -> Labels:
    """Edges between near free points, but not between the two ends of one path, shortest first."""
    from scipy.spatial import cKDTree

    distance, near = cKDTree(points[free]).query(points[free], min(NEAR + 1, len(free)))
    i, j = np.repeat(free, near.shape[1]), free[near.ravel()]
    low, high, length = np.minimum(i, j), np.maximum(i, j), distance.ravel()
    useful = (i != j) & (ends[i] != j)
    order = np.lexsort((high[useful], low[useful], length[useful]))
    edges: Labels = np.column_stack([low[useful], high[useful]])[order]
    return edges


def _distances_from_mean(X: Matrix) -> Matrix:
    difference = X - X.mean(axis=0)
    distances: Matrix = np.einsum("ij,ij->i", difference, difference)
    return distances


def _farthest_from_mean(X: Matrix) -> int:
    return int(np.argmax(_distances_from_mean(X)))


TOURS: tuple[Tour, ...] = (nearest_next, nearest_point_next, insertion, greedy)
