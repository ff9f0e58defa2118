"""Tours: orders in which close records follow each other."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit
from shoal._kernels.mdav.pool import squared_distance


@jit
def walk(X: Matrix, start: int, both_ends: bool) -> Rows:
    """Go to the nearest free record from the end of the path, or from whichever end is nearer."""
    n = len(X)
    ends = np.array([start, start])
    path, first, last = np.empty(2 * n - 1, dtype=np.intp), n - 1, n - 1
    path[last] = start
    rows = np.arange(n)
    for a in range(start, n - 1):
        rows[a] = a + 1
    for m in range(n - 1, 0, -1):
        best, side, chosen = np.inf, 1, 0
        for a in range(m):
            distance = squared_distance(X, rows[a], ends[1])
            if distance < best:
                best, side, chosen = distance, 1, a
            if both_ends:
                distance = squared_distance(X, rows[a], ends[0])
                if distance < best:
                    best, side, chosen = distance, 0, a
        ends[side] = rows[chosen]
        if side == 1:
            last += 1
            path[last] = rows[chosen]
        else:
            first -= 1
            path[first] = rows[chosen]
        for a in range(chosen, m - 1):
            rows[a] = rows[a + 1]
    return path[first : last + 1]


@jit
def insert_farthest(X: Matrix, start: int) -> Rows:
    """Grow a closed tour: the record farthest from it comes next, at the place where it costs least."""
    n = len(X)
    following, length = np.full(n, start), np.zeros(n)  # the next record on the tour and how far it is
    apart, away = np.full(n, np.inf), np.empty(n)  # distance to the tour, distance to the newest record
    on_tour, newest = np.zeros(n, dtype=np.bool_), start
    on_tour[start] = True
    for _ in range(n - 1):
        chosen, largest = -1, -1.0
        for i in range(n):
            if not on_tour[i]:
                apart[i] = min(apart[i], np.sqrt(squared_distance(X, i, newest)))
                if apart[i] > largest:
                    chosen, largest = i, apart[i]
        for i in range(n):
            if on_tour[i]:
                away[i] = np.sqrt(squared_distance(X, i, chosen))
        place, least, i = start, np.inf, start
        while True:
            extra = away[i] + away[following[i]] - length[i]
            if extra < least:
                place, least = i, extra
            i = following[i]
            if i == start:
                break
        following[chosen], length[chosen] = following[place], away[following[place]]
        following[place], length[place] = chosen, away[place]
        on_tour[chosen], newest = True, chosen
    return following


@jit
def open_tour(following: Rows, X: Matrix, start: int) -> Rows:
    """The closed tour as a sequence, opened at its longest edge."""
    n = len(following)
    tour = np.empty(n, dtype=np.intp)
    row, opening, longest = start, 0, -1.0
    for p in range(n):
        tour[p] = row
        distance = squared_distance(X, row, following[row])
        if distance > longest:
            opening, longest = p + 1, distance
        row = following[row]
    opened = np.empty(n, dtype=np.intp)
    for p in range(n):
        opened[p] = tour[(p + opening) % n]
    return opened


@jit
def add_edges(edges: Rows, ends: Rows, degree: Rows, neighbours: Rows) -> int:
    """Add edges in turn where they lengthen a path or join two; the number added.

    `ends` names for the end of a path its other end, `neighbours` the one or two records next to a record.
    """
    added = 0
    for e in range(len(edges)):
        i, j = edges[e, 0], edges[e, 1]
        if degree[i] < 2 and degree[j] < 2 and ends[i] != j:
            neighbours[i, degree[i]], neighbours[j, degree[j]] = j, i
            degree[i] += 1
            degree[j] += 1
            a, b = ends[i], ends[j]
            ends[a], ends[b] = b, a
            added += 1
    return added


@jit
def follow(neighbours: Rows, degree: Rows, start: int) -> Rows:
    """The path that begins at a record with one neighbour."""
    n = len(degree)
    path = np.empty(n, dtype=np.intp)
    path[0] = start
    before = -1
    for p in range(1, n):
        row = path[p - 1]
        path[p] = neighbours[row, 0] if neighbours[row, 0] != before else neighbours[row, 1]
        before = row
    return path
