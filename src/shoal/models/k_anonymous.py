"""k-anonymity: every class of look-alikes has at least k records, or k households where they are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_count
from shoal.models.classes import Classes


def k_anonymous(classes: Classes, *, k: int) -> NDArray[np.bool_]:
    """Whether every class has at least k records; where households are known, of k different ones.

    Parameters
    ----------
    classes
        The classes of look-alikes.
    k
        The least number.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    A household of six alone is not 5-anonymous: who knows it knows its members. Time O(n).

    References
    ----------
    Samarati, Sweeney: Protecting privacy when disclosing information, SRI-CSL-98-04 (1998).

    Examples
    --------
    >>> k_anonymous(Classes(np.array([0, 0, 1])), k=2)
    array([ True, False])
    """
    return classes.sizes >= check_count("k", k)
