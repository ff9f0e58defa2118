"""Cut sorted whole numbers into runs of at least k with the least sum of distances to the runs' medians."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Rows
from shoal._kernels.jit import jit


@jit
def best_runs(numbers: Rows, k: int) -> Rows:
    """Where every run of the best cut begins; `numbers` ascend, and there are at least k.

    The dynamic programme of Liu and Terzi: a run of 2k or more could be cut, so runs have k to 2k - 1.
    """
    n = len(numbers)
    total = np.zeros(n + 1, np.int64)
    for i in range(n):
        total[i + 1] = total[i] + numbers[i]
    cost = np.full(n + 1, -1, np.int64)  # of the best cut of the first i; -1: there is none
    begin = np.zeros(n + 1, np.int64)
    cost[0] = 0
    for end in range(k, n + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            if cost[start] < 0:
                continue
            middle = (start + end) // 2
            median = numbers[middle]
            below = median * (middle - start) - (total[middle] - total[start])
            above = (total[end] - total[middle]) - median * (end - middle)
            if cost[end] < 0 or cost[start] + below + above < cost[end]:
                cost[end] = cost[start] + below + above
                begin[end] = start
    count, end = 0, n
    while end > 0:
        count, end = count + 1, begin[end]
    starts, end = np.empty(count, np.int64), n
    for place in range(count - 1, -1, -1):
        end = begin[end]
        starts[place] = end
    return starts
