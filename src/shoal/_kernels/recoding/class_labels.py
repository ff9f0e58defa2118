"""The labels that cover a class: common ancestors of its records, what they cost, and records near by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.jit import inline, jit, kernel_only

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@inline
def meet(lines: Ids, heights: Ids, one: int, other: int) -> int:
    """The lowest common ancestor of two labels; `lines[label, level]` is its ancestor at that level."""
    level = max(heights[one], heights[other])
    while lines[one, level] != lines[other, level]:
        level += 1
    return lines[one, level]


@inline
def cost_with(lines: Ids, heights: Ids, costs: Floats, labels: Ids, leaf: Ids) -> float:
    """What a cell of every column costs once a class with these labels takes in a record."""
    total = 0.0
    for c in range(len(leaf)):
        total += costs[meet(lines, heights, labels[c], leaf[c])]
    return total


@kernel_only
def cover(lines: Ids, heights: Ids, leaves: Ids, rows: Numbers, into: Ids) -> None:
    """The labels that cover these records."""
    for c in range(leaves.shape[1]):
        label = leaves[rows[0], c]
        for p in range(1, len(rows)):
            if leaves[rows[p], c] != label:
                label = meet(lines, heights, label, leaves[rows[p], c])
        into[c] = label


@kernel_only
def cost_of(costs: Floats, labels: Ids) -> float:
    """What a record costs whose cells are these labels."""
    total = 0.0
    for c in range(len(labels)):
        total += costs[labels[c]]
    return total


@kernel_only
def best_cut(
    lines: Ids, heights: Ids, costs: Floats, leaves: Ids, rows: Numbers, k: int, before: Floats
) -> tuple[float, int]:
    """The cheapest cut of records in this order into two classes of at least k, and its place."""
    s, d = len(rows), leaves.shape[1]
    labels = np.empty(d, np.int32)
    labels[:] = leaves[rows[0]]
    for p in range(s):
        for c in range(d):
            if leaves[rows[p], c] != labels[c]:
                labels[c] = meet(lines, heights, labels[c], leaves[rows[p], c])
        before[p] = cost_of(costs, labels) * (p + 1)
    least, place = np.inf, -1
    labels[:] = leaves[rows[s - 1]]
    for p in range(s - 1, k - 1, -1):
        for c in range(d):
            if leaves[rows[p], c] != labels[c]:
                labels[c] = meet(lines, heights, labels[c], leaves[rows[p], c])
        if s - p >= k:
            total = before[p - 1] + cost_of(costs, labels) * (s - p)
            if total < least:
                least, place = total, p
    return least, place


@jit
def join_nearest(
    lines: Ids, heights: Ids, costs: Floats, leaves: Ids, owner: Numbers, labels: Ids, sizes: Numbers
) -> None:
    """Records without a class (-1) join the one where that costs least; labels and sizes follow."""
    for row in range(len(owner)):
        if owner[row] >= 0:
            continue
        least, chosen = np.inf, 0
        for g in range(len(sizes)):
            now = cost_with(lines, heights, costs, labels[g], leaves[row])
            extra = now * (sizes[g] + 1) - cost_of(costs, labels[g]) * sizes[g]
            if extra < least:
                least, chosen = extra, g
        owner[row] = chosen
        sizes[chosen] += 1
        for c in range(leaves.shape[1]):
            labels[chosen, c] = meet(lines, heights, labels[chosen, c], leaves[row, c])


@jit
def cover_classes(lines: Ids, heights: Ids, leaves: Ids, owner: Numbers, labels: Ids) -> None:
    """The labels that cover the records of every class."""
    begun = np.zeros(len(labels), np.bool_)
    for row in range(len(owner)):
        g = owner[row]
        if g < 0:
            continue
        for c in range(leaves.shape[1]):
            if not begun[g]:
                labels[g, c] = leaves[row, c]
            elif labels[g, c] != leaves[row, c]:
                labels[g, c] = meet(lines, heights, labels[g, c], leaves[row, c])
        begun[g] = True


@jit
def link_members(owner: Numbers, first: Numbers, after: Numbers) -> None:
    """Lists of the records of every class."""
    for row in range(len(owner) - 1, -1, -1):
        after[row] = first[owner[row]]
        first[owner[row]] = row
