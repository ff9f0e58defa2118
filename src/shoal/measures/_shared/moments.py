"""Means, covariances and correlations of a matrix with missing cells."""

from __future__ import annotations

import numpy as np

from shoal.types import Matrix

ZERO = 1e-9  # a standardised statistic closer to 0 than this is 0 up to rounding


def column_means(M: Matrix) -> Matrix:
    """Mean of every column over its observed cells; NaN where there is none.

    >>> column_means(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([ 2., nan])
    """
    count = (~np.isnan(M)).sum(axis=0)
    total = np.where(np.isnan(M), 0.0, M).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def centred(M: Matrix) -> Matrix:
    """Every column minus its mean, 0 where missing; exactly 0 for a constant."""
    means = column_means(M)
    flat = np.array([_flat(column) for column in M.T])
    return np.where(np.isnan(M) | flat, 0.0, M - means)


def covariances(M: Matrix) -> Matrix:
    """Covariance (n-1) of every two columns over the rows that have both; NaN with fewer than two rows.

    >>> covariances(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, np.nan]])).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """
    observed = (~np.isnan(M)).astype(np.float64)
    C = centred(M)
    count = observed.T @ observed
    sums = C.T @ observed  # of column i over the rows where column j is observed
    with np.errstate(divide="ignore", invalid="ignore"):
        result: Matrix = (C.T @ C - sums * sums.T / count) / (count - 1)
    return np.where(count > 1, result, np.nan)


def correlations(M: Matrix) -> Matrix:
    """Correlation of every two columns over the rows that have both; 0 if one is constant there.

    >>> correlations(np.array([[1.0, 2.0, 7.0], [2.0, 4.0, 7.0], [3.0, 6.5, 7.0]])).round(3).tolist()
    [[1.0, 0.998, 0.0], [0.998, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    observed = (~np.isnan(M)).astype(np.float64)
    C = centred(M)
    count = np.maximum(observed.T @ observed, 1.0)
    sums = C.T @ observed
    spread = (C**2).T @ observed - sums**2 / count  # of column i over the rows where column j is observed
    covariance = C.T @ C - sums * sums.T / count
    scale = np.sqrt(np.maximum(spread, 0) * np.maximum(spread.T, 0))
    total = np.sqrt(np.outer(np.diag(spread), np.diag(spread)))
    usable = scale > 1e-12 * np.maximum(total, 1e-300)
    result = np.where(usable, covariance / np.where(usable, scale, 1.0), 0.0)
    result = np.clip(result, -1.0, 1.0)
    np.fill_diagonal(result, 1.0)
    return result


def _flat(column: Matrix) -> bool:
    seen = column[~np.isnan(column)]
    return not len(seen) or bool(seen.min() == seen.max())
