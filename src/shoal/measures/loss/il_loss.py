"""IL: the classic mean of five losses of numeric files."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.errors import NotApplicable
from shoal.measures.loss.il1s import il1s
from shoal.measures.loss.il2 import il2
from shoal.measures.loss.il3 import il3
from shoal.measures.loss.il4 import il4
from shoal.measures.loss.il5 import il5
from shoal.table import Table

PARTS = (il1s, il2, il3, il4, il5)


def il_loss(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean of il1s (values), il2 (means), il3 (covariances), il4 (variances), il5 (correlations); unbounded.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (nothing lost) upwards; `pil_loss` is the bounded relative.

    Notes
    -----
    Each part has weight 0.2; with a single numeric column there are no correlations and the other four count
    alike. Missing values: as in the parts. Time O(n d^2).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> il_loss(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [1.0, 2.0, 3.0]}))
    0.0
    """
    parts = []
    for part in PARTS:
        try:
            parts.append(part(original, masked, columns=columns))
        except NotApplicable:
            if part is not il5:
                raise
    return float(np.mean(parts))
