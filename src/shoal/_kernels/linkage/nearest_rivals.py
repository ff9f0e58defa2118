"""Rivals: is any masked record closer to an original record than its own, and how many are as close?

Points have columns of two sorts: first `m` numbers, at distance (x - y)^2, then names (codes), at distance
`weight` where they differ. The boxes of a tree serve both: no name outside a box's range of codes is in it.
"""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import inline, jit, kernel_only
from shoal._kernels.spatial.record_tree import Bounds, Tree
from shoal._kernels.spatial.spatial_order import FAN, LEAF
from shoal._kernels.spatial.tree_search import measure, to_box


@jit
def count_rivals(X: Matrix, reach: Matrix, tree: Tree, copies: Rows, m: int, weight: Matrix) -> Rows:
    """For every row i of X: 0 if a point is closer than reach[i, 0], else the copies within reach[i, 1].

    No point may have left the tree; `copies` tells how many records each of them stands for.
    """
    rivals, far = np.zeros(len(X), np.intp), np.empty((len(tree.branches.low), FAN))
    for i in range(len(X)):
        nearest = 0
        for group in range(len(far)):
            _bound(tree.branches, group, X[i], m, weight, far[group])
            best = group * FAN + int(np.argmin(far[group]))
            if far[best // FAN, best % FAN] < far[nearest // FAN, nearest % FAN]:
                nearest = best
        for turn in range(-1, len(tree.leaves.low)):  # the nearest branch first: often it has the answer
            branch = nearest if turn < 0 else turn
            if far[branch // FAN, branch % FAN] <= reach[i, 1]:
                far[branch // FAN, branch % FAN] = np.nan  # done
                found = _in_branch(X[i], reach[i], tree, branch, copies, m, weight)
                rivals[i] += found
                if found < 0:
                    rivals[i] = 0
                    break
    return rivals


@kernel_only
def _in_branch(
    x: Matrix, reach: Matrix, tree: Tree, branch: int, copies: Rows, m: int, weight: Matrix
) -> int:
    """The copies within reach in a branch; -1 if a point is too close."""
    far, distances, found = np.empty(FAN), np.empty(LEAF), 0
    _bound(tree.leaves, branch, x, m, weight, far)
    nearest = int(np.argmin(far))
    for turn in range(-1, min(FAN, len(tree.points) - branch * FAN)):
        i = nearest if turn < 0 else turn
        if far[i] <= reach[1]:
            far[i] = np.nan
            leaf = branch * FAN + i
            measure(tree.points, leaf, x[:m], distances)
            _add_names(tree.points, leaf, x, m, weight, distances)
            for t in range(tree.size[leaf] if _any_within(distances, reach[1]) else 0):
                if distances[t] < reach[0]:
                    return -1
                if distances[t] <= reach[1]:
                    found += copies[tree.rows[leaf, t]]
    return found


@inline
def _any_within(distances: Matrix, limit: float) -> bool:
    """Seldom, and quickly said: the machine compares several at once."""
    hits = 0
    for t in range(LEAF):
        hits += distances[t] <= limit
    return hits > 0


@inline
def _bound(bounds: Bounds, group: int, x: Matrix, m: int, weight: Matrix, out: Matrix) -> None:
    """The least distance that points of FAN boxes can have."""
    to_box(bounds.low, bounds.high, group, x[:m], out)
    for j in range(m, len(x)):
        value = x[j]
        for i in range(FAN):
            outside = (value < bounds.low[group, j, i]) | (value > bounds.high[group, j, i])
            out[i] += weight[j] if outside else 0.0


@inline
def _add_names(points: Matrix, leaf: int, x: Matrix, m: int, weight: Matrix, out: Matrix) -> None:
    """The part of the distances that different names make."""
    for j in range(m, len(x)):
        value = x[j]
        for i in range(LEAF):
            out[i] += weight[j] if points[leaf, j, i] != value else 0.0
