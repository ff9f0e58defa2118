"""Distinct l-diversity: every class of look-alikes has at least l different confidential values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes, distinct_counts, thresholds


def distinct_l_diverse(classes: Classes, *, l: float | Mapping[str, float]) -> NDArray[np.bool_]:
    """Whether every class has at least l different values of every confidential column.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    l
        The least number of different values, for all confidential columns or by column.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    A missing value is none of the different ones: it may be any of them. Time O(n log n) a column.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: L-diversity: privacy beyond k-anonymity, ACM
    Transactions on Knowledge Discovery from Data 1 (2007).

    Examples
    --------
    >>> from shoal.models import hidden_column
    >>> ill = hidden_column(np.array([0, 1, 0, 0]), "nominal")
    >>> distinct_l_diverse(Classes(np.array([0, 0, 1, 1]), {"ill": ill}), l=2)
    array([ True, False])
    """
    kept = np.ones(classes.count, dtype=bool)
    for name, least in thresholds(classes, "l", l).items():
        kept &= distinct_values(classes, name) >= check_number(f"l of {name}", least, 1)
    return kept


def distinct_values(classes: Classes, name: str) -> NDArray[np.intp]:
    """Number of different values of a confidential column in every class, missing ones not counted.

    >>> from shoal.models import hidden_column
    >>> ill = hidden_column(np.array([0, 1, 0, -1]), "nominal")
    >>> distinct_values(Classes(np.array([0, 0, 1, 1]), {"ill": ill}), "ill")
    array([2, 1])
    """
    codes = classes.hidden[name].codes
    seen = codes >= 0
    found = np.zeros(classes.count, dtype=np.intp)
    part = distinct_counts(classes.labels[seen], codes[seen])
    found[: len(part)] = part
    return found
