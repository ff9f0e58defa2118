"""Delta-disclosure: no confidential value is much more or less frequent in a class than in the file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes, thresholds
from shoal.models.value_shares import known_shares, value_shares


def delta_disclosure(classes: Classes, *, delta: float | Mapping[str, float]) -> NDArray[np.bool_]:
    """Whether |log(share in the class / share in the file)| is below delta for every value.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    delta
        The bound, above 0, in natural logarithms, for all confidential columns or by column.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    A value of the file that a class does not have breaks it. Missing values are left out. Time O(n log n).

    References
    ----------
    Brickell, Shmatikov: The cost of privacy: destruction of data-mining utility in anonymized data
    publishing, KDD (2008).

    Examples
    --------
    >>> from shoal.models import Classes, hidden_column
    >>> ill = hidden_column(np.array([0, 1, 0, 0, 0, 1]), "nominal")
    >>> classes = Classes(np.array([0, 0, 1, 1, 1, 1]), {"ill": ill})
    >>> delta_disclosure(classes, delta=0.5)
    array([ True,  True])
    """
    kept = np.ones(classes.count, dtype=bool)
    for name, most in thresholds(classes, "delta", delta).items():
        found, whole = value_shares(classes, name), known_shares(classes, name)
        far = np.abs(np.log(found.shares / whole[found.codes])) >= check_number(
            f"delta of {name}", most, 1e-9
        )
        values = np.bincount(found.owner, minlength=classes.count)
        kept &= np.bincount(found.owner, weights=far, minlength=classes.count) == 0
        kept &= values == np.count_nonzero(whole)
    return kept
