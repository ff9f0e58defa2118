"""Rebuilding: forget how the records of a few neighbouring groups were grouped, and group them anew."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Slots
from shoal._kernels.groups.groups import Groups
from shoal._kernels.jit import inline, jit, kernel_only
from shoal._kernels.random import XorshiftState, below, exponential, uniform

MOST_GROUPS = 4  # groups at once; with three, skewed files keep groups that four can leave
TRIES_PER_GROUP = 15  # to find each neighbouring group; no measurement on record
FAR_SEED_SHARE = 0.7  # share of the new groups that begin far from a random record, the others at it
LEAST_GAIN = 1e-9  # of what a group costs: less may be rounding
LANES = 8  # doubles in the longest registers
ROUNDS = 50  # a few are usual; rounding could make equal moves follow each other for ever


class Workspace(NamedTuple):
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


@kernel_only
def workspace_for(k: int, d: int) -> Workspace:
    most = _padded(MOST_GROUPS * 2 * k)
    return Workspace(
        np.empty(MOST_GROUPS, np.int32),
        np.empty(most, np.int32),
        np.zeros((d, most)),
        np.empty((most, most)),
        np.empty(most, np.int32),
        np.empty((MOST_GROUPS, most)),
        np.empty(MOST_GROUPS, np.int32),
        np.empty(MOST_GROUPS),
        np.zeros(most),
        np.zeros(most),
        np.empty(MOST_GROUPS),
        np.zeros(most),
        np.empty(k, np.int32),
        np.empty(k),
    )


@inline
def _padded(n: int) -> int:
    """The next multiple of LANES."""
    return (n + LANES - 1) // LANES * LANES


@jit
def rebuild_some(
    groups: Groups,
    near: Slots,
    temperature_unit: Matrix,
    k: int,
    tries: int,
    temperature: float,
    state: XorshiftState,
) -> None:
    """Rebuild the neighbourhoods of so many random records at one temperature, see `anneal`."""
    work = workspace_for(k, groups.X.shape[1])
    for _ in range(tries):
        i = below(state, len(near))
        rebuild(groups, near, k, i, temperature * temperature_unit[i] * exponential(state), work, state)


@kernel_only
def rebuild(
    groups: Groups, near: Slots, k: int, i: int, limit: float, work: Workspace, state: XorshiftState
) -> bool:
    """Rebuild the group of a record and some of its neighbours, if that costs less than `limit`."""
    count = _choose(groups, near, i, work, state)
    if count < 2:
        return False
    n = _load_groups(groups, count, work)
    before = _cost(count, work)
    _seed_groups(n, count, k, work, state)
    _local_search(n, count, k, work)
    change = _cost(count, work) - before
    if change >= limit or abs(change) <= LEAST_GAIN * before:
        return False
    _store_groups(groups, n, count, work)
    return True


@kernel_only
def _choose(groups: Groups, near: Slots, i: int, work: Workspace, state: XorshiftState) -> int:
    """Two groups or more, each near one that was chosen before; returns how many there are."""
    chosen, wanted, count = work.groups, 2 + below(state, MOST_GROUPS - 1), 1
    chosen[0] = groups.labels[i]
    for _ in range(TRIES_PER_GROUP * wanted):
        if count == wanted:
            break
        g = chosen[below(state, count)]
        member, u = groups.members[g, below(state, groups.sizes[g])], uniform(state)
        other, known = groups.labels[near[member, int(u * u * near.shape[1])]], False
        for p in range(count):
            known |= chosen[p] == other
        if not known:
            chosen[count] = other
            count += 1
    return count


@kernel_only
def _load_groups(groups: Groups, count: int, work: Workspace) -> int:
    """List the records, their groups and their distances; returns how many they are."""
    n, columns = 0, work.columns
    for p in range(count):
        g = work.groups[p]
        work.sizes[p] = groups.sizes[g]
        for q in range(groups.sizes[g]):
            i = groups.members[g, q]
            work.records[n], work.home[n] = i, p
            for c in range(len(columns)):
                columns[c, n] = groups.X[i, c]
            n += 1
    for m in range(n):
        _distances_from(n, m, work)
    _add_up(n, count, work)
    return n


@inline
def _distances_from(n: int, m: int, work: Workspace) -> None:
    """Squared distances of record m to all of them, four columns at a time."""
    columns, line, d, wide = work.columns, work.apart[m], len(work.columns), _padded(n)
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


@inline
def _add_up(n: int, count: int, work: Workspace) -> None:
    """Sums of distances to the members that groups have now, and within them."""
    home, apart, sums, within, wide = work.home, work.apart, work.sums, work.within, _padded(n)
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


@inline
def _cost(count: int, work: Workspace) -> float:
    """Sum of squares of the groups."""
    cost = 0.0
    for g in range(count):
        cost += work.within[g] / work.sizes[g]
    return cost


@kernel_only
def _seed_groups(n: int, count: int, k: int, work: Workspace, state: XorshiftState) -> None:
    """A record and its k-1 nearest, again and again; the last ones join the group that is closest."""
    home, apart, sizes = work.home, work.apart, work.sizes
    home[:n] = -1
    for g in range(count):
        nth, first = below(state, n - g * k), 0
        for m in range(n):
            if home[m] < 0:
                if nth == 0:
                    first = m
                nth -= 1
        if uniform(state) < FAR_SEED_SHARE:
            seen = first
            for m in range(n):
                if home[m] < 0 and apart[seen, m] > apart[seen, first]:
                    first = m
        _take_nearest(n, first, g, k, work)
        sizes[g] = k
    _add_up(n, count, work)
    sums = work.sums
    for m in range(n):
        if home[m] < 0:
            least, closest = np.inf, -1
            for g in range(count):
                if sizes[g] < 2 * k - 1 and sums[g, m] / sizes[g] < least:
                    least, closest = sums[g, m] / sizes[g], g
            _join(n, m, closest, work)


@inline
def _take_nearest(n: int, first: int, g: int, k: int, work: Workspace) -> None:
    """A record and the k-1 nearest ones without a group become a group: they are sorted in as they come."""
    home, nearest, keys, count = work.home, work.nearest, work.keys, 0
    home[first] = g
    for m in range(n):
        key = work.apart[first, m]
        if home[m] < 0 and (count < k - 1 or key < keys[count - 1]):
            p = min(count, k - 2)
            while p > 0 and keys[p - 1] > key:
                keys[p], nearest[p] = keys[p - 1], nearest[p - 1]
                p -= 1
            keys[p], nearest[p] = key, m
            count = min(count + 1, k - 1)
    for p in range(count):
        home[nearest[p]] = g


@inline
def _join(n: int, m: int, g: int, work: Workspace) -> None:
    """Let a record without a group join one."""
    work.home[m] = g
    work.sizes[g] += 1
    work.within[g] += work.sums[g, m]
    for other in range(_padded(n)):
        work.sums[g, other] += work.apart[m, other]


@inline
def _leave(n: int, m: int, work: Workspace) -> None:
    """Take a record out of its group."""
    g = work.home[m]
    work.home[m] = -1
    work.sizes[g] -= 1
    work.within[g] -= work.sums[g, m]
    for other in range(_padded(n)):
        work.sums[g, other] -= work.apart[m, other]


@kernel_only
def _local_search(n: int, count: int, k: int, work: Workspace) -> None:
    """Records move and trade places until nothing helps."""
    home, sums, sizes, within, gains = work.home, work.sums, work.sizes, work.within, work.gains
    m, idle = 0, 0
    _update_shares(n, work)
    for _ in range(ROUNDS * n):
        g, target, partner = home[m], -1, -1
        gain = LEAST_GAIN * within[g]
        for h in range(count):
            if h != g and sizes[g] > k and sizes[h] < 2 * k - 1:
                leaving = within[g] / sizes[g] - (within[g] - sums[g, m]) / (sizes[g] - 1)
                joining = (within[h] + sums[h, m]) / (sizes[h] + 1) - within[h] / sizes[h]
                if leaving - joining > gain:
                    gain, target = leaving - joining, h
        _trade_gains(n, m, count, work)
        for other in range(n):
            if gains[other] > gain:
                gain, target, partner = gains[other], home[other], other
        if target >= 0:
            _leave(n, m, work)
            if partner >= 0:
                _leave(n, partner, work)
                _join(n, partner, g, work)
            _join(n, m, target, work)
            _update_shares(n, work)
            idle = 0
        idle, m = idle + 1, m + 1 if m + 1 < n else 0
        if idle > n:
            return


@inline
def _update_shares(n: int, work: Workspace) -> None:
    """The share of every record in its group, and its part of the distances there."""
    for other in range(n):
        g = work.home[other]
        work.share[other] = 1.0 / work.sizes[g]
        work.own[other] = work.sums[g, other] * work.share[other]


@inline
def _trade_gains(n: int, m: int, count: int, work: Workspace) -> None:
    """What it gains if record m trades places with each of the others; minus infinity in its own group."""
    apart, sums, gains, share, own, home = work.apart, work.sums, work.gains, work.share, work.own, work.home
    g, mine, here, towards = home[m], own[m], share[m], work.towards
    for h in range(count):
        towards[h] = np.inf if h == g else sums[h, m] / work.sizes[h]
    for other in range(n):
        gains[other] = mine - towards[home[other]]
    for other in range(_padded(n)):
        gains[other] += own[other] - sums[g, other] * here + apart[m, other] * (here + share[other])


@kernel_only
def _store_groups(groups: Groups, n: int, count: int, work: Workspace) -> None:
    """Make the new groups those of the file."""
    X, labels, members, place, sizes, means, _ = groups
    for p in range(count):
        sizes[work.groups[p]] = 0
        means[work.groups[p]] = 0.0
    for m in range(n):
        i, g = work.records[m], work.groups[work.home[m]]
        labels[i], place[i], members[g, sizes[g]] = g, sizes[g], i
        sizes[g] += 1
        for c in range(X.shape[1]):
            means[g, c] += (X[i, c] - means[g, c]) / sizes[g]
