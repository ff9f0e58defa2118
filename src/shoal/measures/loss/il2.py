"""IL2: how much the means moved."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.measures._shared.moments import ZERO, column_means
from shoal.measures.numeric_pair import numeric_pair
from shoal.table import Table


def il2(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean relative change of the numeric columns' means, in percent; unbounded above.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (all means kept) upwards.

    Notes
    -----
    100 * mean over columns of |m - m'| / |m|. A mean of zero (below a billionth of the standard deviation)
    gives no scale; the standard deviation is used instead, and for a constant column the share of its cells
    that changed. Means rest on the observed cells of each file; a column suppressed as a whole counts 100.
    Time O(n d).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> il2(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [1.0, 2.0, 6.0]})).__round__(2)
    50.0
    """
    pair = numeric_pair(original, masked, columns)
    change = np.abs(column_means(pair.Y) - column_means(pair.X))
    scale = np.where(np.abs(pair.mean) > ZERO, np.abs(pair.mean), 1.0)
    return 100.0 * float(np.where(np.isnan(change), 1.0, change / scale).mean())
