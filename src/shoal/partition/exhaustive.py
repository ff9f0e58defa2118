"""Exhaustive search: the best of all partitions, for files of a few records."""

from __future__ import annotations

import numpy as np

from shoal.errors import NotApplicable
from shoal.partition._shared.prepare import prepare
from shoal.partition.labels import relabel
from shoal.types import Labels, Matrix

MOST_RECORDS = 20  # records; every further one multiplies the time


def exhaustive(X: Matrix, k: int) -> Labels:
    """The partition with the least sum of squares of all; for at most 20 records.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records.

    Raises
    ------
    NotApplicable
        If there are more than 20 records (and at least 2k, so that there is a choice).

    Notes
    -----
    Groups of 2k or more records need not be tried: splitting them never adds to the loss. Every subset of
    the records is partitioned once, from small to large, instead of every partition being listed. Time
    O(3^n), memory O(2^n): a second or two and 25 MB for 20 records, a few milliseconds for 12.

    References
    ----------
    Solanas: Privacy protection with genetic algorithms, Success in Evolutionary Computation, Springer
    (2008), section 5 ("ES"). Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for
    statistical disclosure control, IEEE Transactions on Knowledge and Data Engineering 14 (2002), for the
    sizes k to 2k-1 of an optimal partition.

    Examples
    --------
    >>> exhaustive([[0.0], [5.1], [0.2], [5.0], [0.1], [5.2], [5.3]], 3)
    array([0, 1, 0, 1, 0, 1, 1])
    """
    X, k = prepare(X, k)
    n = len(X)
    if n < 2 * k:
        return np.zeros(n, dtype=np.intp)
    if n > MOST_RECORDS:
        raise NotApplicable(
            f"Exhaustive search is for at most {MOST_RECORDS} records, got {n}; use two_step instead."
        )
    from shoal._kernels.partitioners.exhaustive import best_partition

    return relabel(best_partition(((X[:, None] - X) ** 2).sum(axis=2), k))
