"""Groups dealt out to parts of a file that lie side by side."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows


def part_of_group(means: Matrix, direction: Matrix, count: int) -> Rows:
    """The part of every group, about equally many groups in each, along a direction.

    Column by column, so that every machine agrees.

    >>> part_of_group(np.array([[3.0], [1.0], [2.0], [0.0], [5.0]]), np.ones(1), 2)
    array([1, 0, 1, 0, 1])
    """
    places = np.zeros(len(means))
    for c in range(len(direction)):
        places += means[:, c] * direction[c]
    part = np.empty(len(places), np.intp)
    ends = [len(places) * number // count for number in range(1, count)]
    part[np.argsort(places, kind="stable")] = np.searchsorted(ends, np.arange(len(places)), side="right")
    return part
