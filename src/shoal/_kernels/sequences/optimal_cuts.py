"""Optimal cuts: the least sum of squares over all ways to cut a sequence of records into groups."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit


@jit
def best_cuts(Y: Matrix, k: int) -> Rows:
    """Where the last group starts if the sequence ended after i records, for every i (index 0 unused).

    Shortest path over cut points, groups of k..2k-1 records. Sums are taken of differences to the last
    member of a group: they lose at most a factor 2k-1 of the machine precision, whereas sums from the
    beginning of the sequence lose everything when n is large or the values have an offset.
    """
    n, d = Y.shape
    cost, last = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=np.intp)
    cost[0] = 0.0
    total = np.empty(d)
    for end in range(k, n + 1):
        total[:] = 0.0
        squares = 0.0
        for start in range(end - 1, max(end - 2 * k, -1), -1):
            product = 0.0
            for c in range(d):
                difference = Y[start, c] - Y[end - 1, c]
                total[c] += difference
                squares += difference * difference
                product += total[c] * total[c]
            candidate = cost[start] + (squares - product / (end - start))
            if end - start >= k and candidate < cost[end]:
                cost[end], last[end] = candidate, start
    return last


@jit
def best_value_cuts(y: Matrix, k: int) -> Rows:
    """`best_cuts` for a single column, several times faster because nothing leaves the registers."""
    n = len(y)
    cost, last = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=np.intp)
    cost[0] = 0.0
    for end in range(k, n + 1):
        total, squares = 0.0, 0.0
        least, best = np.inf, 0
        for start in range(end - 1, max(end - 2 * k, -1), -1):
            difference = y[start] - y[end - 1]
            total += difference
            squares += difference * difference
            if end - start >= k:
                candidate = cost[start] + (squares - total * total / (end - start))
                if candidate < least:
                    least, best = candidate, start
        cost[end], last[end] = least, best
    return last


@jit
def label_cuts(order: Rows, last: Rows) -> Rows:
    """Labels of the records, where `order` is the sequence that was cut; 0..g-1 by first appearance."""
    n = len(order)
    labels = np.empty(n, dtype=np.intp)
    end = n
    while end > 0:
        for p in range(last[end], end):
            labels[order[p]] = end  # any number that tells groups apart, for now
        end = last[end]
    name = np.full(n + 1, -1, dtype=np.intp)
    groups = 0
    for i in range(n):
        if name[labels[i]] < 0:
            name[labels[i]] = groups
            groups += 1
        labels[i] = name[labels[i]]
    return labels


@jit
def settle_ties(values: Matrix, order: Rows) -> Rows:
    """The order of the sorted values, with equal ones in file order."""
    n = len(order)
    run = np.empty(n, dtype=np.intp)  # where the equal values of each record start
    start = 0
    for p in range(n):
        if values[p] != values[start]:
            start = p
        run[order[p]] = start
    filled = np.zeros(n, dtype=np.intp)
    settled = np.empty(n, dtype=np.intp)
    for i in range(n):
        settled[run[i] + filled[run[i]]] = i
        filled[run[i]] += 1
    return settled
