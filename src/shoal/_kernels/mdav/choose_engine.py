"""MDAV's pairs of groups, by whichever engine reads least; all of them form the same groups."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.mdav.mdav_line import line_rounds
from shoal._kernels.mdav.mdav_scan import scan_rounds
from shoal._kernels.mdav.mdav_tree import Remaining, tree_rounds
from shoal._kernels.threads import useful_threads


def mdav_groups(
    X: Matrix, k: int, stop: int, total: Matrix, engine: str = "any", number: Rows | None = None
) -> tuple[Rows, Matrix]:
    """Labels (-1: left over), and the sum of the records left over, fewer than `stop`.

    Another thread may watch `number`: records that remain, groups made.

    One column is sorted. A tree reads few records if there are few columns or the columns are related; else
    a scan, which always reads everything twice per round but on all processors, is faster. Start with a tree
    and see.
    """
    n, d = X.shape
    left = Remaining(X, np.zeros(n, np.int32), total.copy(), _counting(n, number))
    threads = useful_threads(n * d)
    passes = {"any": 2.0 / (0.8 * threads) if threads > 1 else 2.0, "tree": np.inf, "scan": -1.0}[engine]
    if d == 1 and engine == "any":
        line_rounds(left, k, stop)
    elif engine == "scan" or not tree_rounds(left, k, stop, passes):
        scan_rounds(left, k, stop)
    labels = left.places  # memory counts: no copy
    np.subtract(-2, labels, out=labels)
    return np.maximum(labels, -1, out=labels).astype(np.intp), left.total


def _counting(n: int, number: Rows | None) -> Rows:
    number = np.empty(2, np.intp) if number is None else number
    number[:] = n, 0
    return number
