"""Highest risk: nobody is picked out of a class of look-alikes with more than this chance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes


def max_risk(classes: Classes, *, risk: float) -> NDArray[np.bool_]:
    """Whether the chance to pick the right record of a class, 1 / size, is at most the risk.

    Parameters
    ----------
    classes
        The classes of look-alikes.
    risk
        The highest risk, a fraction above 0 and at most 1.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    Nothing is rounded: 0.09 means classes of 12, as 1/11 is 0.0909. Time O(n).

    References
    ----------
    European Medicines Agency: External guidance on the implementation of Policy 0070 on the publication of
    clinical data for medicinal products for human use, EMA/90915/2016.

    Examples
    --------
    >>> max_risk(Classes(np.array([0, 0, 1])), risk=0.5)
    array([ True, False])
    """
    return classes.sizes >= class_size_of(risk)


def class_size_of(risk: float) -> int:
    """The smallest class whose records are picked with at most this chance.

    >>> class_size_of(0.09), class_size_of(0.1)
    (12, 10)
    """
    return math.ceil(1 / check_number("max_risk", risk, 1e-9, 1) - 1e-9)
