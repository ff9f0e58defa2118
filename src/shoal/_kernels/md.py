"""MD: groups around the two most distant records that are still free."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit
from shoal._kernels.pool import farthest, measure, squared_distance, take_nearest


@jit
def md_groups(X: Matrix, order: Rows, norm: Matrix, k: int) -> tuple[Rows, int]:
    """Two groups of k at a time; the records left at the end, fewer than 2k, keep the label -1.

    `order` visits the records from the farthest to the closest to the origin, `norm` is how far they are.
    """
    n = len(X)
    labels = np.full(n, -1, dtype=np.intp)
    rows, m = np.arange(n), n
    order, distances = order.copy(), np.empty(n)
    bound, partner = np.empty(n), np.full(n, -1, dtype=np.intp)
    for i in range(n):
        bound[i] = (norm[i] + norm[order[0]]) * (1 + 1e-12)
    groups = 0
    while m >= 2 * k:
        _drop_grouped(order, m, labels)
        r = _most_distant(X, rows, m, order, norm, bound, partner, labels)
        measure(X, rows, m, r, distances)
        take_nearest(rows, m, distances, k, labels, groups)
        s = farthest(rows, m - k, distances)
        measure(X, rows, m - k, s, distances)
        take_nearest(rows, m - k, distances, k, labels, groups + 1)
        m, groups = m - 2 * k, groups + 2
    return labels, groups


@jit
def _drop_grouped(order: Rows, m: int, labels: Rows) -> None:
    """Move the m free records to the front, in the same order."""
    kept, p = 0, 0
    while kept < m:
        order[kept] = order[p]
        kept += labels[order[p]] < 0
        p += 1


@jit
def _most_distant(
    X: Matrix, rows: Rows, m: int, order: Rows, norm: Matrix, bound: Matrix, partner: Rows, labels: Rows
) -> int:
    """The record of the most distant free pair that is farther from the origin.

    The distance to a partner that has left the pool is still an upper bound, so a record is measured again
    only when its bound is the largest of all.
    """
    while True:
        r = rows[0]
        for a in range(1, m):
            if bound[rows[a]] > bound[r]:
                r = rows[a]
        if partner[r] >= 0 and labels[partner[r]] < 0:
            return int(partner[r] if norm[partner[r]] > norm[r] else r)
        bound[r] = -1.0
        for a in range(m):
            s = order[a]
            if (norm[r] + norm[s]) * (1 + 1e-12) < bound[r]:
                break  # by the triangle inequality no later record is farther away
            distance = np.sqrt(squared_distance(X, r, s))
            if s != r and distance > bound[r]:
                bound[r], partner[r] = distance, s
