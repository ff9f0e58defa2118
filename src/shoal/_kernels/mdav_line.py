"""MDAV of one column: in sorted order the farthest records are at the ends, the nearest ones side by side.

Equal values form a run, in row order. Among equals the lowest row goes first, so a run is a queue: those who
have left it come before those who remain. Nothing has to be kept but the order.
"""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import copied, inner, jit
from shoal._kernels.mdav_tree import Remaining, leave
from shoal._kernels.search import replace_worst, worse
from shoal._kernels.tree import NOBODY

WALK = 64  # runs per record; more only if different values are so close that their distances round to ties


def line_rounds(left: Remaining, k: int, stop: int) -> bool:
    """Two groups at a time while at least `stop` records remain; False if it gave up."""
    order = np.argsort(left.X[:, 0], kind="stable").astype(np.int32)
    return _line_rounds(left, order, WALK * len(order), k, stop, np.empty(k), np.empty(k, np.intp))


@jit
def _line_rounds(
    left: Remaining, order: Slots, walk: int, k: int, stop: int, keys: Matrix, rows: Rows
) -> bool:
    first, last = 0, len(order) - 1
    while left.number[0] >= stop:
        if walk < 0:
            return False
        q = left.total[0] / left.number[0]
        for _ in range(2):  # r is farthest from the mean, s from r
            while left.places[order[first]] < 0:
                first += 1
            while left.places[order[last]] < 0:
                last -= 1
            place, walked = _farthest(left, order, first, last, q)
            q = left.X[order[place], 0]
            walk -= walked + _nearest(left, order, first, last, place, keys, rows)
            leave(left, rows)
            for i in range(k):
                left.places[rows[i]] = -1 - left.number[1]
    return True


@inner
def _farthest(left: Remaining, order: Slots, first: int, last: int, q: float) -> tuple[int, int]:
    """Where the record farthest from q is, the lowest row among equals, and the number of runs looked at."""
    X = left.X
    most = max(_square(X, order[first], q), _square(X, order[last], q))
    winner, row, walked = NOBODY, NOBODY, 0
    for side in range(2):
        begin, goal = (last, first) if side else (first, last)
        step = -1 if side else 1
        while (goal - begin) * step >= 0 and _square(X, order[begin], q) == most:
            end = _edge(X, order, begin, goal)
            place = _front(left.places, order, min(begin, end), max(begin, end))
            if place >= 0 and order[place] < row:
                winner, row = place, order[place]
            begin, walked = end + step, walked + 1
    return winner, walked


@inner
def _nearest(
    left: Remaining, order: Slots, first: int, last: int, place: int, keys: Matrix, rows: Rows
) -> int:
    """Fill `rows` with the records nearest to the one at a place; returns the number of runs looked at."""
    X, q, walked = left.X, left.X[order[place], 0], 0
    keys[:], rows[:] = np.inf, NOBODY
    own = _edge(X, order, place, first)
    for side in range(2):
        begin, goal = (own - 1, first) if side else (own, last)
        step = -1 if side else 1
        while (goal - begin) * step >= 0 and _square(X, order[begin], q) <= keys[0]:
            key, end = _square(X, order[begin], q), _edge(X, order, begin, goal)
            stop = max(begin, end)
            place = _front(left.places, order, min(begin, end), stop)
            while 0 <= place <= stop and not worse(key, order[place], keys, rows):
                replace_worst(key, order[place], keys, rows)
                place += 1
            begin, walked = end + step, walked + 1
    return walked


@copied
def _square(X: Matrix, row: int, q: float) -> float:
    return (X[row, 0] - q) * (X[row, 0] - q)


@inner
def _edge(X: Matrix, order: Slots, place: int, goal: int) -> int:
    """The last place on the way to the goal with the same value: by steps that double, then halve."""
    sign, most, value = 1 if goal > place else -1, abs(goal - place), X[order[place], 0]
    way, step = 0, 1
    while way + step <= most and X[order[place + sign * (way + step)], 0] == value:
        way, step = way + step, 2 * step
    while step > 1:
        step //= 2
        if way + step <= most and X[order[place + sign * (way + step)], 0] == value:
            way += step
    return place + sign * way


@inner
def _front(places: Slots, order: Slots, begin: int, end: int) -> int:
    """Where the first record that remains of a run is, -1 if none does."""
    if places[order[end]] < 0:
        return -1
    while begin < end:
        middle = (begin + end) // 2
        if places[order[middle]] < 0:
            begin = middle + 1
        else:
            end = middle
    return begin
