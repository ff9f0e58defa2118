"""Triples of records of which shares of groups hold two more often than once."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit


@jit
def broken_triples(
    starts: Rows, near: Slots, weights: Matrix, first: Rows, held: Slots, groups: Slots, shares: Matrix
) -> tuple[Slots, Matrix]:
    """All triples a < b < c whose groups' shares add up to more than one, and by how much.

    `near[starts[a]:starts[a + 1]]` are the records above a that share a group with it, in order, and
    `weights` the shares of these groups; `held[first[a]:first[a + 1]]` are the groups of record a.
    """
    found, excess, count = np.empty((1024, 3), np.int32), np.empty(1024), 0
    weight = np.zeros(len(starts))
    for a in range(len(starts) - 1):
        begin, end = starts[a], starts[a + 1]
        for p in range(begin, end):
            weight[near[p]] = weights[p]
        for p in range(begin, end):
            b = near[p]
            for q in range(starts[b], starts[b + 1]):
                c = near[q]
                total = weights[p] + weight[c] + weights[q]
                if weight[c] == 0.0 or total <= 1.0:
                    continue
                for h in held[first[a] : first[a + 1]]:
                    if (groups[h] == b).any() and (groups[h] == c).any():
                        total -= 2.0 * shares[h]
                if total > 1.0:
                    if count == len(found):
                        found = np.concatenate((found, np.empty_like(found)))
                        excess = np.concatenate((excess, np.empty_like(excess)))
                    found[count, 0], found[count, 1], found[count, 2] = a, b, c
                    excess[count] = total - 1.0
                    count += 1
        for p in range(begin, end):
            weight[near[p]] = 0.0
    return found[:count], excess[:count]
