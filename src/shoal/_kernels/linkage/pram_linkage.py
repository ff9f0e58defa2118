"""Linkage after PRAM in expectation: how often a record's own masked record will be the nearest one.

Squared distances are whole steps, so that a record's distance to what another one becomes has a small
distribution: columns are drawn independently, and their distributions are folded one after the other.
"""

from __future__ import annotations

from math import exp, expm1, log

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit


@jit
def _distances(
    seen: Slots, record: Slots, sizes: Rows, square: Rows, P: Matrix, steps: Slots, out: Matrix, room: Matrix
) -> int:
    """Distribution of the distance from a known record to what a record becomes, and the places it fills.

    What is beyond the last place is left out.
    """
    chance = np.zeros(len(room))
    out[0], filled = 1.0, 1
    for c in range(len(sizes)):
        row, away, longest = square[c] + record[c] * sizes[c], square[c] + seen[c] * sizes[c], 0
        for y in range(sizes[c]):
            if P[row + y] > 0.0 and steps[away + y] < len(room):
                chance[steps[away + y]] += P[row + y]
                longest = max(longest, steps[away + y])
        new = min(filled + longest, len(room))
        room[:new] = 0.0
        for step in range(longest + 1):
            if chance[step] > 0.0:
                for s in range(min(filled, len(room) - step)):
                    room[s + step] += chance[step] * out[s]
                chance[step] = 0.0
        out[:new] = room[:new]
        filled = new
    return filled


@jit
def expected_links(
    targets: Rows,
    records: Slots,
    copies: Rows,
    sizes: Rows,
    square: Rows,
    P: Matrix,
    steps: Slots,
    levels: int,
) -> Matrix:
    """For every target, a place in `records` (distinct, with copies): the chance that it is linked right."""
    chances = np.zeros(len(targets))
    own, other, room = np.empty(levels), np.empty(levels), np.empty(levels)
    for t in range(len(targets)):
        seen = records[targets[t]]
        reached = _distances(seen, seen, sizes, square, P, steps, own, room)
        alone = np.zeros(levels)  # log of the chance that none is nearer
        rivals, squares = (
            np.zeros(levels),
            np.zeros(levels),
        )  # expected number as near, sum of squared chances
        for g in range(len(records)):
            count = copies[g] - (1 if g == targets[t] else 0)
            if count == 0:
                continue
            filled = _distances(seen, records[g], sizes, square, P, steps, other, room)
            left = 1.0  # chance that the distance is at least s
            for s in range(reached):
                here = other[s] if s < filled else 0.0
                if left < 1e-12:
                    alone[s] = -np.inf
                elif here > 0.0 or left < 1.0:
                    alone[s] += count * log(left)
                    rivals[s] += count * here / left
                    squares[s] += count * (here / left) ** 2
                    left -= here
        for s in range(reached):
            if own[s] > 0.0 and alone[s] > -50.0:
                chances[t] += own[s] * exp(alone[s]) * _share(rivals[s], squares[s])
    return chances


@jit
def _share(rivals: float, squares: float) -> float:
    """E 1 / (1 + K) for K rivals as near: binomial with the mean and the variance that they have."""
    if rivals < 1e-9:
        return 1.0
    p = min(squares / rivals, 1.0)
    if p < 1e-6:
        return -expm1(-rivals) / rivals  # Poisson
    count = rivals / p
    return (1.0 - (1.0 - p) ** (count + 1)) / ((count + 1) * p)
