"""Regression loss: would an analyst draw the same conclusions from regressions?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._check import check_names
from shoal._door import takes_frames
from shoal.errors import NotApplicable
from shoal.measures.numeric_pair import numeric_pair, varying
from shoal.table import Table
from shoal.types import Matrix


@takes_frames
def regression_loss(
    original: Table,
    masked: Table,
    *,
    targets: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """How little the 95 % confidence intervals of regression coefficients overlap, in percent.

    Parameters
    ----------
    original, masked
        The two files; rows need not correspond.
    targets
        The numeric columns to explain by the other ones; each in turn if not given.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (the same intervals) to 100 (no interval touches its counterpart).

    Notes
    -----
    Linear regressions by least squares on the records without missing values; the intercept does not count.
    The overlap is the mean of the shares of both intervals that they have in common, at least 0. Where a
    column is a sum of others, the coefficients are those of the smallest norm. Columns that are constant in
    the original take no part. Time O(n d^2 + d^4).

    References
    ----------
    Karr, Kohnen, Oganian, Reiter, Sanil: A framework for evaluating the utility of data altered to protect
    confidentiality, The American Statistician 60 (2006).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"a": [1.0, 2.0, 3.0, 4.0], "b": [1.0, 2.5, 2.5, 4.5]})
    >>> regression_loss(table, table)
    0.0
    """
    pair = varying(numeric_pair(original, masked, columns))
    names = list(pair.names)
    if len(names) < 2:
        raise NotApplicable("A regression needs two numeric columns that vary.")
    explained = names if targets is None else check_names(targets, names, what="numeric column that varies")
    X, Y = _complete(pair.X), _complete(pair.Y)
    if min(len(X), len(Y)) <= len(names) + 1:
        raise NotApplicable("There are too few records without missing values for a regression.")
    overlaps = [_overlaps(_intervals(X, names.index(t)), _intervals(Y, names.index(t))) for t in explained]
    return 100.0 * (1.0 - float(np.concatenate(overlaps).mean()))


def _complete(M: Matrix) -> Matrix:
    return M[~np.isnan(M).any(axis=1)]


def _intervals(M: Matrix, target: int) -> Matrix:
    """Lower and upper ends of the coefficients' 95 % intervals, one row each."""
    from scipy.special import stdtrit

    C = M - M.mean(axis=0)
    F, y = np.delete(C, target, axis=1), C[:, target]
    inverse = np.linalg.pinv(F.T @ F, rcond=1e-10, hermitian=True)
    beta = inverse @ (F.T @ y)
    freedom = len(M) - F.shape[1] - 1
    noise = float(((y - F @ beta) ** 2).sum()) / freedom
    half = stdtrit(freedom, 0.975) * np.sqrt(np.maximum(noise * np.diag(inverse), 0.0))
    return np.column_stack([beta - half, beta + half])


def _overlaps(A: Matrix, B: Matrix) -> Matrix:
    """Mean share in common of every two intervals; of two points: whether they are the same."""
    tiny = 1e-9  # in standard deviations; keeps an interval of no width from dividing by zero
    widen = np.array([-tiny, tiny])
    A, B = A + widen, B + widen
    common = np.minimum(A[:, 1], B[:, 1]) - np.maximum(A[:, 0], B[:, 0])
    shares = common / (A[:, 1] - A[:, 0]) / 2 + common / (B[:, 1] - B[:, 0]) / 2
    return np.clip(shares, 0.0, 1.0)
