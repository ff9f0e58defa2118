"""MF-TSP: which records come close to each other on paths from every record, and groups of such records."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit

Counts = NDArray[np.int32]


@jit
def path_from(D: Matrix, start: int) -> Rows:
    """A short path that begins at one record: the record farthest from it comes next, where it costs least.

    There is no way back to the start (the dummy city of the paper), so a record can also go to the end.
    """
    n = len(D)
    following, length = np.full(n, -1, dtype=np.intp), np.zeros(n)  # next on the path, and how far it is
    apart, free = D[start].copy(), np.arange(n)
    free[start] = n - 1
    for m in range(n - 1, 0, -1):
        chosen = 0
        for a in range(1, m):
            if apart[free[a]] > apart[free[chosen]]:
                chosen = a
        new = free[chosen]
        free[chosen] = free[m - 1]
        away = D[new]
        for a in range(m - 1):
            apart[free[a]] = min(apart[free[a]], away[free[a]])
        place, least, i = start, np.inf, start
        while i >= 0:
            j = following[i]
            extra = away[i] + away[j] - length[i] if j >= 0 else away[i]
            if extra < least:
                place, least = i, extra
            i = j
        if following[place] >= 0:
            following[new], length[new] = following[place], away[following[place]]
        following[place], length[place] = new, away[place]
    path = np.empty(n, dtype=np.intp)
    path[0] = start
    for p in range(1, n):
        path[p] = following[path[p - 1]]
    return path


@jit
def count_neighbours(path: Rows, window: int, closed: bool, N: Counts) -> None:
    """Add one to N[i, j] for all records at most `window` positions apart; on a circle if `closed`."""
    n = len(path)
    for p in range(n):
        for step in range(1, min(window, n // 2 if closed else n - 1 - p) + 1):
            q = (p + step) % n
            if closed and 2 * step == n and q < p:
                continue  # opposite on the circle: seen from the other side already
            N[path[p], path[q]] += 1
            N[path[q], path[p]] += 1


@jit
def frequent_groups(N: Counts, D: Matrix, k: int) -> tuple[Rows, int]:
    """Groups of k: the most frequent pair, then the records most frequent with any member.

    Among equally frequent ones the closest counts as first. The last records, fewer than 2k, keep -1.
    """
    n = len(N)
    labels, groups = np.full(n, -1, dtype=np.intp), 0
    partner = np.empty(n, dtype=np.intp)
    for i in range(n):
        partner[i] = _best_partner(N, D, labels, i)
    members = np.empty(k, dtype=np.intp)
    while n - groups * k > 2 * k - 1:
        members[0] = _best_row(N, D, labels, partner)
        for size in range(1, k):
            labels[members[size - 1]] = groups
            best, source = -1, -1
            for i in members[:size]:
                if labels[partner[i]] >= 0:
                    partner[i] = _best_partner(N, D, labels, i)
                if source < 0 or _better(N, D, i, partner[i], source, best):
                    best, source = partner[i], i
            members[size] = best
        labels[members[k - 1]] = groups
        groups += 1
    return labels, groups


@jit
def _better(N: Counts, D: Matrix, i: int, j: int, u: int, v: int) -> bool:
    """Is the pair i, j more frequent than u, v, or as frequent and closer?"""
    return bool(N[i, j] > N[u, v] or (N[i, j] == N[u, v] and D[i, j] < D[u, v]))


@jit
def _best_partner(N: Counts, D: Matrix, labels: Rows, i: int) -> int:
    """The free record most frequent near i."""
    best = -1
    for j in range(len(labels)):
        if j != i and labels[j] < 0 and (best < 0 or _better(N, D, i, j, i, best)):
            best = j
    return best


@jit
def _best_row(N: Counts, D: Matrix, labels: Rows, partner: Rows) -> int:
    """The first record of the most frequent free pair; partners that are gone are looked for again."""
    while True:
        best = -1
        for i in range(len(labels)):
            if labels[i] < 0 and (best < 0 or _better(N, D, i, partner[i], best, partner[best])):
                best = i
        if labels[partner[best]] < 0:
            return best
        partner[best] = _best_partner(N, D, labels, best)
