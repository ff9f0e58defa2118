"""Choosing groups: the partition with the least sum of squares that can be put together from given groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.partition._bound.highs import Groups, Triples, cover, solver
from shoal.types import Labels, Matrix

FOUND = 2  # HiGHS: a solution that keeps all limits


class Choice(NamedTuple):
    """Labels, if a choice was found; no choice costs less than `bound`."""

    labels: Labels | None
    bound: float


def choose_groups(
    groups: Groups, costs: Matrix, triples: Triples, n: int, *, first: Matrix | None = None, seconds: float
) -> Choice:
    """The cheapest groups that cover n records, each once, by branch and bound.

    `triples` are rules that every partition keeps (see `_bound.subset_row_cuts`); they help. `first` is a
    choice to begin with: 1 for the groups in it.

    >>> groups = np.array([[0, 1], [2, 3], [0, 2], [1, 3]])
    >>> choose_groups(groups, np.array([1.0, 1.0, 0.5, 2.0]), np.empty((0, 3), int), 4, seconds=1)
    Choice(labels=array([0, 0, 1, 1]), bound=2.0)
    """
    import highspy

    unit = max(float(costs.mean()), 1e-300)
    highs = solver(*cover(groups, triples, n), costs / unit, 1.0)
    highs.changeColsIntegrality(
        len(groups), np.arange(len(groups), dtype=np.int32), np.ones(len(groups), dtype=np.uint8)
    )
    if first is not None:
        given = highspy.HighsSolution()
        given.col_value = first
        highs.setSolution(given)
    highs.setOptionValue("time_limit", float(seconds))
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.run()
    info = highs.getInfo()
    bound, chosen = float(info.mip_dual_bound) * unit, np.array(highs.getSolution().col_value) > 0.5
    if info.primal_solution_status != FOUND or len(chosen) != len(groups):
        return Choice(None, bound)
    labels = np.full(n, -1, dtype=np.intp)
    for number, rows in enumerate(groups[chosen]):
        labels[rows[rows >= 0]] = number
    return Choice(labels, bound)
