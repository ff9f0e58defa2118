"""Agreement patterns: how many pairs of an original and a masked record agree in exactly which columns.

Never over all pairs: records are joined on one column after the other, and only those that still have a
counterpart go on. The joins count pairs that agree at least in a set of columns; differences give "exactly".
"""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Rows, Slots
from shoal._kernels.jit import jit

FEW_PAIRS = 8  # a group with at most this many pairs is compared pair by pair; no measurement on record


@jit
def count_agreements(codes: Slots, first: int, most: int) -> Rows:
    """Pairs by pattern (bit j: they agree in column j); `first` original records come before the masked ones.

    `codes` has a row per column with values 0..most-1.
    """
    d, n = codes.shape
    at_least, direct = np.zeros(1 << d, np.int64), np.zeros((d + 1, 1 << d), np.int64)
    rows, ends = np.empty((d + 1, n), np.int32), np.empty((d + 1, n + 1), np.int32)
    groups, column, mask = np.zeros(d + 1, np.int64), np.zeros(d + 1, np.int64), np.zeros(d + 1, np.int64)
    rows[0], ends[0, 0], groups[0] = np.arange(n), n, 1
    counts = np.zeros((2, most), np.int64)
    place, seen = np.zeros(most, np.int64), np.empty(most, np.int64)
    at_least[0] = first * (n - first)
    depth = 0
    while depth >= 0:
        j = column[depth]
        if j == d:
            depth -= 1
            continue
        column[depth] += 1
        mask[depth + 1] = mask[depth] | (1 << j)
        groups[depth + 1] = _join(
            codes, first, j, rows[depth], ends[depth], groups[depth], rows[depth + 1], ends[depth + 1],
            counts, place, seen, at_least, direct, mask[depth + 1],
        )  # fmt: skip
        if groups[depth + 1] > 0:
            depth += 1
            column[depth] = j + 1
    _add_direct(at_least, direct, d)
    return _exactly(at_least, d)


@jit
def _join(
    codes: Slots,
    first: int,
    j: int,
    rows: Slots,
    ends: Slots,
    groups: int,
    new_rows: Slots,
    new_ends: Slots,
    counts: Rows,
    place: Rows,
    seen: Rows,
    at_least: Rows,
    direct: Rows,
    mask: int,
) -> int:
    """Split every group by column j; keep the parts with records of both files; count small parts at once."""
    begin = kept = size = 0
    for g in range(groups):
        end, values = ends[g], 0
        for t in range(begin, end):
            value = codes[j, rows[t]]
            if counts[0, value] + counts[1, value] == 0:
                seen[values] = value
                values += 1
            counts[1 if rows[t] >= first else 0, value] += 1
        for v in range(values):
            pairs = counts[0, seen[v]] * counts[1, seen[v]]
            place[seen[v]] = -1
            if pairs > 0:
                at_least[mask] += pairs
                place[seen[v]] = size
                size += counts[0, seen[v]] + counts[1, seen[v]]
                new_ends[kept] = size
                kept += 1
        for t in range(begin, end):
            value = codes[j, rows[t]]
            if place[value] >= 0:
                new_rows[place[value]] = rows[t]
                place[value] += 1
        for v in range(values):
            counts[0, seen[v]] = counts[1, seen[v]] = 0
        begin = end
    return _compare_small(codes, first, j, new_rows, new_ends, kept, direct, mask)


@jit
def _compare_small(
    codes: Slots, first: int, j: int, rows: Slots, ends: Slots, groups: int, direct: Rows, mask: int
) -> int:
    """Take out the groups of few pairs: note in which of the later columns each pair agrees."""
    begin = kept = size = 0
    for g in range(groups):
        end = ends[g]
        originals = 0
        for t in range(begin, end):
            originals += rows[t] < first
        small = originals * (end - begin - originals) <= FEW_PAIRS
        for t in range(begin, end):
            if not small:
                rows[size] = rows[t]
                size += 1
            elif rows[t] < first:
                for s in range(begin, end):
                    if rows[s] >= first:
                        pattern = mask
                        for later in range(j + 1, len(codes)):
                            if codes[later, rows[t]] == codes[later, rows[s]]:
                                pattern |= 1 << later
                        direct[j + 1, pattern] += 1
        if not small:
            ends[kept] = size
            kept += 1
        begin = end
    return kept


@jit
def _add_direct(at_least: Rows, direct: Rows, d: int) -> None:
    """A pair noted after column j agrees at least in every set of its later columns, besides its own join."""
    for depth in range(1, d + 1):
        noted = direct[depth]
        for j in range(depth, d):
            for pattern in range(1 << d):
                if not pattern & (1 << j):
                    noted[pattern] += noted[pattern | (1 << j)]
        high = ((1 << d) - 1) ^ ((1 << depth) - 1)
        for pattern in range(1 << d):
            if pattern & high:
                at_least[pattern] += noted[pattern]


@jit
def _exactly(at_least: Rows, d: int) -> Rows:
    """Pairs that agree in exactly a set: those in at least it, less those in more."""
    exact = at_least.copy()
    for j in range(d):
        for pattern in range(1 << d):
            if not pattern & (1 << j):
                exact[pattern] -= exact[pattern | (1 << j)]
    return exact
