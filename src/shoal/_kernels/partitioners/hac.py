"""Agglomeration under a size limit: the closest two clusters merge while together they are small enough."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit

SINGLE, COMPLETE, AVERAGE, CENTROID, WARD = range(5)


@jit
def agglomerate(D: Matrix, limit: int, linkage: int, priority: bool) -> Rows:
    """Merge until every union would exceed the limit; cluster numbers are row positions.

    D holds distances for AVERAGE and squared distances for the others; it is overwritten. With `priority` a
    distance is divided by the size of the union, so that large clusters are completed first.
    """
    n = len(D)
    cluster, sizes = np.arange(n), np.ones(n, dtype=np.intp)
    active, m = np.arange(n), n  # clusters below the limit, in row order
    partner, closeness = np.empty(n, dtype=np.intp), np.empty(n)
    for i in range(n):
        _find_partner(D, active, m, sizes, limit, linkage, priority, i, partner, closeness)
    while m > 1:
        a = active[0]
        for p in range(1, m):
            if closeness[active[p]] < closeness[a]:
                a = active[p]
        b = partner[a]
        if b < 0:
            break  # no union fits any more
        a, b = min(a, b), max(a, b)
        _merge(D, active, m, sizes, linkage, a, b)
        for i in range(n):
            cluster[i] = a if cluster[i] == b else cluster[i]
        m = _drop(active, m, sizes, limit, b)
        _update_partners(D, active, m, sizes, limit, linkage, priority, a, b, partner, closeness)
    return cluster


@jit
def _drop(active: Rows, m: int, sizes: Rows, limit: int, b: int) -> int:
    """Take b and full clusters out; the number of active ones that remain."""
    kept = 0
    for p in range(m):
        if active[p] != b and sizes[active[p]] < limit:
            active[kept] = active[p]
            kept += 1
    return kept


@jit
def _key(D: Matrix, sizes: Rows, linkage: int, priority: bool, i: int, j: int) -> float:
    """What makes two clusters close: their distance, with priority divided by the size of the union."""
    if not priority:
        return float(D[i, j])
    union = sizes[i] + sizes[j]
    return float(D[i, j] / union) if linkage == AVERAGE else float(D[i, j] / (union * union))


@jit
def _find_partner(
    D: Matrix,
    active: Rows,
    m: int,
    sizes: Rows,
    limit: int,
    linkage: int,
    priority: bool,
    i: int,
    partner: Rows,
    closeness: Matrix,
) -> None:
    """The closest cluster that still fits, -1 if there is none."""
    partner[i], closeness[i] = -1, np.inf
    for j in active[:m]:
        if j != i and sizes[i] + sizes[j] <= limit:
            key = _key(D, sizes, linkage, priority, i, j)
            if key < closeness[i]:
                partner[i], closeness[i] = j, key


@jit
def _update_partners(
    D: Matrix,
    active: Rows,
    m: int,
    sizes: Rows,
    limit: int,
    linkage: int,
    priority: bool,
    a: int,
    b: int,
    partner: Rows,
    closeness: Matrix,
) -> None:
    """After b went into a: others may come closer to a; those that lose their partner look again."""
    for i in active[:m]:
        fits = i != a and sizes[a] + sizes[i] <= limit
        key = _key(D, sizes, linkage, priority, i, a) if fits else np.inf
        if fits and key <= closeness[i]:
            partner[i], closeness[i] = a, key
        elif i == a or partner[i] == a or partner[i] == b:
            _find_partner(D, active, m, sizes, limit, linkage, priority, i, partner, closeness)


@jit
def _merge(D: Matrix, active: Rows, m: int, sizes: Rows, linkage: int, a: int, b: int) -> None:
    """Distances from the union (kept in place of a) to the others, by the formula of Lance and Williams."""
    u, v, between = sizes[a], sizes[b], D[a, b]
    for j in active[:m]:
        if j in (a, b):
            continue
        first, second = D[a, j], D[b, j]
        if linkage == SINGLE:
            new = min(first, second)
        elif linkage == COMPLETE:
            new = max(first, second)
        elif linkage == AVERAGE:
            new = (u * first + v * second) / (u + v)
        elif linkage == CENTROID:
            new = (u * first + v * second - u * v * between / (u + v)) / (u + v)
        else:
            new = ((u + sizes[j]) * first + (v + sizes[j]) * second - sizes[j] * between) / (u + v + sizes[j])
        D[a, j] = D[j, a] = max(new, 0.0)
    sizes[a] += v
