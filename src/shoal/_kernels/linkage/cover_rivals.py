"""Released cells that cover values: which released records a person may be, and which is the likeliest.

Column c of a class of equal released records holds the cell `C[g, c]`; a cell covers runs of positions,
which lie in `first` and `last` from `ptr[base[c] + cell]` on. Column 0 is the most telling one: `cells_of`
lists the cells that cover each of its positions, and classes are sorted by their cell in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import inline, jit


class Cover(NamedTuple):
    """Cells, what they cover, and where to look first."""

    C: Rows
    ptr: Rows
    base: Rows
    first: Rows
    last: Rows
    cells_of: Rows
    cells_ptr: Rows
    classes_ptr: Rows


@jit
def cover_rivals(
    T: Rows, own: Rows, cover: Cover, copies: Rows, size: Matrix, X: Matrix, Y: Matrix, name: Rows, tie: float
) -> tuple[Rows, Rows]:
    """For every row of T: the records that may be it, and its rivals.

    Rivals are 0 if a record that may be it is nearer (or as near with smaller covers) than the own class,
    else the records as good, the own ones counted.
    """
    candidates, rivals = np.zeros(len(T), np.intp), np.zeros(len(T), np.intp)
    for i in range(len(T)):
        reach = _distance(X[i], Y[own[i]], name, np.inf)
        slack, good = tie * reach + 1e-3 * tie, size[own[i]]
        known, p = T[i, 0] >= 0, T[i, 0]
        cells = cover.cells_ptr[p + 1] - cover.cells_ptr[p] if known else len(cover.classes_ptr) - 1
        found, better = 0, False
        for turn in range(cells):
            cell = cover.cells_of[cover.cells_ptr[p] + turn] if known else turn
            for g in range(cover.classes_ptr[cell], cover.classes_ptr[cell + 1]):
                if _covers(T[i], cover, g):
                    candidates[i] += copies[g]
                    if not better:
                        far = _distance(X[i], Y[g], name, reach + slack)
                        if far < reach - slack:
                            better = True
                        elif far <= reach + slack:
                            if size[g] < good - tie:
                                better = True
                            elif size[g] <= good + tie:
                                found += copies[g]
        rivals[i] = 0 if better else found
    return candidates, rivals


@jit
def cover_totals(T: Rows, cover: Cover, weight: Matrix) -> Matrix:
    """For every class the summed weight of the rows of T that it covers."""
    totals = np.zeros(len(cover.C))
    for i in range(len(T)):
        known, p = T[i, 0] >= 0, T[i, 0]
        cells = cover.cells_ptr[p + 1] - cover.cells_ptr[p] if known else len(cover.classes_ptr) - 1
        for turn in range(cells):
            cell = cover.cells_of[cover.cells_ptr[p] + turn] if known else turn
            for g in range(cover.classes_ptr[cell], cover.classes_ptr[cell + 1]):
                if _covers(T[i], cover, g):
                    totals[g] += weight[i]
    return totals


@inline
def _covers(t: Rows, cover: Cover, g: int) -> bool:
    """Whether all cells of a class but the first cover what is known of a person."""
    for c in range(1, len(t)):
        if t[c] >= 0:
            cell = cover.base[c] + cover.C[g, c]
            inside = False
            for run in range(cover.ptr[cell], cover.ptr[cell + 1]):
                if cover.first[run] <= t[c] <= cover.last[run]:
                    inside = True
                    break
            if not inside:
                return False
    return True


@inline
def _distance(x: Matrix, y: Matrix, name: Rows, limit: float) -> float:
    """Squared distance of the perturbed columns, numbers and names; not summed on above the limit."""
    total = 0.0
    for j in range(len(x)):
        if name[j]:
            total += 1.0 if x[j] != y[j] else 0.0
        else:
            total += (x[j] - y[j]) ** 2
        if total > limit:
            break
    return total
