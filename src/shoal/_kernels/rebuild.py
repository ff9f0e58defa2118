"""Rebuilding: forget how the records of a few neighbouring groups were grouped, and group them anew."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Slots
from shoal._kernels.dice import Dice, below, uniform
from shoal._kernels.groups import Groups
from shoal._kernels.jit import inner
from shoal._kernels.pool import squared_distance

MOST = 4  # groups at once; with three, skewed files keep groups that four can leave
TRIES = 15  # to find each neighbouring group
FAR = 0.7  # share of the new groups that begin far from a random record, the others at it
LEAST_GAIN = 1e-9  # of what a group costs: less may be rounding
ROUNDS = 50  # a few are usual; rounding could make equal moves follow each other for ever


class Room(NamedTuple):
    """Where a few groups are rebuilt; records have numbers 0, 1, ... here, and so have groups."""

    groups: Slots  # their numbers in the file
    records: Slots
    apart: Matrix  # squared distances of records
    home: Slots  # the new group of every record, -1 if none yet
    sums: Matrix  # squared distances of a record to all of a group
    sizes: Slots
    within: Matrix  # squared distances of all pairs of a group


@inner
def room_for(k: int) -> Room:
    most = MOST * 2 * k
    return Room(
        np.empty(MOST, np.int32),
        np.empty(most, np.int32),
        np.empty((most, most)),
        np.empty(most, np.int32),
        np.empty((most, MOST)),
        np.empty(MOST, np.int32),
        np.empty(MOST),
    )


@inner
def rebuild(groups: Groups, near: Slots, k: int, i: int, limit: float, room: Room, dice: Dice) -> bool:
    """Rebuild the group of a record and some of its neighbours, if that costs less than `limit`."""
    count = _choose(groups, near, i, room, dice)
    if count < 2:
        return False
    n, before = _move_in(groups, count, room)
    _sow(n, count, k, room, dice)
    _settle(n, count, k, room)
    after = 0.0
    for g in range(count):
        after += room.within[g] / room.sizes[g]
    change = after - before
    if change >= limit or abs(change) <= LEAST_GAIN * before:
        return False
    _move_out(groups, n, count, room)
    return True


@inner
def _choose(groups: Groups, near: Slots, i: int, room: Room, dice: Dice) -> int:
    """Two groups or more, each near one that was chosen before; returns how many there are."""
    chosen, wanted, count = room.groups, 2 + below(dice, MOST - 1), 1
    chosen[0] = groups.labels[i]
    for _ in range(TRIES * wanted):
        if count == wanted:
            break
        g = chosen[below(dice, count)]
        member, u = groups.members[g, below(dice, groups.sizes[g])], uniform(dice)
        other, known = groups.labels[near[member, int(u * u * near.shape[1])]], False
        for p in range(count):
            known |= chosen[p] == other
        if not known:
            chosen[count] = other
            count += 1
    return count


@inner
def _move_in(groups: Groups, count: int, room: Room) -> tuple[int, float]:
    """List the records and their distances; returns how many they are, and what their groups cost."""
    n, cost, records, apart = 0, 0.0, room.records, room.apart
    for p in range(count):
        g, first, total = room.groups[p], n, 0.0
        for q in range(groups.sizes[g]):
            records[n] = groups.members[g, q]
            for m in range(n):
                apart[n, m] = apart[m, n] = squared_distance(groups.X, records[n], records[m])
            for m in range(first, n):
                total += apart[n, m]
            apart[n, n] = 0.0
            n += 1
        cost += total / groups.sizes[g]
    return n, cost


@inner
def _sow(n: int, count: int, k: int, room: Room, dice: Dice) -> None:
    """A record and its k-1 nearest, again and again; the last ones join the group that is closest."""
    home, apart, sizes = room.home, room.apart, room.sizes
    home[:n] = -1
    for g in range(count):
        nth, first = below(dice, n - g * k), 0
        for m in range(n):
            if home[m] < 0:
                if nth == 0:
                    first = m
                nth -= 1
        if uniform(dice) < FAR:
            seen = first
            for m in range(n):
                if home[m] < 0 and apart[m, seen] > apart[first, seen]:
                    first = m
        home[first] = g
        for _ in range(k - 1):
            least, closest = np.inf, -1
            for m in range(n):
                if home[m] < 0 and apart[m, first] < least:
                    least, closest = apart[m, first], m
            home[closest] = g
        sizes[g] = k
    sums, within = room.sums, room.within
    for m in range(n):
        for g in range(count):
            sums[m, g] = 0.0
        for other in range(n):
            if home[other] >= 0:
                sums[m, home[other]] += apart[m, other]
    for g in range(count):
        within[g] = 0.0
    for m in range(n):
        if home[m] >= 0:
            within[home[m]] += 0.5 * sums[m, home[m]]
    for m in range(n):
        if home[m] < 0:
            least, closest = np.inf, -1
            for g in range(count):
                if sizes[g] < 2 * k - 1 and sums[m, g] / sizes[g] < least:
                    least, closest = sums[m, g] / sizes[g], g
            _join(n, m, closest, room)


@inner
def _join(n: int, m: int, g: int, room: Room) -> None:
    """Let a record without a group join one."""
    room.home[m] = g
    room.sizes[g] += 1
    room.within[g] += room.sums[m, g]
    for other in range(n):
        room.sums[other, g] += room.apart[other, m]


@inner
def _leave(n: int, m: int, room: Room) -> None:
    """Take a record out of its group."""
    g = room.home[m]
    room.home[m] = -1
    room.sizes[g] -= 1
    room.within[g] -= room.sums[m, g]
    for other in range(n):
        room.sums[other, g] -= room.apart[other, m]


@inner
def _settle(n: int, count: int, k: int, room: Room) -> None:
    """Records move and trade places until nothing helps."""
    home, apart, sums, sizes, within = room.home, room.apart, room.sums, room.sizes, room.within
    for _ in range(ROUNDS):
        better = False
        for m in range(n):
            g, target, partner = home[m], -1, -1
            gain = LEAST_GAIN * within[g]
            for h in range(count):
                if h != g and sizes[g] > k and sizes[h] < 2 * k - 1:
                    here = within[g] / sizes[g] - (within[g] - sums[m, g]) / (sizes[g] - 1)
                    there = within[h] / sizes[h] - (within[h] + sums[m, h]) / (sizes[h] + 1)
                    if here + there > gain:
                        gain, target = here + there, h
            for other in range(n):
                h = home[other]
                if h != g:
                    here = (sums[m, g] - sums[other, g] + apart[m, other]) / sizes[g]
                    there = (sums[other, h] - sums[m, h] + apart[m, other]) / sizes[h]
                    if here + there > gain:
                        gain, target, partner = here + there, h, other
            if target >= 0:
                better = True
                _leave(n, m, room)
                if partner >= 0:
                    _leave(n, partner, room)
                    _join(n, partner, g, room)
                _join(n, m, target, room)
        if not better:
            return


@inner
def _move_out(groups: Groups, n: int, count: int, room: Room) -> None:
    """Make the new groups those of the file."""
    X, labels, members, place, sizes, means, _ = groups
    for p in range(count):
        sizes[room.groups[p]] = 0
        means[room.groups[p]] = 0.0
    for m in range(n):
        i, g = room.records[m], room.groups[room.home[m]]
        labels[i], place[i], members[g, sizes[g]] = g, sizes[g], i
        sizes[g] += 1
        for c in range(X.shape[1]):
            means[g, c] += (X[i, c] - means[g, c]) / sizes[g]
