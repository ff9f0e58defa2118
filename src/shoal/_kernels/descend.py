"""Descent: records move, trade places, groups dissolve and are founded, while the sum of squares falls."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.groups import Groups, cost_along, draw_line, from_mean, put, refresh
from shoal._kernels.jit import copied, jit
from shoal._kernels.regroup import dissolve, found
from shoal._kernels.threads import useful_threads

LEAST_GAIN = 1e-9  # of the distances involved; less may be rounding
ROUNDS = 100  # ten are usual; rounding could make equal moves follow each other for ever
FAR = 1.0  # times the share of one record in both groups
LOOKS = 500  # per record, for the same reason; some ten are usual
EFFORT = 20  # distances of a look


class Diary(NamedTuple):
    """When what happened, counted in looks: only what has changed since needs another look."""

    now: Rows  # one number
    changed: Rows  # when the group last changed
    tried: Rows  # when it was last tried to dissolve the group
    looked: Rows  # when the record last looked around
    own: Matrix  # squared distance of every record to the mean of its group


class Followers(NamedTuple):
    """Who has a record in his list of near ones: those of record i begin at starts[i]."""

    starts: Rows
    rows: Slots


def descend_once(groups: Groups, near: Slots, k: int) -> None:
    """Moves and trades until none helps a record that was touched on the way."""
    descend(groups, near, k, np.arange(len(near), dtype=np.int32), _diary(groups))


def descend_fully(groups: Groups, near: Slots, k: int) -> None:
    """Until no move or trade helps; the number of groups stays."""
    _in_rounds(groups, near, k, regrouping=False)


def descend_and_regroup(groups: Groups, near: Slots, k: int) -> None:
    """Until no move, trade, dissolved or founded group helps."""
    _in_rounds(groups, near, k, regrouping=True)


def _in_rounds(groups: Groups, near: Slots, k: int, *, regrouping: bool) -> None:
    """Threads look who can gain, for nobody moves meanwhile; then one makes the moves. After the first round
    only those look who have a near record in a group that has changed."""
    diary, followers = _diary(groups), followers_of(near)
    rows = np.arange(len(near), dtype=np.int32)
    with ThreadPoolExecutor(useful_threads(EFFORT * groups.X.size)) as pool:
        for _ in range(ROUNDS):
            before = int(diary.now[0])
            descend(groups, near, k, gainers(groups, near, k, diary, rows, pool), diary)
            if regrouping:
                regroup(groups, near, k, diary)
            rows = touched(groups, followers, diary, before)
            if len(rows) == 0:
                break
    refresh(groups)


def _diary(groups: Groups) -> Diary:
    number = len(groups.sizes)
    diary = Diary(
        np.ones(1, np.intp),
        np.ones(number, np.intp),
        np.zeros(number, np.intp),
        np.zeros(len(groups.X), np.intp),
        np.empty(len(groups.X)),
    )
    _measure(groups, diary, 0)
    return diary


@jit
def _measure(groups: Groups, diary: Diary, since: int) -> None:
    """Distances of the members of all groups that have changed since."""
    for g in range(len(groups.sizes)):
        if diary.changed[g] > since:
            for p in range(groups.sizes[g]):
                i = groups.members[g, p]
                diary.own[i] = from_mean(groups, i, g)


@jit
def followers_of(near: Slots) -> Followers:
    """The lists of near records, read from the other side."""
    n = len(near)
    starts, rows = np.zeros(n + 1, np.intp), np.empty(near.size, np.int32)
    for j in near.flat:
        starts[j] += 1
    total = 0
    for i in range(n + 1):
        total += starts[i]
        starts[i] = total  # the end, for now
    for i in range(n - 1, -1, -1):
        for j in near[i]:
            starts[j] -= 1
            rows[starts[j]] = i
    return Followers(starts, rows)


@jit
def touched(groups: Groups, followers: Followers, diary: Diary, since: int) -> Slots:
    """The members of groups that have changed since, and those who have one of them in their list."""
    rows, listed, count = np.empty(len(groups.X), np.int32), np.zeros(len(groups.X), np.bool_), 0
    _measure(groups, diary, since)
    for g in range(len(groups.sizes)):
        if diary.changed[g] > since:
            for p in range(groups.sizes[g]):
                i = groups.members[g, p]
                if not listed[i]:
                    rows[count], listed[i] = i, True
                    count += 1
                for q in range(followers.starts[i], followers.starts[i + 1]):
                    j = followers.rows[q]
                    if not listed[j]:
                        rows[count], listed[j] = j, True
                        count += 1
    return rows[:count].copy()


def gainers(groups: Groups, near: Slots, k: int, diary: Diary, rows: Slots, pool: Executor) -> Slots:
    """Those of the rows with a move or trade that helps; groups that have not changed since are left out."""
    shares = useful_threads(EFFORT * len(rows) * groups.X.shape[1])
    look = partial(_gainers, groups, near, k, diary)
    if shares == 1:
        return look(rows)
    return np.concatenate(list(pool.map(look, np.array_split(rows, shares))))


@jit
def _gainers(groups: Groups, near: Slots, k: int, diary: Diary, rows: Slots) -> Slots:
    labels, changed, looked = groups.labels, diary.changed, diary.looked
    seen, gaining, count = np.full(len(changed), -1), np.empty(len(rows), np.int32), 0
    line = np.empty(groups.X.shape[1])
    for i in rows:
        if changed[labels[i]] <= looked[i]:
            for j in near[i]:
                if changed[labels[j]] <= looked[i]:
                    seen[labels[j]] = i
        if _best_move(groups, near, k, diary.own, i, seen, i, line)[0] >= 0:
            gaining[count] = i
            count += 1
        else:
            looked[i] = diary.now[0]
    return gaining[:count].copy()


@jit
def descend(groups: Groups, near: Slots, k: int, waiting: Slots, diary: Diary) -> None:
    """Moves and trades until none helps a record that waits or is touched on the way."""
    n, now, own, line = len(groups.X), diary.now, diary.own, np.empty(groups.X.shape[1])
    queue, queued = np.empty(n, np.int32), np.zeros(n, np.bool_)
    seen = np.zeros(len(groups.sizes), np.intp)  # at which look a group was last considered
    first, length, last = 0, len(waiting), now[0] + LOOKS * n
    for p in range(length):
        queue[p], queued[waiting[p]] = waiting[p], True
    while length > 0 and now[0] < last:
        i = queue[first]
        queued[i] = False
        first, length = (first + 1) % n, length - 1
        now[0] += 1
        diary.looked[i] = now[0]
        home = groups.labels[i]
        target, other = _best_move(groups, near, k, own, i, seen, now[0], line)
        if target >= 0:
            if other >= 0:
                put(groups, other, home)
            put(groups, i, target)
            now[0] += 1
            diary.changed[home] = diary.changed[target] = now[0]
            length = _enqueue(groups, home, own, queue, queued, first, length)  # the touched look again
            length = _enqueue(groups, target, own, queue, queued, first, length)


@copied
def _enqueue(
    groups: Groups, g: int, own: Matrix, queue: Slots, queued: NDArray[np.bool_], first: int, length: int
) -> int:
    """Measure the members of a group and line up those that do not wait yet; returns how many wait then."""
    for p in range(groups.sizes[g]):
        i = groups.members[g, p]
        own[i] = from_mean(groups, i, g)
        if not queued[i]:
            queue[(first + length) % len(queue)], queued[i] = i, True
            length += 1
    return length


@copied
def _best_move(
    groups: Groups, near: Slots, k: int, own: Matrix, i: int, seen: Rows, look: int, line: Matrix
) -> tuple[int, int]:
    """The group to go to and the member that comes in return (-1: none); the group is -1 if nothing helps.

    What a trade costs is at least `there - here / (1 - share) - own`, whatever the distance of the two.
    `line` is room for a number per column.
    """
    home = groups.labels[i]
    size, here = groups.sizes[home], own[i]
    best, target, other = -LEAST_GAIN * here, -1, -1
    seen[home] = look
    for j in near[i]:
        g = groups.labels[j]
        if seen[g] == look:
            continue
        seen[g] = look
        room, there = groups.sizes[g], from_mean(groups, i, g)
        rounding = LEAST_GAIN * there
        if size > k and room < 2 * k - 1:
            cost = there * room / (room + 1) - here * size / (size - 1) + rounding
            if cost < best:
                best, target, other = cost, g, -1
        share = 1 / size + 1 / room
        if there - here > FAR * share * (there + here):
            continue  # too far for a trade that helps, unless the other record has more to gain and asks
        least = there - here / (1 - share) if share < 1.0 else -np.inf
        draw_line(groups, home, g, line)
        for p in range(room):
            m = groups.members[g, p]
            if least - own[m] < best:
                cost = cost_along(groups, i, m, line, share) + rounding
                if cost < best:
                    best, target, other = cost, g, m
    return target, other


@jit
def regroup(groups: Groups, near: Slots, k: int, diary: Diary) -> None:
    """Dissolve groups and found new ones where that helps, if they have changed since it was last tried."""
    labels, changed, now = groups.labels, diary.changed, diary.now
    moved, homes, begin = np.empty(2 * k, np.int32), np.empty(near.shape[1], np.int32), now[0]
    for g in range(len(groups.sizes)):
        size = groups.sizes[g]
        if changed[g] > diary.tried[g] and size > 0 and dissolve(groups, near, k, g, 0.0, moved) < 0.0:
            now[0] += 1
            for p in range(size):
                changed[labels[moved[p]]] = now[0]
    for i in range(len(near)):
        home = labels[i]
        if changed[home] > diary.tried[home] and groups.sizes[home] > k and groups.free[0] > 0:
            for p in range(len(homes)):
                homes[p] = labels[near[i, p]]
            if found(groups, near, k, i, 0.0, moved) < 0.0:
                now[0] += 1
                changed[home] = changed[labels[i]] = now[0]
                for p in range(len(homes)):
                    changed[homes[p]] = now[0]
    for g in range(len(changed)):
        diary.tried[g] = begin
