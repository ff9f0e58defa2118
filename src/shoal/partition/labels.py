"""Small facts about labels: sizes, members, means, sum of squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.types import Labels, Matrix

CHUNK = 1 << 13  # records at a time: memory counts


def relabel(labels: Labels) -> Labels:
    """The same groups named 0..g-1 in order of first appearance.

    >>> relabel(np.array([7, 7, 3, 7]))
    array([0, 0, 1, 0])
    """
    n = len(labels)
    if labels.min(initial=0) < 0 or labels.max(initial=0) >= n:
        labels = np.unique(labels, return_inverse=True)[1]
    first = np.full(labels.max(initial=0) + 1, n)
    for stop in range(n, 0, -CHUNK):  # from the end: the last one written is the first to appear
        start = max(0, stop - CHUNK)
        first[labels[start:stop][::-1]] = np.arange(stop - 1, start - 1, -1)
    rank = np.empty_like(first)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[labels]


def sizes(labels: Labels) -> NDArray[np.intp]:
    """Number of records in every group.

    >>> sizes(np.array([0, 0, 1, 0]))
    array([3, 1])
    """
    return np.bincount(labels)


def members(labels: Labels) -> list[NDArray[np.intp]]:
    """Row positions of every group.

    >>> members(np.array([0, 0, 1, 0]))
    [array([0, 1, 3]), array([2])]
    """
    return np.split(np.argsort(labels, kind="stable"), np.cumsum(sizes(labels))[:-1])


def means(X: Matrix, labels: Labels) -> Matrix:
    """Mean record of every group.

    >>> means(np.array([[1.0], [3.0], [9.0]]), np.array([0, 0, 1]))
    array([[2.],
           [9.]])
    """
    sums = [np.bincount(labels, weights=column) for column in np.asarray(X, dtype=np.float64).T]
    return np.column_stack(sums) / sizes(labels)[:, None]


def sse(X: Matrix, labels: Labels) -> float:
    """Sum of squared distances of the records to the mean of their group.

    >>> sse(np.array([[1.0], [3.0], [9.0]]), np.array([0, 0, 1]))
    2.0
    """
    X = np.asarray(X, dtype=np.float64)
    X = X - X.mean(axis=0)
    return float(((X - means(X, labels)[labels]) ** 2).sum())


def assign_to_nearest(X: Matrix, labels: Labels) -> Labels:
    """Every record labelled -1 joins the group whose mean, taken before anyone joins, is closest.

    >>> assign_to_nearest(np.array([[0.0], [1.0], [9.0], [8.0]]), np.array([0, 0, 1, -1]))
    array([0, 0, 1, 1])
    """
    labels = labels.copy()
    grouped = labels >= 0
    centres = means(X[grouped], labels[grouped])
    for row in np.flatnonzero(~grouped):
        labels[row] = np.argmin(((centres - X[row]) ** 2).sum(axis=1))
    return labels
