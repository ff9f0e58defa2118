"""Moves that change how many groups there are: dissolve one into its neighbours, open a new one."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Slots
from shoal._kernels.groups.groups import Groups, cost_of_joining, gain_of_leaving, move_record, spread
from shoal._kernels.jit import kernel_only


@kernel_only
def dissolve_group(groups: Groups, near: Slots, k: int, g: int, limit: float, moved: Slots) -> float:
    """Send every member of a group to its best neighbour, if that costs less than `limit`; else do nothing.

    Returns the change of the sum of squares (infinite if nothing was done); `moved` holds the records.
    """
    size, cost = groups.sizes[g], -spread(groups, g)
    for p in range(size):
        moved[p] = groups.members[g, p]
    done = 0
    while done < size:
        i, best, target = moved[done], np.inf, -1
        for j in near[i]:
            h = groups.labels[j]
            if h != g and groups.sizes[h] < 2 * k - 1:
                joining = cost_of_joining(groups, i, h)
                if joining < best:
                    best, target = joining, h
        cost += best
        if cost >= limit:
            break
        move_record(groups, i, target)
        done += 1
    if done == size:
        groups.free[0] += 1
        groups.free[groups.free[0]] = g
        return cost
    for p in range(done):
        move_record(groups, moved[p], g)
    return np.inf


@kernel_only
def open_group(groups: Groups, near: Slots, k: int, i: int, limit: float, moved: Slots) -> float:
    """Make a new group of record i and near ones whose groups can spare them, if it costs less than `limit`.

    Returns the change of the sum of squares (infinite if nothing was done); `moved` holds the k records, then
    where they came from.
    """
    if groups.free[0] == 0 or groups.sizes[groups.labels[i]] <= k:
        return np.inf
    g, cost, done, member = groups.free[groups.free[0]], 0.0, 0, i
    while member >= 0:
        cost += cost_of_joining(groups, member, g) - gain_of_leaving(groups, member)
        moved[done], moved[k + done] = member, groups.labels[member]
        move_record(groups, member, g)
        done += 1
        member = _cheapest(groups, near[i], k, g) if done < k else -1
    if done == k and cost < limit:
        groups.free[0] -= 1
        return cost
    for p in range(done):
        move_record(groups, moved[p], moved[k + p])
    return np.inf


@kernel_only
def _cheapest(groups: Groups, candidates: Slots, k: int, g: int) -> int:
    """The record that joins group g at the lowest price and that its own group can spare; -1 if none."""
    best, cheapest = np.inf, -1
    for j in candidates:
        home = groups.labels[j]
        if home != g and groups.sizes[home] > k:
            price = cost_of_joining(groups, j, g) - gain_of_leaving(groups, j)
            if price < best:
                best, cheapest = price, j
    return cheapest
