"""Recursive (c, l)-diversity: the most frequent value is not too far ahead of the rare ones."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes, thresholds
from shoal.models.value_shares import value_shares


def recursive_l_diverse(classes: Classes, *, l: float | Mapping[str, float], c: float) -> NDArray[np.bool_]:
    """Whether in every class the most frequent value is rarer than c times all from the l-th on together.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    l
        Which value, by falling frequency, the tail begins with, for all confidential columns or by column.
    c
        How many times the tail the most frequent value may be; the smaller the stricter.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    Missing values are left out. A union of two classes that keep it may break it. Time O(n log n) a column.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: L-diversity: privacy beyond k-anonymity, ACM
    Transactions on Knowledge Discovery from Data 1 (2007).

    Examples
    --------
    >>> from shoal.models import Classes, hidden_column
    >>> ill = hidden_column(np.array([0, 1, 0, 0, 0, 1]), "nominal")
    >>> classes = Classes(np.array([0, 0, 1, 1, 1, 1]), {"ill": ill})
    >>> recursive_l_diverse(classes, l=2, c=2)
    array([ True, False])
    """
    c = check_number("c", c, 1e-9)
    kept = np.ones(classes.count, dtype=bool)
    for name, least in thresholds(classes, "l", l).items():
        rank_from = int(np.ceil(check_number(f"l of {name}", least, 1)))
        found = value_shares(classes, name)
        start = np.searchsorted(found.owner, np.arange(classes.count))
        late = np.arange(len(found.owner)) - start[found.owner] >= rank_from - 1
        tail = np.bincount(found.owner, weights=found.shares * late, minlength=classes.count)
        kept &= found.largest() < c * tail - 1e-12
    return kept
