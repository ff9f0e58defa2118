"""MDAV of one column: in sorted order the farthest records are at the ends, the nearest ones side by side.

So are those equally far from a point: equal values, and different ones whose distances round to the same
number. The lowest row among them goes first; a segment tree over the order finds it.
"""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inline, jit, kernel_only
from shoal._kernels.mdav.lowest_row import SegmentTree, build, lowest, next_place, remove
from shoal._kernels.mdav.mdav_tree import Remaining, leave
from shoal._kernels.spatial.record_tree import NO_RECORD


def line_rounds(left: Remaining, k: int, stop: int) -> None:
    """Two groups at a time while at least `stop` records remain."""
    x = left.X.ravel()
    order = np.argsort(x, kind="stable").astype(np.int32)
    _line_rounds(left, x, build(order, left.places), k, stop, np.empty(k, np.intp))


@jit
def _line_rounds(left: Remaining, x: Matrix, line: SegmentTree, k: int, stop: int, rows: Rows) -> None:
    first, last = 0, len(line.order) - 1
    while left.number[0] >= stop:
        q = left.total[0] / left.number[0]
        for _ in range(2):  # r is farthest from the mean, s from r
            first, last = next_place(line, first, 1), next_place(line, last, -1)
            far = _farthest(x, line, first, last, q)
            q = x[far]
            _take_nearest(x, line, first, last, far, rows)
            leave(left, rows)
            for i in range(k):
                left.places[rows[i]] = -1 - left.number[1]


@kernel_only
def _farthest(x: Matrix, line: SegmentTree, first: int, last: int, q: float) -> int:
    """The record farthest from q, the lowest row among equals."""
    below, above = _square(x, line.order, first, q), _square(x, line.order, last, q)
    low = _end(x, line.order, first, last, q) if below >= above else first - 1
    high = _end(x, line.order, last, first, q) if above >= below else last + 1
    return min(lowest(line, first, low), lowest(line, high, last))


@kernel_only
def _take_nearest(x: Matrix, line: SegmentTree, first: int, last: int, far: int, rows: Rows) -> None:
    """Fill `rows` with the records nearest to one of them, the lowest rows among equals; they leave."""
    q, up, taken = x[far], line.places[far], 0
    down = up - 1
    while taken < len(rows):
        up, down = next_place(line, up, 1), next_place(line, down, -1)
        above = _square(x, line.order, up, q) if up <= last else np.inf
        below = _square(x, line.order, down, q) if down >= first else np.inf
        high = _end(x, line.order, up, last, q) if above <= below else up - 1
        low = _end(x, line.order, down, first, q) if below <= above else down + 1
        while taken < len(rows):  # from up to high and from down to low all are equally far
            row = min(lowest(line, up, high), lowest(line, low, down))
            if row == NO_RECORD:
                break
            remove(line, row)
            rows[taken] = row
            taken += 1
        up, down = high + 1, low - 1


@inline
def _square(x: Matrix, order: Slots, place: int, q: float) -> float:
    return (x[order[place]] - q) * (x[order[place]] - q)


@kernel_only
def _end(x: Matrix, order: Slots, place: int, goal: int, q: float) -> int:
    """The last place on the way to the goal that is as far from q, on the same side of it: by steps that
    double, then halve."""
    sign, most = 1 if goal > place else -1, abs(goal - place)
    key, above = _square(x, order, place, q), x[order[place]] >= q
    way, step, longer = 0, 1, True
    while step > 0:
        ahead = place + sign * (way + step)
        if way + step <= most and _square(x, order, ahead, q) == key and (x[order[ahead]] >= q) == above:
            way += step
        else:
            longer = False
        step = 2 * step if longer else step // 2
    return place + sign * way
