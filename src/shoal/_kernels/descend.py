"""Descent: records move, trade places, groups dissolve and are founded, while the sum of squares falls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Rows, Slots
from shoal._kernels.groups import (
    Groups,
    cost_of_trade,
    from_mean,
    put,
    refresh,
)
from shoal._kernels.jit import inner, jit
from shoal._kernels.regroup import dissolve, found

LEAST_GAIN = 1e-9  # of the distances involved; less may be rounding
ROUNDS = 20  # two or three are usual; rounding could make equal moves follow each other for ever
FAR = 1.0  # times the share of one record in both groups
LOOKS = 500  # per record, for the same reason; some ten are usual


@jit
def descend(groups: Groups, near: Slots, k: int, waiting: Slots) -> int:
    """Moves and trades until none helps a record that waits or is touched on the way; returns their count."""
    n = len(groups.X)
    queue, queued = np.empty(n, np.int32), np.zeros(n, np.bool_)
    seen = np.zeros(len(groups.sizes), np.intp)  # by which look a group was last considered
    first, length, moves, looks = 0, 0, 0, 0
    for i in waiting:
        if not queued[i]:
            queue[length], queued[i] = i, True
            length += 1
    while length > 0 and looks < LOOKS * n:
        i = queue[first]
        queued[i] = False
        first, length, looks = (first + 1) % n, length - 1, looks + 1
        home = groups.labels[i]
        target, other = _best_move(groups, near[i], k, i, seen, looks)
        if target < 0:
            continue
        if other >= 0:
            put(groups, other, home)
        put(groups, i, target)
        moves += 1
        length = _enqueue(groups, home, queue, queued, first, length)  # whoever is touched looks again
        length = _enqueue(groups, target, queue, queued, first, length)
    return moves


@inner
def _enqueue(groups: Groups, g: int, queue: Slots, queued: NDArray[np.bool_], first: int, length: int) -> int:
    """Line up the members of a group that do not wait yet; returns the new length of the queue."""
    for p in range(groups.sizes[g]):
        i = groups.members[g, p]
        if not queued[i]:
            queue[(first + length) % len(queue)], queued[i] = i, True
            length += 1
    return length


@inner
def _best_move(groups: Groups, candidates: Slots, k: int, i: int, seen: Rows, look: int) -> tuple[int, int]:
    """The group to go to and the member that comes in return (-1: none); the group is -1 if nothing helps."""
    home = groups.labels[i]
    size, here = groups.sizes[home], from_mean(groups, i, home)
    best, target, other = -LEAST_GAIN * here, -1, -1
    seen[home] = look
    for j in candidates:
        g = groups.labels[j]
        if seen[g] == look:
            continue
        seen[g] = look
        room, there = groups.sizes[g], from_mean(groups, i, g)
        if size > k and room < 2 * k - 1:
            cost = there * room / (room + 1) - here * size / (size - 1)
            if cost < best:
                best, target, other = cost, g, -1
        if there - here > FAR * (1 / size + 1 / room) * (there + here):
            continue  # too far for a trade that helps, unless the other record has more to gain and asks
        for p in range(room):
            m = groups.members[g, p]
            cost = cost_of_trade(groups, i, m)
            if cost < best:
                best, target, other = cost, g, m
    return target, other


@jit
def regroup(groups: Groups, near: Slots, k: int, touched: Slots) -> int:
    """Dissolve and found groups where that helps; how many entries of `touched` are records that moved."""
    count, moved = 0, np.empty(2 * k, np.int32)
    for g in range(len(groups.sizes)):
        size = groups.sizes[g]
        if size > 0 and dissolve(groups, near, k, g, 0.0, moved) < 0.0:
            count = _note(moved, size, touched, count)
    for i in range(len(groups.X)):
        if found(groups, near, k, i, 0.0, moved) < 0.0:
            count = _note(moved, k, touched, count)
    return count


@inner
def _note(moved: Slots, size: int, touched: Slots, count: int) -> int:
    for p in range(min(size, len(touched) - count)):
        touched[count + p] = moved[p]
    return min(count + size, len(touched))


def descend_and_regroup(groups: Groups, near: Slots, k: int) -> None:
    """Until no move, trade, dissolved or founded group helps."""
    everyone = np.arange(len(groups.X), dtype=np.int32)
    touched = everyone.copy()
    waiting = everyone
    for _ in range(ROUNDS):
        descend(groups, near, k, waiting)
        waiting = touched[: regroup(groups, near, k, touched)]
        if len(waiting) == 0:
            break
    refresh(groups)
