"""The linear programme of the groups found so far: what would every record have to pay?"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.types import Matrix


def fair_prices(
    groups: NDArray[np.int32], costs: Matrix, low: Matrix, high: Matrix, unit: float
) -> tuple[Matrix, float, float]:
    """Prices between `low` and `high` with the highest sum at which no group pays more than it costs.

    Returns them, their sum, and how many prices a limit holds back. All groups have the same size; `unit`
    is a typical price. This is the dual of covering every record exactly once by shares of groups.

    >>> pair, cost, limit = np.array([[0, 1]]), np.array([2.0]), np.ones(2)
    >>> prices, total, held = fair_prices(pair, cost, 0 * limit, 9 * limit, 1.0)
    >>> round(total, 3)
    2.0
    """
    import highspy

    n, count = len(low), len(groups)
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("solver", "ipm")
    solver.setOptionValue("run_crossover", "off")  # prices inside, not in a corner, steer the search better
    solver.setOptionValue("ipm_optimality_tolerance", 1e-6)
    solver.passModel(_model(highspy, groups, costs / unit, low / unit, high / unit))
    solver.run()
    solution = solver.getSolution()
    prices = np.array(solution.row_dual) * unit
    held = float(np.sum(np.array(solution.col_value)[count:])) if len(solution.col_value) else np.inf
    total = float(solver.getInfo().objective_function_value) * unit
    if len(prices) != n or not np.isfinite(prices).all():
        return (low + high) / 2, total, np.inf
    return np.clip(prices, low, high), total, held


def _model(highspy: Any, groups: NDArray[np.int32], costs: Matrix, low: Matrix, high: Matrix) -> Any:
    """Shares of groups cover every record once; a price at a limit means some more or less of its record."""
    (count, k), n = groups.shape, len(low)
    columns = count + 2 * n
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = columns, n
    model.col_cost_ = np.concatenate([costs, high, -low])
    model.col_lower_, model.col_upper_ = np.zeros(columns), np.full(columns, np.inf)
    model.row_lower_ = model.row_upper_ = np.ones(n)
    lengths = np.concatenate([[0], np.full(count, k), np.ones(2 * n, dtype=int)])
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.cumsum(lengths).astype(np.int32)
    model.a_matrix_.index_ = np.concatenate([groups.ravel(), np.arange(n), np.arange(n)]).astype(np.int32)
    model.a_matrix_.value_ = np.concatenate([np.ones(count * k + n), -np.ones(n)])
    return model
