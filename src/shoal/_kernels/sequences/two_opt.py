"""Shorten a path by 2-opt and Or-opt moves; its first record stays the first."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit
from shoal._kernels.mdav.pool import squared_distance

SHORTER = 1 - 1e-12  # a move must gain more than rounding can


@jit
def shorten(X: Matrix, path: Rows, near: Rows) -> Rows:
    """Apply moves until none of those between near records makes the path shorter.

    `near` lists the nearest records of every record, the closest first.
    """
    visits, path = path, path.copy()
    place = np.empty(len(path), dtype=np.intp)
    for p in range(len(path)):
        place[path[p]] = p
    moved = True
    while moved:
        moved = False
        for row in visits:
            while _two_opt(X, path, place, near, row) or _or_opt(X, path, place, near, row):
                moved = True
    return path


@jit
def _distance(X: Matrix, i: int, j: int) -> float:
    return float(np.sqrt(squared_distance(X, i, j)))


@jit
def _reverse(path: Rows, place: Rows, i: int, j: int) -> None:
    while i < j:
        path[i], path[j] = path[j], path[i]
        place[path[i]], place[path[j]] = i, j
        i, j = i + 1, j - 1


@jit
def _two_opt(X: Matrix, path: Rows, place: Rows, near: Rows, row: int) -> bool:
    """Join `row` to a near record and turn the stretch between them, if the path gets shorter by that."""
    n, p = len(path), place[row]
    for step in (1, -1):  # give up the edge to the next record, or to the one before
        if p == 0 and step == -1:
            continue
        has_edge = 0 <= p + step < n
        edge = _distance(X, row, path[p + step]) if has_edge else np.inf
        for other in near[row]:
            new = _distance(X, row, other)
            if new >= edge:
                break
            q = place[other]
            if q == 0 and step == -1:
                continue
            old = edge if has_edge else 0.0
            if q + step < n:
                old += _distance(X, other, path[q + step])
                if has_edge:
                    new += _distance(X, path[p + step], path[q + step])
            if new < old * SHORTER:
                low, high = min(p, q), max(p, q)
                if step == 1:
                    _reverse(path, place, low + 1, high)
                else:
                    _reverse(path, place, low, high - 1)
                return True
    return False


@jit
def _or_opt(X: Matrix, path: Rows, place: Rows, near: Rows, row: int) -> bool:
    """Move a stretch of up to three records that ends in `row` next to a near record, if that is shorter."""
    n, p = len(path), place[row]
    for size in range(1, 4):
        for side in (1, -1):  # the stretch runs from `row` forwards, or backwards
            low, high = (p, p + size - 1) if side == 1 else (p - size + 1, p)
            if low < 1 or high >= n:
                continue
            far, before = path[high if side == 1 else low], path[low - 1]
            freed, bridge = _distance(X, before, path[low]), 0.0
            if high + 1 < n:
                after = path[high + 1]
                freed += _distance(X, path[high], after)
                bridge = _distance(X, before, after)
            for other in near[row]:
                joint = _distance(X, row, other)
                if joint + bridge >= freed:
                    break
                q = place[other]
                if low <= q <= high:
                    continue
                for gap in (q, q - 1):  # between the records at `gap` and `gap + 1`
                    if gap < 0 or gap == low - 1 or gap == high:
                        continue
                    beyond = path[gap + 1] if gap == q and gap + 1 < n else path[gap]
                    old, new = freed, joint + bridge
                    if gap < q or gap + 1 < n:
                        old += _distance(X, other, beyond)
                        new += _distance(X, far, beyond)
                    if new < old * SHORTER:
                        _move(path, place, low, high, gap, path[gap] == other, row)
                        return True
    return False


@jit
def _move(path: Rows, place: Rows, low: int, high: int, gap: int, row_first: bool, row: int) -> None:
    """Put the stretch low..high into the gap; `row` comes first or last in it."""
    size = high - low + 1
    turned = (path[low] == row) != row_first
    stretch = np.empty(size, dtype=np.intp)
    for t in range(size):
        stretch[t] = path[high - t if turned else low + t]
    if gap > high:
        for t in range(high + 1, gap + 1):
            path[t - size] = path[t]
        start = gap - size + 1
        first, last = low, gap
    else:
        for t in range(low - 1, gap, -1):
            path[t + size] = path[t]
        start = gap + 1
        first, last = gap + 1, high
    for t in range(size):
        path[start + t] = stretch[t]
    for t in range(first, last + 1):
        place[path[t]] = t
