"""Delta-presence: how sure can an intruder be that a person of the population is in the file?"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes
from shoal.models.k_map import people_of


def delta_present(
    classes: Classes, *, low: float = 0.0, high: float, population: Any = None
) -> NDArray[np.bool_]:
    """Whether the share of its people that the file holds is between low and high for every class.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    low, high
        The least and the greatest share, 0 to 1: records of the class / sum of their sampling weights.
    population
        A table of everybody, or the name of its file, in place of the weights, as in `k_map`.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    The population is estimated by weights; with a weight of 1 everybody is present for sure. O(n).

    References
    ----------
    Nergiz, Atzori, Clifton: Hiding the presence of individuals from shared databases, SIGMOD (2007).

    Examples
    --------
    >>> from shoal.models import Classes
    >>> classes = Classes(np.array([0, 0, 1]), weights=np.array([10.0, 20.0, 2.0]))
    >>> delta_present(classes, high=0.1)
    array([ True, False])
    """
    low, high = check_number("low", low, 0, 1), check_number("high", high, 0, 1)
    present = classes.records / np.maximum(people_of(classes), 1e-300)
    return np.asarray((present >= low - 1e-12) & (present <= high + 1e-12))
