"""The door of every partitioner: check the records, then centre and scale them for safe arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal._check import check_k, check_matrix
from shoal.errors import InvalidInput
from shoal.types import Matrix


def prepare(X: Any, k: int) -> tuple[Matrix, int]:
    """A checked copy of the records, moved and scaled so that squares keep their digits, and k.

    Columns are centred (a large offset costs digits) and everything is multiplied by one power of two, so
    that the largest value is near 1 and squared distances neither overflow nor vanish. Neither changes which
    of two distances is larger.

    >>> prepare([[4.0], [12.0]], 2)
    (array([[-0.25],
           [ 0.25]]), 2)
    """
    X = check_matrix(X)
    k = check_k(k, len(X))
    _, exponent = np.frexp(np.abs(X).max())
    X = np.ldexp(X, -exponent)
    X -= X.mean(axis=0)
    return X, k


def refuse_large_matrix(n: int, limit: int, method: str) -> None:
    """Say no before all n x n distances are held in memory.

    >>> refuse_large_matrix(100_000, 20_000, "hac")
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: hac holds all n x n distances (80.0 GB for 100000 records) and takes at most \
20000 records; split the file into blocks or strata, or use mdav.
    """
    if n > limit:
        raise InvalidInput(
            f"{method} holds all n x n distances ({8e-9 * n * n:.1f} GB for {n} records) and takes at most "
            f"{limit} records; split the file into blocks or strata, or use mdav."
        )
