"""Classes made cheaper: neighbours cut anew, small ones dissolved, large ones split, records moved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.jit import jit, kernel_only
from shoal._kernels.recoding.class_labels import best_cut, cost_of, cost_with, cover, meet

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
MOST_RECORDS = 400  # records of two classes that are cut anew: sorting more costs more than it gains


@kernel_only
def members_of(first: Numbers, after: Numbers, g: int, into: Numbers, start: int) -> int:
    """The records of a class, in `into` from `start` on; where they end."""
    row = first[g]
    while row >= 0 and start < len(into):
        into[start] = row
        start += 1
        row = after[row]
    return start


@kernel_only
def chain(first: Numbers, after: Numbers, owner: Numbers, g: int, rows: Numbers) -> None:
    """Make these records the members of a class."""
    first[g] = -1
    for p in range(len(rows)):
        after[rows[p]] = first[g]
        first[g] = rows[p]
        owner[rows[p]] = g


@kernel_only
def far_order(lines: Ids, heights: Ids, costs: Floats, leaves: Ids, rows: Numbers, start: int) -> Numbers:
    """The order of records from one far end to the other."""
    s = len(rows)
    a = rows[start]
    for _ in range(2):
        most, b = -1.0, a
        for p in range(s):
            now = cost_with(lines, heights, costs, leaves[a], leaves[rows[p]])
            if now > most:
                most, b = now, rows[p]
        a, other = b, a
    keys = np.empty(s)
    for p in range(s):
        keys[p] = cost_with(lines, heights, costs, leaves[a], leaves[rows[p]]) - cost_with(
            lines, heights, costs, leaves[other], leaves[rows[p]]
        )
    return np.argsort(keys, kind="mergesort")


@kernel_only
def cut_anew(
    lines: Ids, heights: Ids, costs: Floats, leaves: Ids, places: Ids, rows: Numbers, k: int, now: float
) -> tuple[float, int, Numbers]:
    """The best of the cuts along each column and from far end to far end, if cheaper than `now`."""
    before, chosen, place = np.empty(len(rows)), rows, -1
    for c in range(-1, leaves.shape[1]):
        if c < 0:
            order = far_order(lines, heights, costs, leaves, rows, 0)
        elif places[rows, c].min() == places[rows, c].max():
            continue
        else:
            order = np.argsort(places[rows, c], kind="mergesort")
        total, cut = best_cut(lines, heights, costs, leaves, rows[order], k, before)
        if total < now - 1e-9:
            now, place, chosen = total, cut, rows[order]
    return now, place, chosen


@jit
def cut_pairs(
    lines: Ids,
    heights: Ids,
    costs: Floats,
    leaves: Ids,
    places: Ids,
    owner: Numbers,
    first: Numbers,
    after: Numbers,
    labels: Ids,
    sizes: Numbers,
    order: Numbers,
    tried: Numbers,
    stamps: Numbers,
    k: int,
    reach: int,
) -> float:
    """Cut the records of neighbouring classes anew where that is cheaper; how much was gained.

    Classes are neighbours if records at most `reach` apart in the order are theirs. A pair is tried again
    only if one of the two changed: `stamps` counts the changes of a class, `tried` remembers pairs.
    """
    gained, buffer = 0.0, np.empty(MOST_RECORDS, np.int64)
    for p in range(len(order)):
        for step in range(1, reach + 1):
            if p + step >= len(order):
                break
            g, h = owner[order[p]], owner[order[p + step]]
            if g == h or sizes[g] + sizes[h] > MOST_RECORDS:
                continue
            low, high = min(g, h), max(g, h)
            mark = (low * 1_000_003 + high) * 1_009 + stamps[low] * 31 + stamps[high] * 7
            slot = (mark * 0x9E3779B1 >> 7) & (len(tried) - 1)
            if tried[slot] == mark:
                continue
            tried[slot] = mark
            end = members_of(first, after, low, buffer, 0)
            end = members_of(first, after, high, buffer, end)
            rows = buffer[:end].copy()
            now = cost_of(costs, labels[g]) * sizes[g] + cost_of(costs, labels[h]) * sizes[h]
            total, cut, chosen = cut_anew(lines, heights, costs, leaves, places, rows, k, now)
            if cut < 0:
                continue
            gained += now - total
            for part in range(2):
                own, at = (chosen[:cut], low) if part == 0 else (chosen[cut:], high)
                chain(first, after, owner, at, own)
                sizes[at] = len(own)
                cover(lines, heights, leaves, own, labels[at])
                stamps[at] += 1
    return gained


@jit
def split_large(
    lines: Ids,
    heights: Ids,
    costs: Floats,
    leaves: Ids,
    places: Ids,
    owner: Numbers,
    first: Numbers,
    after: Numbers,
    labels: Ids,
    sizes: Numbers,
    stamps: Numbers,
    count: int,
    k: int,
) -> tuple[int, float]:
    """Split classes of 2k or more where that is cheaper; the number of classes then, and the gain."""
    gained, g, buffer = 0.0, 0, np.empty(len(owner), np.int64)
    while g < count:
        now = cost_of(costs, labels[g]) * sizes[g]
        if sizes[g] >= 2 * k and now > 0.0 and count < len(sizes):
            end = members_of(first, after, g, buffer, 0)
            rows = buffer[:end].copy()
            total, cut, chosen = cut_anew(lines, heights, costs, leaves, places, rows, k, now)
            if cut >= 0:
                gained += now - total
                for part in range(2):
                    own, at = (chosen[:cut], g) if part == 0 else (chosen[cut:], count)
                    chain(first, after, owner, at, own)
                    sizes[at] = len(own)
                    cover(lines, heights, leaves, own, labels[at])
                    stamps[at] += 1
                count += 1
                continue
        g += 1
    return count, gained


@jit
def dissolve_small(
    lines: Ids,
    heights: Ids,
    costs: Floats,
    leaves: Ids,
    owner: Numbers,
    first: Numbers,
    after: Numbers,
    labels: Ids,
    sizes: Numbers,
    order: Numbers,
    spot: Numbers,
    stamps: Numbers,
    count: int,
    k: int,
    reach: int,
) -> float:
    """Give the records of a class to neighbouring classes where that is cheaper; how much was gained."""
    gained, buffer, target = 0.0, np.empty(4 * k, np.int64), np.empty(4 * k, np.int64)
    d = leaves.shape[1]
    kept = np.empty((4 * k, d), np.int32)
    for g in range(count):
        if sizes[g] == 0 or sizes[g] > 4 * k:
            continue
        now = cost_of(costs, labels[g]) * sizes[g]
        end, total, done = members_of(first, after, g, buffer, 0), 0.0, 0
        while done < end and total < now - 1e-9:
            row, least, chosen = buffer[done], np.inf, -1
            for q in range(max(0, spot[row] - reach), min(len(order), spot[row] + reach + 1)):
                h = owner[order[q]]
                if h != g:
                    extra = cost_with(lines, heights, costs, labels[h], leaves[row]) * (sizes[h] + 1)
                    extra -= cost_of(costs, labels[h]) * sizes[h]
                    if extra < least:
                        least, chosen = extra, h
            if chosen < 0:
                total = np.inf
                break
            total += least
            target[done] = chosen
            kept[done] = labels[chosen]
            sizes[chosen] += 1
            for c in range(d):
                labels[chosen, c] = meet(lines, heights, labels[chosen, c], leaves[row, c])
            done += 1
        if total < now - 1e-9:
            gained += now - total
            first[g], sizes[g] = -1, 0
            for p in range(end):
                h, row = target[p], buffer[p]
                owner[row], after[row], first[h] = h, first[h], row
                stamps[h] += 1
        else:
            for p in range(done - 1, -1, -1):
                labels[target[p]] = kept[p]
                sizes[target[p]] -= 1
    return gained
