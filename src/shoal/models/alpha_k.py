"""(alpha, k)-anonymity: no confidential value is more frequent than alpha in a class."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes, thresholds
from shoal.models.value_shares import value_shares


def alpha_k(classes: Classes, *, alpha: float | Mapping[str, float]) -> NDArray[np.bool_]:
    """Whether no value of a confidential column has more than the share alpha of any class.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    alpha
        The greatest share, 0 to 1, for all confidential columns or by column; k is promised beside it.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    Missing values are left out. Time O(n log n) a column.

    References
    ----------
    Wong, Li, Fu, Wang: (alpha, k)-anonymity: an enhanced k-anonymity model for privacy preserving data
    publishing, KDD (2006).

    Examples
    --------
    >>> from shoal.models import Classes, hidden_column
    >>> ill = hidden_column(np.array([0, 1, 0, 0, 0, 1]), "nominal")
    >>> classes = Classes(np.array([0, 0, 1, 1, 1, 1]), {"ill": ill})
    >>> alpha_k(classes, alpha=0.5)
    array([ True, False])
    """
    kept = np.ones(classes.count, dtype=bool)
    for name, most in thresholds(classes, "alpha", alpha).items():
        kept &= value_shares(classes, name).largest() <= check_number(f"alpha of {name}", most, 0, 1) + 1e-12
    return kept
