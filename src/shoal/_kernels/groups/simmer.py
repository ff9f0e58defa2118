"""Simmering: annealing for long searches, where a record weighs every trade with a near group at once."""

from __future__ import annotations

from math import log

import numpy as np

from shoal._kernels.arrays import Matrix, Slots
from shoal._kernels.groups.dissolve_found import dissolve, found
from shoal._kernels.groups.groups import Groups, cost_along, cost_of_joining, draw_line, gain_of_leaving, put
from shoal._kernels.groups.rebuild import rebuild, room_for
from shoal._kernels.jit import inner, jit
from shoal._kernels.random import Dice, uniform

REGROUP = 0.02  # share of the moves that dissolve a group or found one
NEVER = 14.0  # temperatures: a loss that would be accepted once in a million times is not worth the dice


@jit
def simmer(
    groups: Groups,
    near: Slots,
    warmth: Matrix,
    k: int,
    turns: Slots,
    sweeps: int,
    heat: float,
    closest: bool,
    rebuilt: float,
    dice: Dice,
) -> None:
    """Let the records of `turns` try random moves, so many times each, at one temperature.

    The temperature of record i is `heat * warmth[i]`. A record joins the group of one of its near records or
    trades places with a member of it; `closest` prefers the first ones in the list of near records.
    `rebuilt` is the share of the moves that group a few groups anew.
    """
    labels, sizes, moved, line = (
        groups.labels,
        groups.sizes,
        np.empty(2 * k, np.int32),
        np.empty_like(groups.X[0]),
    )
    room = room_for(k, len(line))
    for _ in range(sweeps):
        for i in turns:
            warm, chance, u = heat * warmth[i], uniform(dice), uniform(dice)
            if chance >= 1.0 - rebuilt:
                rebuild(groups, near, k, i, -warm * log(1.0 - u), room, dice)
                continue
            if chance < 0.5 * REGROUP:
                dissolve(groups, near, k, labels[i], -warm * log(1.0 - u), moved)
                continue
            if chance < REGROUP:
                found(groups, near, k, i, -warm * log(1.0 - u), moved)
                continue
            g, home = labels[near[i, int((u * u if closest else u) * near.shape[1])]], labels[i]
            if g == home:
                continue
            if sizes[home] > k and sizes[g] < 2 * k - 1:
                cost = cost_of_joining(groups, i, g) - gain_of_leaving(groups, i)
                if _accept(cost, warm, dice):
                    put(groups, i, g)
                    continue
            _trade(groups, i, g, line, warm, dice)


@inner
def _accept(cost: float, warm: float, dice: Dice) -> bool:
    """Metropolis' rule."""
    return cost < 0.0 or (cost < NEVER * warm and cost < -warm * log(1.0 - uniform(dice)))


@inner
def _trade(groups: Groups, i: int, g: int, line: Matrix, warm: float, dice: Dice) -> None:
    """Trade places with the first member of a group for which the dice allow it."""
    home = groups.labels[i]
    share = 1.0 / groups.sizes[home] + 1.0 / groups.sizes[g]
    draw_line(groups, home, g, line)
    for p in range(groups.sizes[g]):
        m = groups.members[g, p]
        if _accept(cost_along(groups, i, m, line, share), warm, dice):
            put(groups, i, g)
            put(groups, m, home)
            return
