"""SSE loss: the share of the spread of the numeric columns that masking has taken away."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.measures.numeric_pair import numeric_pair, varying
from shoal.table import Table


@takes_frames
def sse_loss(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """100 * SSE / SST on standardised numeric columns; 0 to 100 for microaggregation, unbounded for noise.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        Percent of the total sum of squares lost.

    Notes
    -----
    Columns are divided by the original's standard deviation (n-1). A suppressed cell counts as if it were
    replaced by the column's mean; cells missing in the original do not count. A changed constant counts one
    standard deviation per cell, as nothing else gives it a scale. Time O(n d).

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical disclosure control,
    IEEE Transactions on Knowledge and Data Engineering 14 (2002).

    Examples
    --------
    >>> from shoal import as_table
    >>> loss = sse_loss(as_table({"a": [0.0, 2.0, 10.0, 12.0]}), as_table({"a": [1.0, 1.0, 11.0, 11.0]}))
    >>> round(loss, 2)
    3.85
    """
    pair = numeric_pair(original, masked, columns)
    total = float(np.nansum(varying(pair).X ** 2))
    return 100.0 * float((pair.difference**2).sum()) / total
