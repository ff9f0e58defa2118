"""IL1s: how far, on average, a masked value lies from its original."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.measures.numeric_pair import numeric_pair, varying
from shoal.table import Table


def il1s(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean absolute change of the numeric cells in percent of sqrt(2) standard deviations; unbounded above.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (nothing changed) upwards; 100 is the typical distance of two records drawn at random.

    Notes
    -----
    100 * mean of |x - x'| / (sqrt(2) S), S the original's standard deviation (n-1), over all cells that the
    original has. A suppressed cell counts as replaced by its column's mean; a changed cell of a column that
    is constant in the original counts one standard deviation. Time O(n d).

    References
    ----------
    Mateo-Sanz, Domingo-Ferrer, Sebé: Probabilistic information loss measures in confidentiality protection
    of continuous microdata, Data Mining and Knowledge Discovery 11 (2005).

    Examples
    --------
    >>> from shoal import as_table
    >>> il1s(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [2.0, 2.0, 2.0]})).__round__(2)
    47.14
    """
    pair = numeric_pair(original, masked, columns)
    varying(pair)  # only constants: nothing to scale by
    return 100.0 * float(np.abs(pair.difference).sum() / np.sqrt(2.0) / pair.observed.sum())
