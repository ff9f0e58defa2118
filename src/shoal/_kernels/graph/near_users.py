"""How many users are as near as the right one, by sparse vectors in compressed rows."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit, kernel_only


@jit
def chances(
    users: tuple[Rows, Rows, Matrix],
    own: Rows,
    blocks: Rows,
    listed: tuple[Rows, Rows, Rows, Rows, Matrix],
    most: Matrix,
    lengths: Matrix,
    copies: Matrix,
    tie: float,
) -> float:
    """The sum of the chances to be found: 1 / users as near as the right one, 0 if one is nearer.

    Users are sparse rows (starts, columns, values), `own` their right target. Targets lie in blocks, from
    `blocks[b]` on; `listed` has for every block its coordinates in order and for every coordinate the targets
    that have it: starts of blocks, coordinates, starts of coordinates, places in the block, parts. `most`
    is the largest part of a coordinate in a block, without its sign: no target of the block is nearer than
    these allow. Blocks are looked at from the own one outwards, and a nearer target ends the search.
    """
    starts, columns, values = users
    count, found = len(blocks) - 1, 0.0
    shortest = np.array([np.min(lengths[blocks[b] : blocks[b + 1]]) for b in range(count)])
    dots, at = (
        np.zeros(np.max(blocks[1:] - blocks[:-1])),
        np.zeros(np.max(starts[1:] - starts[:-1]), np.int64),
    )
    for user in range(len(own)):
        mine, parts = columns[starts[user] : starts[user + 1]], values[starts[user] : starts[user + 1]]
        home = np.searchsorted(blocks, own[user], side="right") - 1
        length, limit, rivals = np.sum(parts**2), 0.0, 0.0
        for step in range(2 * count):  # own block, one after, one before, two after ...
            block = home + (step + 1) // 2 * (1 if step % 2 else -1)
            if block < 0 or block >= count:
                continue
            nearest = _nearest(mine, parts, block, listed, most, at)
            if step > 0 and length + shortest[block] - 2 * nearest > limit + 2 * tie:
                continue
            size = blocks[block + 1] - blocks[block]
            _dots(parts, at, len(mine), listed, dots, size)
            squares = length + lengths[blocks[block] : blocks[block + 1]] - 2 * dots[:size]
            if step == 0:
                limit = squares[own[user] - blocks[block]]
            if np.min(squares) < limit - tie:
                rivals = 0.0
                break
            for j in range(size):
                rivals += copies[blocks[block] + j] if squares[j] <= limit + tie else 0.0
        if rivals > 0.0:
            found += 1.0 / rivals
    return found


@kernel_only
def _nearest(
    mine: Rows,
    parts: Matrix,
    block: int,
    listed: tuple[Rows, Rows, Rows, Rows, Matrix],
    most: Matrix,
    at: Rows,
) -> float:
    """The largest product of the user with any target of a block, at most; and where its coordinates lie."""
    begins, names = listed[0], listed[1]
    low, end, bound = begins[block], begins[block + 1], 0.0
    for i in range(len(mine)):
        high = end
        while low < high:
            middle = (low + high) // 2
            if names[middle] < mine[i]:
                low = middle + 1
            else:
                high = middle
        at[i] = -1
        if low < end and names[low] == mine[i]:
            at[i] = low
            bound += abs(parts[i]) * most[low]
    return bound


@kernel_only
def _dots(
    parts: Matrix,
    at: Rows,
    count: int,
    listed: tuple[Rows, Rows, Rows, Rows, Matrix],
    dots: Matrix,
    size: int,
) -> None:
    """The products of the user with every target of a block."""
    _, _, begins, places, values = listed
    dots[:size] = 0.0
    for i in range(count):
        if at[i] >= 0:
            for j in range(begins[at[i]], begins[at[i] + 1]):
                dots[places[j]] += parts[i] * values[j]
