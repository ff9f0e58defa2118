"""What helps most between two groups: a record that moves, or two that trade places."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix
from shoal._kernels.groups.groups import Groups
from shoal._kernels.groups.member_tiles import (
    LANES,
    MemberTiles,
    exchange,
    hand_over,
    measure_group,
    squares_from,
)
from shoal._kernels.jit import inline

LEAST_GAIN = 1e-9  # of the distances involved; less may be rounding
TINY = 1e-26  # and squares of this size are, for numbers below one
IN_A_ROW = 50  # changes between two groups: rounding could make equal ones follow each other for ever


@inline
def improve_pair(groups: Groups, tiles: MemberTiles, k: int, a: int, b: int, squares: Matrix) -> bool:
    """Do what helps most between two groups until nothing does; tells if anything did.

    `squares` is room for two rows of distances.
    """
    done, going = 0, True
    while going:
        p, q = _best(groups, tiles, k, a, b, squares)
        going = p >= 0 or q >= 0
        if going:
            if p >= 0 and q >= 0:
                exchange(groups, tiles, a, p, b, q)
            else:
                giver, place = (a, p) if q < 0 else (b, q)
                hand_over(groups, tiles, giver, place, a + b - giver)
            measure_group(groups, tiles, a)
            measure_group(groups, tiles, b)
            done += 1
            going = done < IN_A_ROW
    return done > 0


@inline
def _best(groups: Groups, tiles: MemberTiles, k: int, a: int, b: int, squares: Matrix) -> tuple[int, int]:
    """The members of two groups that should trade places, or only one that should move; -1 where none.

    Few trades are weighed: most would cost too much even if the two were as far from each other as can be.
    """
    squares_from(tiles.values, a, groups.sizes[a], groups.means, b, squares, 0)
    squares_from(tiles.values, b, groups.sizes[b], groups.means, a, squares, 1)
    best, i = _best_move(groups, tiles, k, a, b, squares, 0)
    cost, m = _best_move(groups, tiles, k, b, a, squares, 1)
    if cost < best:
        best, i = cost, -1
    else:
        m = -1
    share, between = 1 / groups.sizes[a] + 1 / groups.sizes[b], apart(groups, a, b)
    least = _least_costs(groups, tiles, b, share, between, squares, 1)
    if _least_costs(groups, tiles, a, share, between, squares, 0) + least < best:
        for p in range(groups.sizes[a]):
            if squares[0, p] + least < best:
                for q in range(groups.sizes[b]):
                    if squares[0, p] + squares[1, q] < best:
                        cost = _cost_of_trade(groups, tiles, a, p, b, q, share)
                        cost += LEAST_GAIN * (between + tiles.own[a, p] + tiles.own[b, q])
                        if cost < best:
                            best, i, m = cost, p, q
    return i, m


@inline
def apart(groups: Groups, a: int, b: int) -> float:
    """Squared distance of the means of two groups."""
    total = 0.0
    for c in range(groups.means.shape[1]):
        difference = groups.means[a, c] - groups.means[b, c]
        total += difference * difference
    return total


@inline
def _best_move(
    groups: Groups, tiles: MemberTiles, k: int, a: int, b: int, squares: Matrix, row: int
) -> tuple[float, int]:
    """What the best move from a to b costs and whose it is; -1 if none helps or the sizes forbid it."""
    best, member, size, room = -TINY, -1, groups.sizes[a], groups.sizes[b]
    if size > k and room < 2 * k - 1:
        joining, leaving = room / (room + 1) + LEAST_GAIN, size / (size - 1)
        for p in range(size):
            cost = squares[row, p] * joining - tiles.own[a, p] * leaving
            if cost < best:
                best, member = cost, p
    return best, member


@inline
def _least_costs(
    groups: Groups, tiles: MemberTiles, g: int, share: float, between: float, squares: Matrix, row: int
) -> float:
    """Turn distances to the other mean into each member's part of the least a trade can cost; the lowest.

    A trade costs there - here of both, less share times the square of the distance of the two; and that is
    at most twice the squares of their distances to the point halfway between the means.
    """
    least = np.inf
    for p in range(groups.sizes[g]):
        there, here = squares[row, p], tiles.own[g, p]
        cost = there - here - share * (there + here - 0.5 * between)
        squares[row, p] = cost
        if cost < least:
            least = cost
    return least


@inline
def _cost_of_trade(groups: Groups, tiles: MemberTiles, a: int, p: int, b: int, q: int, share: float) -> float:
    """How much the sum of squares grows when member p of one group and q of another trade places."""
    total = 0.0
    for c in range(groups.means.shape[1]):
        difference = tiles.values[a, p // LANES, c, p % LANES] - tiles.values[b, q // LANES, c, q % LANES]
        total += difference * (2.0 * (groups.means[a, c] - groups.means[b, c]) - share * difference)
    return total
