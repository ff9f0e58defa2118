"""Entropy l-diversity: confidential values are as mixed as l equally frequent ones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes, thresholds
from shoal.models.value_shares import value_shares


def entropy_l_diverse(classes: Classes, *, l: float | Mapping[str, float]) -> NDArray[np.bool_]:
    """Whether the entropy of every confidential column is at least log l in every class.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    l
        How many equally frequent values would be as mixed, for all confidential columns or by column.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    Missing values are left out. Time O(n log n) a column.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: L-diversity: privacy beyond k-anonymity, ACM
    Transactions on Knowledge Discovery from Data 1 (2007).

    Examples
    --------
    >>> from shoal.models import Classes, hidden_column
    >>> ill = hidden_column(np.array([0, 1, 0, 0, 0, 1]), "nominal")
    >>> classes = Classes(np.array([0, 0, 1, 1, 1, 1]), {"ill": ill})
    >>> entropy_l_diverse(classes, l=1.8)
    array([ True, False])
    """
    kept = np.ones(classes.count, dtype=bool)
    for name, least in thresholds(classes, "l", l).items():
        found = value_shares(classes, name)
        entropy = -np.bincount(
            found.owner, weights=found.shares * np.log(found.shares), minlength=classes.count
        )
        kept &= entropy >= np.log(check_number(f"l of {name}", least, 1)) - 1e-9
    return kept
