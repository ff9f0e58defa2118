"""Average risk: over all records, the mean chance to be picked out of their class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes


def average_risk(classes: Classes, *, risk: float) -> NDArray[np.bool_]:
    """Whether the mean over records of 1 / size of their class is at most the risk; one verdict for all.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    risk
        The highest mean risk, a fraction above 0 and at most 1.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    The mean is number of classes / records, so all classes get the same verdict. Time O(n).

    References
    ----------
    El Emam, Dankar: Protecting privacy using k-anonymity, Journal of the American Medical Informatics
    Association 15 (2008).

    Examples
    --------
    >>> from shoal.models import Classes
    >>> average_risk(Classes(np.array([0, 0, 1])), risk=0.7)
    array([ True,  True])
    """
    most = check_number("risk", risk, 1e-9, 1)
    mean = float((classes.records / np.maximum(classes.sizes, 1)).sum()) / max(len(classes.labels), 1)
    return np.full(classes.count, mean <= most + 1e-12)
