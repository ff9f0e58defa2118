"""Numbers as robust Mahalanobis coordinates: outliers and correlations do not stretch distances."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from shoal.encode import Scale
from shoal.encode.robust_covariance import robust_covariance
from shoal.masking.protected_columns import finite_column
from shoal.table import Table

GroupScale: TypeAlias = Scale | Literal["robust"]


def robust_coordinates(table: Table, names: list[str]) -> Table:
    """The table with its numeric columns in coordinates whose differences are robust Mahalanobis distances.

    Every coordinate stays as near to its column as it can; a gap stays a gap, and lies at the centre when
    the other coordinates are worked out. A constant column becomes zeros.

    >>> from shoal import as_table
    >>> rng = np.random.default_rng(1)
    >>> near = rng.normal(size=(200, 2))
    >>> table = as_table({"pay": 10 * near[:, 0], "tax": 10 * near[:, 0] + near[:, 1]})
    >>> done = robust_coordinates(table, ["pay", "tax"])
    >>> bool(abs(np.corrcoef(done.column("pay"), done.column("tax"))[0, 1]) < 0.2)
    True
    """
    numeric = [name for name in names if table.attribute(name).kind == "numeric"]
    columns = {name: finite_column(table, name) for name in numeric}
    columns = {name: x / max(float(np.nanmax(np.abs(x), initial=0)), 1e-300) for name, x in columns.items()}
    moving = [name for name, x in columns.items() if np.nanmin(x, initial=1) < np.nanmax(x, initial=-1)]
    done = {name: np.where(np.isnan(x), np.nan, 0.0) for name, x in columns.items()}
    if moving:
        X = np.column_stack([columns[name] for name in moving])
        gaps = np.isnan(X)
        centre, covariance = robust_covariance(X[~gaps.any(axis=1)])
        deviation = np.sqrt(np.diag(covariance))
        values, vectors = np.linalg.eigh(covariance / np.outer(deviation, deviation))
        scaled = np.where(gaps, 0.0, (X - centre) / deviation)
        whitened = scaled @ (vectors / np.sqrt(values)) @ vectors.T
        done |= {n: np.where(gaps[:, j], np.nan, whitened[:, j]) for j, n in enumerate(moving)}
    return table.assign(**done)
