"""Nearest and farthest records in a tree; among equals the lowest row position comes first.

A farthest record is a nearest one if every squared distance carries a minus: one search serves both. `keys`
and `rows` are a heap with the worst of the best on top.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inline, kernel_only
from shoal._kernels.spatial.record_tree import NO_RECORD, Bounds, Tree
from shoal._kernels.spatial.spatial_order import FAN, LEAF

NEAREST, FARTHEST = 1.0, -1.0  # the sign that makes the wanted distance the least one


@kernel_only
def search(tree: Tree, q: Matrix, sign: float, keys: Matrix, rows: Rows) -> int:
    """Fill `keys` and `rows` with the nearest or farthest records of q; return the number of leaves read."""
    leaves, branches = tree.leaves, tree.branches
    keys[:], rows[:] = np.inf, NO_RECORD
    outer, inner_bounds = np.empty((len(branches.low), FAN)), np.empty(FAN)
    distances, scratch = np.empty(LEAF), np.empty((3, FAN))
    best, start = np.inf, 0
    for group in range(len(branches.low)):
        bound(branches, group, tree.origin, tree.reach, q, sign, scratch, outer[group])
        for i in range(FAN):
            if outer[group, i] < best:
                best, start = outer[group, i], group * FAN + i
    read = 0
    for turn in range(-1, len(leaves.low)):  # the most promising branch first, then as they come
        branch = start if turn < 0 else turn
        group, place = branch // FAN, branch % FAN
        if worse(outer[group, place], branches.first[group, place], keys, rows):
            continue
        outer[group, place] = np.nan  # done
        bound(leaves, branch, tree.origin, tree.reach, q, sign, scratch, inner_bounds)
        first = 0
        for i in range(FAN):
            first = i if inner_bounds[i] < inner_bounds[first] else first
        for step in range(-1, FAN):
            i = first if step < 0 else step
            if not worse(inner_bounds[i], leaves.first[branch, i], keys, rows):
                inner_bounds[i] = np.nan
                measure(tree.points, branch * FAN + i, q, distances)
                for a in range(LEAF):
                    distances[a] *= sign
                admit(distances, tree.rows[branch * FAN + i], keys, rows)
                read += 1
    return read


@inline
def worse(key: float, row: int, keys: Matrix, rows: Rows) -> bool:
    """Nothing with at least this key and row position can enter the heap (NaN: was here already)."""
    return not (key < keys[0] or (key == keys[0] and row < rows[0]))


@inline
def bound(
    bounds: Bounds,
    group: int,
    origin: Matrix,
    reach: float,
    q: Matrix,
    sign: float,
    scratch: Matrix,
    out: Matrix,
) -> None:
    """Lower bounds of the signed squared distance of q to FAN blocks; infinite for an empty one.

    It takes only what it needs of the tree: every array that is handed over takes time to compile.
    """
    if sign > 0.0:
        to_box(bounds.low, bounds.high, group, q, out)
    else:
        _to_far_side(bounds, group, q, origin, reach, scratch, out)


@inline
def to_box(low: Matrix, high: Matrix, group: int, q: Matrix, out: Matrix) -> None:
    """Rounds as the distances do, so the bound of a record's box never exceeds its distance."""
    out[:] = 0.0
    for j in range(len(q)):
        value = q[j]
        for i in range(FAN):
            below, above = low[group, j, i] - value, value - high[group, j, i]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            out[i] += gap * gap


@inline
def _to_far_side(
    bounds: Bounds, group: int, q: Matrix, origin: Matrix, reach: float, scratch: Matrix, out: Matrix
) -> None:
    """Minus the squared distance to the far corner of a box, or less if the records cannot be there.

    With the origin at 0, |x-q|^2 = |x|^2 + |q|^2 - 2 xq; |x| is known, and box and ball keep xq from being
    small.
    """
    low, high, mid = bounds.low, bounds.high, bounds.mid
    corner, box, ball = scratch
    scratch[:] = 0.0
    norm = 0.0
    for j in range(len(q)):
        value, zero = q[j], origin[j]
        along = value - zero
        norm += along * along
        for i in range(FAN):
            below, above = value - low[group, j, i], high[group, j, i] - value
            side = below if below > above else above
            corner[i] += side * side
            end = low[group, j, i] if along > 0.0 else high[group, j, i]
            box[i] += (end - zero) * along
            ball[i] += (mid[group, j, i] - zero) * along
    length = sqrt(norm)
    slack = (1e-11 + 1e-14 * len(q)) * (reach + length) ** 2  # more than rounding can do
    for i in range(FAN):
        product = ball[i] - bounds.radius[group, i] * length
        product = product if product > box[i] else box[i]
        square = bounds.outer[group, i] + norm - 2.0 * product + slack
        square = square if square < corner[i] else corner[i]
        out[i] = -square if bounds.first[group, i] != NO_RECORD else np.inf


@inline
def measure(points: Matrix, block: int, q: Matrix, out: Matrix) -> None:
    """Squared distances of a block to q, summed column by column: the order that defines them."""
    out[:] = 0.0
    for j in range(len(q)):
        value = q[j]
        for i in range(points.shape[2]):
            difference = points[block, j, i] - value
            out[i] += difference * difference


@inline
def admit(distances: Matrix, who: Slots, keys: Matrix, rows: Rows) -> None:
    """Put the records that belong there into the heap (a NaN, a record that has left, never does)."""
    hits, worst = 0, keys[0]
    for i in range(len(distances)):
        hits += distances[i] <= worst
    if hits > 0:
        for i in range(len(distances)):
            if not worse(distances[i], who[i], keys, rows):
                replace_worst(distances[i], who[i], keys, rows)


@kernel_only
def replace_worst(key: float, row: int, keys: Matrix, rows: Rows) -> None:
    """Sift a better record down from the top of the heap."""
    i, size = 0, len(keys)
    while 2 * i + 1 < size:
        child = 2 * i + 1
        if child + 1 < size and (
            keys[child + 1] > keys[child]
            or (keys[child + 1] == keys[child] and rows[child + 1] > rows[child])
        ):
            child += 1
        if keys[child] < key or (keys[child] == key and rows[child] < row):
            break
        keys[i], rows[i] = keys[child], rows[child]
        i = child
    keys[i], rows[i] = key, row
