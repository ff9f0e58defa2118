"""Rivals: is any masked record closer to an original record than its own, and how many are as close?

Points have columns of two sorts: first `m` numbers, at distance (x - y)^2, then names (codes), at distance
`weight` where they differ. A k-d tree of boxes serves both: no name outside a box's range of codes is in it.
"""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit

Tree = tuple[Rows, Rows, Rows, Rows, Matrix, Matrix]

LEAF = 32


@jit
def build_tree(P: Matrix, m: int, weight: Matrix) -> Tree:
    """Order of the points; per node: first place, last + 1, left child (0: leaf), low and high corner."""
    n, d = P.shape
    most = max(4 * n // (LEAF // 4) + 3, 3)
    order = np.arange(n)
    start, stop, child = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    low, high = np.zeros((most, d)), np.zeros((most, d))
    stop[0] = n
    nodes, node = 1, 0
    while node < nodes:
        a, b = start[node], stop[node]
        for j in range(d):
            low[node, j] = high[node, j] = P[order[a], j]
            for t in range(a + 1, b):
                value = P[order[t], j]
                low[node, j] = min(low[node, j], value)
                high[node, j] = max(high[node, j], value)
        if b - a > LEAF:
            column = _widest(P, order[a:b], low[node], high[node], m, weight)
            inside = order[a:b].copy()
            values = np.empty(b - a)
            for t in range(b - a):
                values[t] = P[inside[t], column]
            ranking = np.argsort(values)
            for t in range(b - a):
                order[a + t] = inside[ranking[t]]
            middle = a + _boundary(values[ranking])
            child[node] = nodes
            start[nodes], stop[nodes] = a, middle
            start[nodes + 1], stop[nodes + 1] = middle, b
            nodes += 2
        node += 1
    return order, start[:nodes], stop[:nodes], child[:nodes], low[:nodes], high[:nodes]


@jit
def _widest(P: Matrix, inside: Rows, low: Matrix, high: Matrix, m: int, weight: Matrix) -> int:
    """The column in which two records of the box are farthest apart on average."""
    best, longest = 0, 0.0
    for j in range(len(low)):
        if j < m:
            total = squares = 0.0
            for row in inside:
                total += P[row, j] - low[j]
                squares += (P[row, j] - low[j]) ** 2
            apart = 2 * (squares - total * total / len(inside)) / len(inside)
        else:
            apart = weight[j] * (1 - 1 / (high[j] - low[j] + 1))
        if apart > longest:
            best, longest = j, apart
    return best


@jit
def _boundary(values: Matrix) -> int:
    """Where to cut sorted values: between two different ones near the middle, else in the middle."""
    n = len(values)
    for step in range(n // 4):
        for cut in (n // 2 - step, n // 2 + step):
            if values[cut - 1] < values[cut]:
                return cut
    return n // 2


@jit
def _box_distance(x: Matrix, low: Matrix, high: Matrix, node: int, m: int, weight: Matrix) -> float:
    """The least distance a point of the box can have."""
    total = 0.0
    for j in range(m):
        below, above = low[node, j] - x[j], x[j] - high[node, j]
        gap = below if below > above else above
        total += gap * gap if gap > 0 else 0.0
    for j in range(m, len(x)):
        if x[j] < low[node, j] or x[j] > high[node, j]:
            total += weight[j]
    return total


@jit
def _leaf_distances(x: Matrix, Q: Matrix, a: int, b: int, m: int, weight: Matrix, out: Matrix) -> None:
    """Distances to the points in places a..b-1, column by column: the machine then does several at once."""
    for t in range(b - a):
        out[t] = 0.0
    for j in range(m):
        for t in range(b - a):
            gap = Q[j, a + t] - x[j]
            out[t] += gap * gap
    for j in range(m, len(x)):
        for t in range(b - a):
            out[t] += weight[j] if Q[j, a + t] != x[j] else 0.0


@jit
def count_rivals(
    X: Matrix, reach: Matrix, Q: Matrix, copies: Rows, m: int, weight: Matrix, tree: Tree
) -> Rows:
    """For every row i of X: 0 if a point is closer than reach[i, 0], else the copies within reach[i, 1].

    `Q` and `copies` hold the points in the order of the tree, one column of `Q` each.
    """
    rivals = np.zeros(len(X), np.int64)
    for i in range(len(X)):
        rivals[i] = _rivals(X[i], reach[i, 0], reach[i, 1], Q, copies, m, weight, tree)
    return rivals


@jit
def _rivals(
    x: Matrix, closer: float, limit: float, Q: Matrix, copies: Rows, m: int, weight: Matrix, tree: Tree
) -> int:
    _, start, stop, child, low, high = tree
    waiting, distances = np.empty(128, np.int64), np.empty(LEAF)
    waiting[0] = 0
    size, found = 1, 0
    while size > 0:
        size -= 1
        node = waiting[size]
        while child[node] != 0:  # down to the nearer side; the farther one waits if it is within reach
            left = child[node]
            near, far = left, left + 1
            least = _box_distance(x, low, high, near, m, weight)
            most = _box_distance(x, low, high, far, m, weight)
            if most < least:
                near, far, least, most = far, near, most, least
            if most <= limit:
                waiting[size] = far
                size += 1
            if least > limit:
                break
            node = near
        if child[node] != 0:
            continue
        a, b = start[node], stop[node]
        _leaf_distances(x, Q, a, b, m, weight, distances)
        for t in range(b - a):
            if distances[t] < closer:
                return 0
            if distances[t] <= limit:
                found += copies[a + t]
    return found
