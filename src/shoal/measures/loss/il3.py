"""IL3: how much the covariances changed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.errors import NotApplicable
from shoal.measures._shared.moments import ZERO, covariances
from shoal.measures.numeric_pair import numeric_pair, varying
from shoal.table import Table


def il3(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean relative change of the numeric columns' variances and covariances, in percent; unbounded above.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (all covariances kept) upwards; a covariance near zero can make it huge (`pil_loss` cannot).

    Notes
    -----
    100 * mean over i >= j of |v_ij - v'_ij| / |v_ij|. A covariance of zero (below a billionth of the product
    of standard deviations) gives no scale; that product is used instead. Covariances (n-1) rest on the rows
    that have both values; one that can no longer be computed counts 100. Time O(n d^2).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> il3(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [1.0, 1.0, 1.0]}))
    100.0
    """
    pair = numeric_pair(original, masked, columns)
    varying(pair)
    before, after = covariances(pair.X), covariances(pair.Y)
    lower = np.tril(np.ones_like(before, dtype=bool)) & ~np.isnan(before)
    if not lower.any():
        raise NotApplicable("No two records have values in the same numeric column.")
    scale = np.where(np.abs(before[lower]) > ZERO, np.abs(before[lower]), 1.0)
    change = np.abs(before[lower] - after[lower]) / scale
    return 100.0 * float(np.where(np.isnan(change), 1.0, change).mean())
