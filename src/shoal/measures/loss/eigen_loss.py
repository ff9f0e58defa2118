"""Eigenvalue loss: how much the main directions of the numeric columns shrank or grew."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.measures._shared.moments import centred
from shoal.measures.numeric_pair import numeric_pair, varying
from shoal.table import Table
from shoal.types import Matrix


@takes_frames
def eigen_loss(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Difference of the eigenvalues of the numeric columns' covariance matrices, in percent of their sum.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (the same principal components' variances) to 100 (nothing in common).

    Notes
    -----
    100 * sum |e_i - e'_i| / sum (e_i + e'_i) with eigenvalues in falling order, both files in the original's
    standard deviations. A missing cell counts as the mean of its column. Two files with the same eigenvalues
    can still point in different directions: read it together with `il5`. Time O(n d^2 + d^3).

    References
    ----------
    Templ, Kowarik, Meindl: Statistical disclosure control for micro-data using the R package sdcMicro,
    Journal of Statistical Software 67 (2015), for the eigenvalue comparison; the bounded form is ours.

    Examples
    --------
    >>> from shoal import as_table
    >>> eigen_loss(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [2.0, 2.0, 2.0]}))
    100.0
    """
    pair = numeric_pair(original, masked, columns)
    varying(pair)
    before, after = _eigenvalues(pair.X), _eigenvalues(pair.Y)
    return 100.0 * float(np.abs(before - after).sum() / (before.sum() + after.sum()))


def _eigenvalues(M: Matrix) -> Matrix:
    C = centred(M)
    values = np.linalg.eigvalsh(C.T @ C / max(len(C) - 1, 1))
    return np.maximum(values.astype(np.float64), 0.0)
