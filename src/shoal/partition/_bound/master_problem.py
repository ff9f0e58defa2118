"""The linear programme of the groups found so far: what would every record have to pay?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.partition._bound.highs import Groups, cover, solver
from shoal.partition._bound.pricing import Prices
from shoal.types import Matrix


class Duals(NamedTuple):
    """Prices, their sum, how much of the file the limits of prices hold back, and shares of the groups."""

    prices: Prices
    total: float
    held: float
    shares: Matrix


def dual_prices(groups: Groups, costs: Matrix, centre: Prices, room: Matrix, unit: float) -> Duals:
    """Prices within `room` of a centre with the highest sum at which no group pays more than it costs.

    `unit` is a typical price. This is the dual of covering every record exactly once by shares of groups,
    and every three at most once; more or less than once costs what the limits of a price say.

    >>> from shoal.partition._bound.pricing import without_fees
    >>> pair, cost = np.array([[0, 1]]), np.array([2.0])
    >>> round(dual_prices(pair, cost, without_fees(np.ones(2)), np.ones(2), 1.0).total, 3)
    2.0
    """
    from scipy.sparse import csc_array, eye_array, hstack

    n, count, rows = len(room), len(groups), len(room) + len(centre.triples)
    low, high = centre.records - room, centre.records + room
    matrix, least, most = cover(groups, centre.triples, n)
    slack = eye_array(rows, n)
    matrix = csc_array(hstack([matrix, slack, -slack]))
    highs = solver(matrix, least, most, np.concatenate([costs, high, -low]) / unit, np.inf)
    highs.setOptionValue("solver", "ipm")
    highs.setOptionValue("run_crossover", "off")  # prices inside, not in a corner, steer the search better
    highs.setOptionValue("ipm_optimality_tolerance", 1e-6)
    highs.run()
    solution = highs.getSolution()
    duals, values = np.array(solution.row_dual) * unit, np.array(solution.col_value)
    total = float(highs.getInfo().objective_function_value) * unit
    if len(duals) != rows or not np.isfinite(duals).all():
        return Duals(centre, total, np.inf, np.zeros(count))
    prices = Prices(np.clip(duals[:n], low, high), centre.triples, np.maximum(-duals[n:], 0.0))
    return Duals(prices, total, float(values[count:].sum()), values[:count])
