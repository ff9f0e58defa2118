"""Beta-likeness: no confidential value is much more frequent in a class than in the file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes, thresholds
from shoal.models.value_shares import known_shares, value_shares


def beta_like(
    classes: Classes, *, beta: float | Mapping[str, float], enhanced: bool = True
) -> NDArray[np.bool_]:
    """Whether the share of every value in a class exceeds its share q in the file by at most beta times q.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    beta
        The greatest relative gain, above 0, for all confidential columns or by column.
    enhanced
        Whether values that are frequent in the file may gain less: min(beta, -ln q) in place of beta.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    Missing values are left out. Time O(n log n) a column.

    References
    ----------
    Cao, Karras: Publishing microdata with a robust privacy guarantee, Proceedings of the VLDB Endowment 5
    (2012).

    Examples
    --------
    >>> from shoal.models import Classes, hidden_column
    >>> ill = hidden_column(np.array([0, 1, 0, 0, 0, 1]), "nominal")
    >>> classes = Classes(np.array([0, 0, 1, 1, 1, 1]), {"ill": ill})
    >>> beta_like(classes, beta=0.2, enhanced=False)
    array([False,  True])
    """
    kept = np.ones(classes.count, dtype=bool)
    for name, most in thresholds(classes, "beta", beta).items():
        found, whole = value_shares(classes, name), known_shares(classes, name)
        allowed = np.full(len(whole), check_number(f"beta of {name}", most, 1e-9))
        if enhanced:
            allowed = np.minimum(allowed, -np.log(np.maximum(whole, 1e-300)))
        usual = whole[found.codes]
        broken = found.shares > usual * (1 + allowed[found.codes]) + 1e-12
        kept &= np.bincount(found.owner, weights=broken, minlength=classes.count) == 0
    return kept
