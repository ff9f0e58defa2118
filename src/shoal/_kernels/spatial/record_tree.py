"""A tree of boxes and balls over records that leave one by one: points in leaves, leaves in branches.

Two levels are enough: the bounds of FAN leaves or branches are computed at once, side by side, which is as
cheap as looking at a handful of records. Layout of everything: (block, column, place in the block).
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit, kernel_only
from shoal._kernels.spatial.spatial_order import FAN, LEAF, spatial_order

NO_RECORD = 2**31 - 1  # larger than any row position
PATIENCE = 8  # bounds are fitted again after this many departures from a leaf; no measurement on record


class Bounds(NamedTuple):
    """What encloses the children of a node; first axis: the parent's number, last: place in the parent."""

    low: Matrix  # box
    high: Matrix
    mid: Matrix  # ball
    radius: Matrix
    outer: Matrix  # squared distance from the origin of the tree to the farthest record
    first: Slots  # lowest row position inside, NO_RECORD if empty


class Tree(NamedTuple):
    """Records in leaves, leaves in branches, branches in groups of FAN."""

    points: Matrix  # NaN where a record has left
    rows: Slots
    size: Rows  # records in a leaf
    leaves: Bounds
    branches: Bounds
    origin: Matrix
    reach: float  # no record is farther from the origin


def build_tree(X: Matrix, rows: Slots, places: Slots, origin: Matrix) -> Tree:
    """A tree over the given rows; `places[row]` tells afterwards where the record is."""
    d, n, leaves = X.shape[1], len(rows), -(-len(rows) // LEAF)
    table = np.full((leaves, LEAF), NO_RECORD, np.int32)
    table.ravel()[:n] = rows
    del rows  # memory counts: nobody else may need them
    points = np.empty((leaves, d, LEAF))
    spatial_order(X, table.ravel()[:n], points.ravel())
    points[:] = np.nan
    tree = Tree(
        points,
        table,
        np.zeros(leaves, np.intp),
        _no_bounds(leaves, d),
        _no_bounds(-(-leaves // FAN), d),
        origin.copy(),
        np.inf,
    )
    _fill(X, tree, places)
    low, high = tree.branches.low.min(axis=(0, 2)), tree.branches.high.max(axis=(0, 2))
    return tree._replace(reach=sqrt(d) * float(np.maximum(high - origin, origin - low).max()) + 1e-150)


def _no_bounds(blocks: int, d: int) -> Bounds:
    shape = (-(-blocks // FAN), d, FAN)
    flat = (shape[0], FAN)
    return Bounds(
        np.full(shape, np.inf),
        np.full(shape, -np.inf),
        np.zeros(shape),
        np.zeros(flat),
        np.full(flat, -np.inf),
        np.full(flat, NO_RECORD, np.int32),
    )


@jit
def _fill(X: Matrix, tree: Tree, places: Slots) -> None:
    leaves = tree.leaves
    for block in range(len(tree.points)):
        for i in range(LEAF):
            row = tree.rows[block, i]
            if row != NO_RECORD:
                places[row] = block * LEAF + i
                tree.size[block] += 1
                for j in range(X.shape[1]):
                    tree.points[block, j, i] = X[row, j]
        _centre(tree.points, tree.size[block], block, leaves.mid)
        _fit_leaf(tree.points, tree.rows, tree.origin, tree.leaves, block)
    for branch in range(len(leaves.low)):
        _centre(leaves.mid, min(FAN, len(tree.points) - branch * FAN), branch, tree.branches.mid)
        _fit_branch(leaves, tree.branches, branch)


@kernel_only
def _centre(points: Matrix, size: int, block: int, mid: Matrix) -> None:
    """The mean of the first points of a block."""
    for j in range(points.shape[1]):
        total = 0.0
        for i in range(size):
            total += points[block, j, i]
        mid[block // FAN, j, block % FAN] = total / size


@kernel_only
def _fit_leaf(points: Matrix, rows: Slots, origin: Matrix, bounds: Bounds, block: int) -> None:
    """Fit box and ball of a leaf to the records that are left in it."""
    group, place = block // FAN, block % FAN
    from_mid, from_origin = np.zeros(LEAF), np.zeros(LEAF)
    for j in range(points.shape[1]):
        low, high, mid, zero = np.inf, -np.inf, bounds.mid[group, j, place], origin[j]
        for i in range(LEAF):
            value = points[block, j, i]
            low = value if value < low else low
            high = value if value > high else high
            from_mid[i] += (value - mid) * (value - mid)
            from_origin[i] += (value - zero) * (value - zero)
        bounds.low[group, j, place], bounds.high[group, j, place] = low, high
    first, radius, outer = NO_RECORD, 0.0, -np.inf
    for i in range(LEAF):
        if rows[block, i] != NO_RECORD:
            first = rows[block, i] if rows[block, i] < first else first
            radius = from_mid[i] if from_mid[i] > radius else radius
            outer = from_origin[i] if from_origin[i] > outer else outer
    bounds.first[group, place] = first
    bounds.radius[group, place], bounds.outer[group, place] = sqrt(radius), outer


@kernel_only
def _fit_branch(leaves: Bounds, bounds: Bounds, branch: int) -> None:
    """Fit box and ball of a branch to its leaves."""
    group, place = branch // FAN, branch % FAN
    from_mid = np.zeros(FAN)
    for j in range(leaves.low.shape[1]):
        low, high, mid = np.inf, -np.inf, bounds.mid[group, j, place]
        for i in range(FAN):
            low = leaves.low[branch, j, i] if leaves.low[branch, j, i] < low else low
            high = leaves.high[branch, j, i] if leaves.high[branch, j, i] > high else high
            from_mid[i] += (leaves.mid[branch, j, i] - mid) * (leaves.mid[branch, j, i] - mid)
        bounds.low[group, j, place], bounds.high[group, j, place] = low, high
    first, radius, outer = NO_RECORD, 0.0, -np.inf
    for i in range(FAN):
        if leaves.first[branch, i] != NO_RECORD:
            first = leaves.first[branch, i] if leaves.first[branch, i] < first else first
            radius = max(radius, sqrt(from_mid[i]) + leaves.radius[branch, i])
            outer = max(outer, leaves.outer[branch, i])
    bounds.first[group, place] = first
    bounds.radius[group, place], bounds.outer[group, place] = radius, outer


@kernel_only
def remove(tree: Tree, places: Slots, row: int) -> None:
    """Take a record out; boxes and balls shrink now and then, they always enclose what is left."""
    block, place = places[row] // LEAF, places[row] % LEAF
    places[row] = -1
    tree.rows[block, place] = NO_RECORD
    tree.size[block] -= 1
    for j in range(tree.points.shape[1]):
        tree.points[block, j, place] = np.nan
    if tree.size[block] % PATIENCE == 0:
        _fit_leaf(tree.points, tree.rows, tree.origin, tree.leaves, block)
        _fit_branch(tree.leaves, tree.branches, block // FAN)
