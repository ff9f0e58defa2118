"""MDAV: maximum distance to average vector, the standard fixed-size microaggregation heuristic."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Literal

import numpy as np

from shoal._check import check_choice, check_k, check_matrix
from shoal.partition.labels import assign_to_nearest, relabel
from shoal.types import Callback, Labels, Matrix, Progress

NUMPY_WORK = 20_000_000  # n^2 d / k that numpy does about as fast as the compiled code is loaded
COMPILING = 8  # times as long, where it has to be compiled first

_by_numpy = 0  # n^2 d / k done so far in this process


def mdav(
    X: Matrix,
    k: int,
    *,
    leftovers: Literal["group", "nearest"] = "group",
    callback: Callback | None = None,
) -> Labels:
    """Group records around the ones farthest from the mean, k at a time.

    Parameters
    ----------
    X
        Records by columns, usually standardised (`shoal.encode.encode`).
    k
        Minimum group size.
    leftovers
        "group" stops pairing below 3k records and makes one or two groups of the rest (Domingo-Ferrer and
        Torra); "nearest" pairs down to 2k and sends fewer than k left-over records to their closest group.
    callback
        Called with `Progress` several times a second; it cannot stop MDAV: there is no result before the end.

    Returns
    -------
    Labels
        One integer per row, 0..g-1 in order of first appearance; groups have k to 2k-1 records ("nearest":
        k records or more).

    Notes
    -----
    Ties are settled by the lowest row position, always. The first small files are grouped as the paper says,
    by measuring everyone every time, while loading compiled code would take longer. For others a tree of
    boxes and balls leaves out the records that cannot matter; if it leaves out too few (many unrelated
    columns), all are read, by all processors. A single column is sorted. The groups are the same, to the
    last tie. Time O(n^2 d / k) at worst, in practice that of sorting for one column, about n^1.2 for two and
    n^1.6 for ten unrelated ones; memory O(n d), at most three times the file.

    References
    ----------
    Domingo-Ferrer, Torra: Ordinal, continuous and heterogeneous k-anonymity through microaggregation,
    Data Mining and Knowledge Discovery 11 (2005).

    Examples
    --------
    >>> mdav([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]], 3)
    array([0, 0, 0, 1, 1, 1])
    """
    from shoal._kernels.mdav.offset import remove_offset

    X = check_matrix(X)
    k = check_k(k, len(X))
    check_choice("leftovers", leftovers, ("group", "nearest"))
    remove_offset(X)
    labels, total = _pairs(X, k, 3 * k if leftovers == "group" else 2 * k, callback)
    labels = _group_leftovers(X, k, labels, total)
    del X  # memory counts
    return relabel(labels)


def mdav_by_numpy(X: Matrix, k: int) -> Labels:
    """The same groups without compiled code, for who cannot wait for it; X are prepared records.

    >>> mdav_by_numpy(np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]), 3)
    array([0, 0, 0, 1, 1, 1])
    """
    return relabel(_group_leftovers(X, k, *_plain_pairs(X, k, 3 * k, X.sum(axis=0))))


def mdav_by_scan(X: Matrix, k: int) -> Labels:
    """The same groups without a tree, which is compiled by itself; X are prepared records.

    >>> mdav_by_scan(np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]), 3)
    array([0, 0, 0, 1, 1, 1])
    """
    from shoal._kernels.mdav.choose_engine import mdav_groups

    return relabel(_group_leftovers(X, k, *mdav_groups(X, k, 3 * k, X.sum(axis=0), engine="scan")))


def _group_leftovers(X: Matrix, k: int, labels: Labels, total: Matrix) -> Labels:
    """One or two groups of the records left over; fewer than k go to their closest group."""
    rows = np.flatnonzero(labels < 0)
    groups = int(labels.max()) + 1
    if len(rows) >= 2 * k:
        chosen = _nearest(X, rows, X[_farthest(X, rows, total / len(rows))], k)
        labels[chosen] = groups
        rows, groups = np.setdiff1d(rows, chosen), groups + 1
    if len(rows) >= k:
        labels[rows] = groups
    elif len(rows):
        return assign_to_nearest(X, labels)
    return labels


def _pairs(X: Matrix, k: int, stop: int, callback: Callback | None) -> tuple[Labels, Matrix]:
    """Two groups at a time while at least `stop` records remain: labels (-1: remains), sum of those left."""
    n, d = X.shape
    if not _compiled(n * n * d // k):
        return _plain_pairs(X, k, stop, X.sum(axis=0))
    from shoal._kernels.mdav.choose_engine import mdav_groups

    total, number = X.sum(axis=0), np.array([n, 0])
    if callback is None:
        return mdav_groups(X, k, stop, total)
    with ThreadPoolExecutor(1) as pool:  # the kernels run without the interpreter's lock
        groups = pool.submit(mdav_groups, X, k, stop, total, number=number)
        while not wait([groups], timeout=0.2).done:
            callback(Progress(1 - (number[0] / n) ** 1.7, f"{number[1]} groups"))
    return groups.result()


def _compiled(work: int) -> bool:
    """Is the compiled code there, or worth loading? A first small file is not kept waiting for it."""
    global _by_numpy
    if "shoal._kernels.mdav.choose_engine" in sys.modules:
        return True
    _by_numpy += work
    if _by_numpy <= NUMPY_WORK:
        return False
    from shoal._kernels.jit import is_cached
    from shoal._kernels.mdav import mdav_tree

    return _by_numpy > COMPILING * NUMPY_WORK or is_cached(mdav_tree._tree_rounds)


def _plain_pairs(X: Matrix, k: int, stop: int, total: Matrix) -> tuple[Labels, Matrix]:
    """As the paper says; this defines the result of every engine."""
    labels, rows, groups = np.full(len(X), -1, dtype=np.intp), np.arange(len(X)), 0
    while len(rows) >= stop:
        point = total / len(rows)
        for _ in range(2):  # r, farthest from the mean; s, farthest from r
            point = X[_farthest(X, rows, point)]
            chosen = _nearest(X, rows, point, k)
            labels[chosen] = groups
            for row in chosen:
                total = total - X[row]
            rows, groups = rows[labels[rows] < 0], groups + 1
    return labels, total


def _farthest(X: Matrix, rows: Labels, point: Matrix) -> int:
    return int(rows[np.argmax(_squares(X[rows], point))])


def _nearest(X: Matrix, rows: Labels, point: Matrix, k: int) -> Labels:
    """The k rows closest to the point, among equals the first ones; in row order."""
    squares = _squares(X[rows], point)
    return np.sort(rows[np.argsort(squares, kind="stable")[:k]])


def _squares(X: Matrix, point: Matrix) -> Matrix:
    """Squared distances, summed column by column: another order would round, and settle ties, differently."""
    squares = np.zeros(len(X))
    for column, value in zip(X.T, point, strict=True):
        squares += (column - value) ** 2
    return squares
