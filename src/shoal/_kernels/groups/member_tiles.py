"""The members of every group side by side, so that several are measured at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.groups.groups import Groups, move_record
from shoal._kernels.jit import inline, interpreted_if_small, jit

LANES = 8  # numbers side by side in a tile: as many as the longest registers hold


class MemberTiles(NamedTuple):
    """What is known of the members of each group, in the order of `Groups.members`."""

    values: Matrix  # column c of member p of group g is values[g, p // LANES, c, p % LANES]
    own: Matrix  # squared distance to the mean of the group


def member_tiles(groups: Groups) -> MemberTiles:
    """The members of all groups, measured."""
    number, count = len(groups.sizes), -(-groups.members.shape[1] // LANES)
    shape = (number, count, groups.X.shape[1], LANES)
    tiles = MemberTiles(np.zeros(shape), np.zeros((number, count * LANES)))
    interpreted_if_small(copy_members, groups.X.size)(groups, tiles, np.flatnonzero(groups.sizes))
    return tiles


@jit
def copy_members(groups: Groups, tiles: MemberTiles, which: Rows) -> None:
    """Copy the members of these groups from the file and measure them."""
    for g in which:
        for p in range(groups.sizes[g]):
            i = groups.members[g, p]
            for c in range(groups.X.shape[1]):
                tiles.values[g, p // LANES, c, p % LANES] = groups.X[i, c]
        measure_group(groups, tiles, g)


@jit
def spreads(groups: Groups, tiles: MemberTiles) -> Matrix:
    """Mean squared distance of the members of every group to its mean."""
    found = np.zeros(len(groups.sizes))
    for g in range(len(found)):
        for p in range(groups.sizes[g]):
            found[g] += tiles.own[g, p] / groups.sizes[g]
    return found


@inline
def squares_from(tiles: Matrix, g: int, size: int, means: Matrix, h: int, squares: Matrix, row: int) -> None:
    """squares[row, p] = squared distance of member p of group g to the mean of group h.

    Column after column for all lanes of a tile, which the compiler turns into one instruction; every lane
    adds in the order of the columns, so any processor gets the same sums to the last bit.
    """
    for t in range((size + LANES - 1) // LANES):
        for lane in range(LANES):
            squares[row, t * LANES + lane] = 0.0
        for c in range(means.shape[1]):
            mean = means[h, c]
            for lane in range(LANES):
                difference = tiles[g, t, c, lane] - mean
                squares[row, t * LANES + lane] += difference * difference


@inline
def measure_group(groups: Groups, tiles: MemberTiles, g: int) -> None:
    """Measure a group anew, after its members or its mean changed."""
    squares_from(tiles.values, g, groups.sizes[g], groups.means, g, tiles.own, g)


@inline
def hand_over(groups: Groups, tiles: MemberTiles, a: int, p: int, b: int) -> None:
    """Member p of a group moves to another; both have to be measured afterwards."""
    last, end = groups.sizes[a] - 1, groups.sizes[b]
    for c in range(groups.X.shape[1]):
        tiles.values[b, end // LANES, c, end % LANES] = tiles.values[a, p // LANES, c, p % LANES]
        tiles.values[a, p // LANES, c, p % LANES] = tiles.values[a, last // LANES, c, last % LANES]
    move_record(groups, groups.members[a, p], b)


@inline
def exchange(groups: Groups, tiles: MemberTiles, a: int, p: int, b: int, q: int) -> None:
    """Member p of a group and member q of another trade places; measure both afterwards."""
    i, m = groups.members[a, p], groups.members[b, q]
    groups.members[a, p], groups.place[m], groups.labels[m] = m, p, a
    groups.members[b, q], groups.place[i], groups.labels[i] = i, q, b
    for c in range(groups.X.shape[1]):
        one, other = tiles.values[a, p // LANES, c, p % LANES], tiles.values[b, q // LANES, c, q % LANES]
        tiles.values[a, p // LANES, c, p % LANES], tiles.values[b, q // LANES, c, q % LANES] = other, one
        groups.means[a, c] += (other - one) / groups.sizes[a]
        groups.means[b, c] += (one - other) / groups.sizes[b]
