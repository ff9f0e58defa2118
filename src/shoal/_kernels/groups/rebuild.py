"""Rebuilding: forget how the records of a few neighbouring groups were grouped, and group them anew."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Slots
from shoal._kernels.groups.groups import Groups
from shoal._kernels.jit import copied, inner, jit
from shoal._kernels.random import Dice, below, exponential, uniform

MOST = 4  # groups at once; with three, skewed files keep groups that four can leave
TRIES = 15  # to find each neighbouring group
FAR = 0.7  # share of the new groups that begin far from a random record, the others at it
LEAST_GAIN = 1e-9  # of what a group costs: less may be rounding
LANES = 8  # doubles in the longest registers
ROUNDS = 50  # a few are usual; rounding could make equal moves follow each other for ever


class Room(NamedTuple):
    """Where a few groups are rebuilt; records have numbers 0, 1, ... here, and so have groups.

    What is known of all records lies side by side, in lines whose length is a multiple of LANES: the machine
    computes several at once.
    """

    groups: Slots  # their numbers in the file
    records: Slots
    columns: Matrix  # the values of the records, a line per column
    apart: Matrix  # squared distances of records
    home: Slots  # the new group of every record, -1 if none yet
    sums: Matrix  # squared distances to all members of a group, a line per group
    sizes: Slots
    within: Matrix  # squared distances of all pairs of a group
    share: Matrix  # of a record in its group
    own: Matrix  # times the sum of its distances there
    towards: Matrix  # mean distances of a record to groups
    gains: Matrix  # of trades with every record
    nearest: Slots
    keys: Matrix


@inner
def room_for(k: int, d: int) -> Room:
    most = _wide(MOST * 2 * k)
    return Room(
        np.empty(MOST, np.int32),
        np.empty(most, np.int32),
        np.zeros((d, most)),
        np.empty((most, most)),
        np.empty(most, np.int32),
        np.empty((MOST, most)),
        np.empty(MOST, np.int32),
        np.empty(MOST),
        np.zeros(most),
        np.zeros(most),
        np.empty(MOST),
        np.zeros(most),
        np.empty(k, np.int32),
        np.empty(k),
    )


@copied
def _wide(n: int) -> int:
    """The next multiple of LANES."""
    return (n + LANES - 1) // LANES * LANES


@jit
def rebuild_some(
    groups: Groups, near: Slots, warmth: Matrix, k: int, tries: int, heat: float, dice: Dice
) -> None:
    """Rebuild the neighbourhoods of so many random records at one temperature, see `anneal`."""
    room = room_for(k, groups.X.shape[1])
    for _ in range(tries):
        i = below(dice, len(near))
        rebuild(groups, near, k, i, heat * warmth[i] * exponential(dice), room, dice)


@inner
def rebuild(groups: Groups, near: Slots, k: int, i: int, limit: float, room: Room, dice: Dice) -> bool:
    """Rebuild the group of a record and some of its neighbours, if that costs less than `limit`."""
    count = _choose(groups, near, i, room, dice)
    if count < 2:
        return False
    n = _move_in(groups, count, room)
    before = _cost(count, room)
    _sow(n, count, k, room, dice)
    _settle(n, count, k, room)
    change = _cost(count, room) - before
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
def _move_in(groups: Groups, count: int, room: Room) -> int:
    """List the records, their groups and their distances; returns how many they are."""
    n, columns = 0, room.columns
    for p in range(count):
        g = room.groups[p]
        room.sizes[p] = groups.sizes[g]
        for q in range(groups.sizes[g]):
            i = groups.members[g, q]
            room.records[n], room.home[n] = i, p
            for c in range(len(columns)):
                columns[c, n] = groups.X[i, c]
            n += 1
    for m in range(n):
        _measure(n, m, room)
    _add_up(n, count, room)
    return n


@copied
def _measure(n: int, m: int, room: Room) -> None:
    """Squared distances of record m to all of them, four columns at a time."""
    columns, line, d, wide = room.columns, room.apart[m], len(room.columns), _wide(n)
    for other in range(wide):
        line[other] = 0.0
    for c in range(0, d - 3, 4):
        x, y, z, w = columns[c, m], columns[c + 1, m], columns[c + 2, m], columns[c + 3, m]
        for other in range(wide):
            a, b = columns[c, other] - x, columns[c + 1, other] - y
            e, f = columns[c + 2, other] - z, columns[c + 3, other] - w
            line[other] += (a * a + b * b) + (e * e + f * f)
    for c in range(d // 4 * 4, d):
        x = columns[c, m]
        for other in range(wide):
            a = columns[c, other] - x
            line[other] += a * a


@copied
def _add_up(n: int, count: int, room: Room) -> None:
    """Sums of distances to the members that groups have now, and within them."""
    home, apart, sums, within, wide = room.home, room.apart, room.sums, room.within, _wide(n)
    for g in range(count):
        within[g] = 0.0
        for other in range(wide):
            sums[g, other] = 0.0
    for m in range(n):
        if home[m] >= 0:
            for other in range(wide):
                sums[home[m], other] += apart[m, other]
    for m in range(n):
        if home[m] >= 0:
            within[home[m]] += 0.5 * sums[home[m], m]


@copied
def _cost(count: int, room: Room) -> float:
    """Sum of squares of the groups."""
    cost = 0.0
    for g in range(count):
        cost += room.within[g] / room.sizes[g]
    return cost


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
                if home[m] < 0 and apart[seen, m] > apart[seen, first]:
                    first = m
        _take_nearest(n, first, g, k, room)
        sizes[g] = k
    _add_up(n, count, room)
    sums = room.sums
    for m in range(n):
        if home[m] < 0:
            least, closest = np.inf, -1
            for g in range(count):
                if sizes[g] < 2 * k - 1 and sums[g, m] / sizes[g] < least:
                    least, closest = sums[g, m] / sizes[g], g
            _join(n, m, closest, room)


@copied
def _take_nearest(n: int, first: int, g: int, k: int, room: Room) -> None:
    """A record and the k-1 nearest ones without a group become a group: they are sorted in as they come."""
    home, nearest, keys, count = room.home, room.nearest, room.keys, 0
    home[first] = g
    for m in range(n):
        key = room.apart[first, m]
        if home[m] < 0 and (count < k - 1 or key < keys[count - 1]):
            p = min(count, k - 2)
            while p > 0 and keys[p - 1] > key:
                keys[p], nearest[p] = keys[p - 1], nearest[p - 1]
                p -= 1
            keys[p], nearest[p] = key, m
            count = min(count + 1, k - 1)
    for p in range(count):
        home[nearest[p]] = g


@copied
def _join(n: int, m: int, g: int, room: Room) -> None:
    """Let a record without a group join one."""
    room.home[m] = g
    room.sizes[g] += 1
    room.within[g] += room.sums[g, m]
    for other in range(_wide(n)):
        room.sums[g, other] += room.apart[m, other]


@copied
def _leave(n: int, m: int, room: Room) -> None:
    """Take a record out of its group."""
    g = room.home[m]
    room.home[m] = -1
    room.sizes[g] -= 1
    room.within[g] -= room.sums[g, m]
    for other in range(_wide(n)):
        room.sums[g, other] -= room.apart[m, other]


@inner
def _settle(n: int, count: int, k: int, room: Room) -> None:
    """Records move and trade places until nothing helps."""
    home, sums, sizes, within, gains = room.home, room.sums, room.sizes, room.within, room.gains
    m, idle = 0, 0
    _weigh(n, room)
    for _ in range(ROUNDS * n):
        g, target, partner = home[m], -1, -1
        gain = LEAST_GAIN * within[g]
        for h in range(count):
            if h != g and sizes[g] > k and sizes[h] < 2 * k - 1:
                leaving = within[g] / sizes[g] - (within[g] - sums[g, m]) / (sizes[g] - 1)
                joining = (within[h] + sums[h, m]) / (sizes[h] + 1) - within[h] / sizes[h]
                if leaving - joining > gain:
                    gain, target = leaving - joining, h
        _weigh_trades(n, m, count, room)
        for other in range(n):
            if gains[other] > gain:
                gain, target, partner = gains[other], home[other], other
        if target >= 0:
            _leave(n, m, room)
            if partner >= 0:
                _leave(n, partner, room)
                _join(n, partner, g, room)
            _join(n, m, target, room)
            _weigh(n, room)
            idle = 0
        idle, m = idle + 1, m + 1 if m + 1 < n else 0
        if idle > n:
            return


@copied
def _weigh(n: int, room: Room) -> None:
    """The share of every record in its group, and its part of the distances there."""
    for other in range(n):
        g = room.home[other]
        room.share[other] = 1.0 / room.sizes[g]
        room.own[other] = room.sums[g, other] * room.share[other]


@copied
def _weigh_trades(n: int, m: int, count: int, room: Room) -> None:
    """What it gains if record m trades places with each of the others; minus infinity in its own group."""
    apart, sums, gains, share, own, home = room.apart, room.sums, room.gains, room.share, room.own, room.home
    g, mine, here, towards = home[m], own[m], share[m], room.towards
    for h in range(count):
        towards[h] = np.inf if h == g else sums[h, m] / room.sizes[h]
    for other in range(n):
        gains[other] = mine - towards[home[other]]
    for other in range(_wide(n)):
        gains[other] += own[other] - sums[g, other] * here + apart[m, other] * (here + share[other])


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
