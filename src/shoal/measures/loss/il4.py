"""IL4: how much the variances changed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.measures._shared.moments import covariances
from shoal.measures.numeric_pair import numeric_pair, varying
from shoal.table import Table


def il4(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean relative change of the variances of the numeric columns, in percent; unbounded above.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (all variances kept) upwards; 100 if the masked columns are constant.

    Notes
    -----
    100 * mean over columns of |v - v'| / v. A column that is constant in the original counts the variance of
    "was changed" (0 or 1). Variances (n-1) rest on the observed cells; one that can no longer be computed
    counts 100. Time O(n d).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> il4(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [0.0, 2.0, 4.0]}))
    300.0
    """
    pair = numeric_pair(original, masked, columns)
    varying(pair)
    before = np.array([covariances(column[:, None])[0, 0] for column in pair.X.T])
    after = np.array([covariances(column[:, None])[0, 0] for column in pair.Y.T])
    known = ~np.isnan(before)
    scale = np.where(pair.constant, 1.0, before)[known]
    change = np.abs(before - after)[known] / scale
    return 100.0 * float(np.where(np.isnan(change), 1.0, change).mean())
