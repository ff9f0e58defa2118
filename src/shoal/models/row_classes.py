"""Classes of records that look alike: equal rows of codes get one number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.types import Labels


def row_classes(codes: NDArray[np.intp]) -> Labels:
    """The class of every row, 0..c-1 in the order of the sorted rows; a missing code (-1) is a code too.

    >>> row_classes(np.array([[1, 0], [0, 5], [1, 0], [0, -1]]))
    array([2, 1, 2, 0])
    """
    classes = np.zeros(len(codes), dtype=np.intp)
    for column in codes.T:
        classes = refine(classes, column)
    return classes


def refine(classes: Labels, codes: NDArray[np.intp]) -> Labels:
    """Split classes by one more column, column by column, so that keys never overflow.

    >>> refine(np.array([0, 0, 1]), np.array([4, -1, 4]))
    array([1, 0, 2])
    """
    if not len(classes):
        return classes
    width = int(codes.max()) + 2
    return compress(classes * width + codes + 1, (int(classes.max()) + 1) * width)


def compress(keys: NDArray[np.intp], bound: int) -> Labels:
    """Number the distinct keys (each in 0..bound-1) 0..c-1 in order.

    >>> compress(np.array([7, 3, 7]), 8)
    array([1, 0, 1])
    """
    if bound <= 8 * len(keys) + 1000:  # a table of all keys is cheaper than sorting
        present = np.zeros(bound, dtype=bool)
        present[keys] = True
        return (np.cumsum(present) - 1)[keys]
    return np.unique(keys, return_inverse=True)[1].reshape(-1)
