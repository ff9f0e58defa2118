"""Users cut into blocks of similar ones, along the directions in which they differ most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.types import Matrix

DIRECTIONS = 16  # of the spread of the vectors, the widest ones; chosen, not measured
DENSE = 400  # coordinates whose products are multiplied out; chosen, not measured
Rows = NDArray[np.intp]


def main_directions(X: Any) -> Matrix:
    """The rows of a sparse matrix along the directions in which they differ most (principal components).

    >>> from scipy.sparse import csr_array
    >>> main_directions(csr_array([[0.0, 1.0], [2.0, 1.0]])).shape
    (2, 2)
    """
    from scipy.sparse.linalg import LinearOperator, eigsh

    n, d = X.shape
    mean = np.asarray(X.mean(axis=0)).reshape(-1)
    if d <= DENSE:
        spread = (X.T @ X).toarray() / n - np.outer(mean, mean)
        return np.asarray(X @ np.linalg.eigh(spread)[1][:, ::-1][:, :DIRECTIONS])
    turned = X.T.tocsr()
    spread = LinearOperator(
        (d, d), matvec=lambda v: turned @ (X @ v.reshape(-1)) / n - mean * (mean @ v.reshape(-1)), dtype=float
    )
    start = np.random.default_rng(0).normal(size=d)  # the same start gives the same digits
    vectors = eigsh(spread, k=DIRECTIONS, which="LA", v0=start, tol=1e-4)[1][:, ::-1]
    return np.asarray(X @ vectors)


def halved(Z: Matrix | None, n: int, k: int, size: int) -> Iterator[Rows]:
    """Halve across the direction that varies most, at a multiple of k, until blocks are small enough.

    >>> [rows.tolist() for rows in halved(np.array([[3.0], [1.0], [4.0], [2.0]]), 4, 1, 2)]
    [[1, 3], [0, 2]]
    """
    waiting = [np.arange(n)]
    while waiting:
        rows = waiting.pop()
        if Z is None or len(rows) <= size:
            yield np.sort(rows)
            continue
        widest = int(np.argmax(Z[rows].var(axis=0)))
        half = max(len(rows) // (2 * k), 1) * k
        order = np.argsort(Z[rows, widest], kind="stable")
        waiting += [rows[order[half:]], rows[order[:half]]]
