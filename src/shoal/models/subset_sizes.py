"""What an intruder sees who knows a few of the keys only: the smallest class over all sets of so many."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from shoal.models.classes import distinct_counts
from shoal.models.row_classes import row_classes
from shoal.types import Labels


def subset_sizes(
    codes: NDArray[np.intp], most: int, household: NDArray[np.intp] | None = None
) -> NDArray[np.intp]:
    """For every record its fewest look-alikes (or their households) in any `most` of the columns.

    >>> subset_sizes(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), 1).tolist()
    [2, 2, 2, 2]
    """
    least = np.full(len(codes), len(codes), dtype=np.intp)
    for chosen in combinations(range(codes.shape[1]), min(most, codes.shape[1])):
        labels: Labels = row_classes(codes[:, chosen])
        sizes = np.bincount(labels) if household is None else distinct_counts(labels, household)
        np.minimum(least, sizes[labels], out=least)
    return least
