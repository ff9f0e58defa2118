"""Annealing: random moves between near groups; a move for the worse is kept with a chance that cools down."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Slots
from shoal._kernels.groups.groups import Groups, cost_of_joining, cost_of_trade, gain_of_leaving, move_record
from shoal._kernels.groups.open_and_dissolve import dissolve_group, open_group
from shoal._kernels.jit import inline, jit, kernel_only
from shoal._kernels.random import XorshiftState, below, exponential, uniform

REGROUP_SHARE = 0.02  # share of the moves that dissolve a group or open one


@jit
def anneal(
    groups: Groups,
    near: Slots,
    temperature_unit: Matrix,
    k: int,
    sweeps: int,
    temperature: float,
    state: XorshiftState,
) -> float:
    """Try one random move per record and sweep at one temperature; returns the change of the sum of squares.

    That of record i is `temperature * temperature_unit[i]`: what is a small loss among far records would stir
    up the dense parts of the file.
    """
    return _try_moves(
        groups, near, temperature_unit, k, sweeps, temperature, state, np.empty(2 * k, np.int32)
    )


@inline
def _try_moves(
    groups: Groups,
    near: Slots,
    temperature_unit: Matrix,
    k: int,
    sweeps: int,
    temperature: float,
    state: XorshiftState,
    moved: Slots,
) -> float:
    change = 0.0
    for _ in range(sweeps):
        for i in range(len(near)):
            chance = uniform(state)
            if chance < REGROUP_SHARE:
                limit = temperature * temperature_unit[i] * exponential(state)
                change += _regroup(groups, near, k, i, chance < 0.5 * REGROUP_SHARE, limit, moved)
                continue
            u = uniform(state)
            g, home = groups.labels[near[i, int(u * u * near.shape[1])]], groups.labels[i]
            if g == home:
                continue
            m = -1
            if groups.sizes[home] > k and groups.sizes[g] < 2 * k - 1 and uniform(state) < 0.5:
                cost = cost_of_joining(groups, i, g) - gain_of_leaving(groups, i)
            else:
                m = groups.members[g, below(state, groups.sizes[g])]
                cost = cost_of_trade(groups, i, m)
            if cost < 0.0 or cost < temperature * temperature_unit[i] * exponential(state):
                move_record(groups, i, g)
                if m >= 0:
                    move_record(groups, m, home)
                change += cost
    return change


@kernel_only
def _regroup(groups: Groups, near: Slots, k: int, i: int, fewer: bool, limit: float, moved: Slots) -> float:
    """Dissolve the group of record i or open a new one around it; returns the change of the squares."""
    if fewer:
        cost = dissolve_group(groups, near, k, groups.labels[i], limit, moved)
    else:
        cost = open_group(groups, near, k, i, limit, moved)
    return cost if cost < np.inf else 0.0
