"""Annealing: random moves between near groups; a move for the worse is kept with a chance that cools down."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Slots
from shoal._kernels.groups.dissolve_found import dissolve, found
from shoal._kernels.groups.groups import Groups, cost_of_joining, cost_of_trade, gain_of_leaving, put
from shoal._kernels.jit import copied, inner, jit
from shoal._kernels.random import Dice, below, exponential, uniform

REGROUP = 0.02  # share of the moves that dissolve a group or found one


@jit
def anneal(
    groups: Groups, near: Slots, warmth: Matrix, k: int, sweeps: int, heat: float, dice: Dice
) -> float:
    """Try one random move per record and sweep at one temperature; returns the change of the sum of squares.

    The temperature of record i is `heat * warmth[i]`: what is a small loss among far records would melt
    the dense parts of the file.
    """
    return _try_moves(groups, near, warmth, k, sweeps, heat, dice, np.empty(2 * k, np.int32))


@copied
def _try_moves(
    groups: Groups, near: Slots, warmth: Matrix, k: int, sweeps: int, heat: float, dice: Dice, moved: Slots
) -> float:
    change = 0.0
    for _ in range(sweeps):
        for i in range(len(near)):
            chance = uniform(dice)
            if chance < REGROUP:
                limit = heat * warmth[i] * exponential(dice)
                change += _regroup(groups, near, k, i, chance < 0.5 * REGROUP, limit, moved)
                continue
            u = uniform(dice)
            g, home = groups.labels[near[i, int(u * u * near.shape[1])]], groups.labels[i]
            if g == home:
                continue
            m = -1
            if groups.sizes[home] > k and groups.sizes[g] < 2 * k - 1 and uniform(dice) < 0.5:
                cost = cost_of_joining(groups, i, g) - gain_of_leaving(groups, i)
            else:
                m = groups.members[g, below(dice, groups.sizes[g])]
                cost = cost_of_trade(groups, i, m)
            if cost < 0.0 or cost < heat * warmth[i] * exponential(dice):
                put(groups, i, g)
                if m >= 0:
                    put(groups, m, home)
                change += cost
    return change


@inner
def _regroup(groups: Groups, near: Slots, k: int, i: int, fewer: bool, limit: float, moved: Slots) -> float:
    """Dissolve the group of record i or found a new one around it; returns the change of the squares."""
    if fewer:
        cost = dissolve(groups, near, k, groups.labels[i], limit, moved)
    else:
        cost = found(groups, near, k, i, limit, moved)
    return cost if cost < np.inf else 0.0
