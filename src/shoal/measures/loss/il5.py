"""IL5: how much the correlations changed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.errors import NotApplicable
from shoal.measures._shared.moments import correlations
from shoal.measures.numeric_pair import numeric_pair, varying
from shoal.table import Table


def il5(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean absolute change of the correlations of the numeric columns, in percent; 0 to 200.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (all correlations kept) to 200 (all turned from 1 to -1).

    Notes
    -----
    100 * mean over i > j of |r_ij - r'_ij|. Columns that are constant in the original have no correlation and
    are left out; a column that masking made constant or suppressed has correlation 0. Correlations rest on
    the rows that have both values. Time O(n d^2).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> before = as_table({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]})
    >>> il5(before, as_table({"a": [1.0, 2.0, 3.0], "b": [3.0, 2.0, 1.0]}))
    200.0
    """
    pair = varying(numeric_pair(original, masked, columns))
    if len(pair.names) < 2:
        raise NotApplicable("Correlations need two numeric columns that vary.")
    below = np.tril_indices(len(pair.names), -1)
    return 100.0 * float(np.abs(correlations(pair.X) - correlations(pair.Y))[below].mean())
