"""TFRP: groups around the records farthest from two fixed points, then poor groups are dissolved."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit
from shoal._kernels.mdav.pool import measure, take_nearest


@jit
def tfrp_groups(X: Matrix, orders: Rows, k: int) -> Rows:
    """First stage: groups of k around the next free record of either order; fewer than k keep -1.

    The two rows of `orders` visit the records from the farthest to the closest of the two reference points.
    """
    n = len(X)
    labels = np.full(n, -1, dtype=np.intp)
    rows, m = np.arange(n), n
    distances = np.empty(n)
    following = np.zeros(2, dtype=np.intp)
    for group in range(n // k):
        side = group % 2
        while labels[orders[side, following[side]]] >= 0:
            following[side] += 1
        measure(X, rows, m, orders[side, following[side]], distances)
        take_nearest(rows, m, distances, k, labels, group)
        m -= k
    return labels


@jit
def dissolve_groups(X: Matrix, labels: Rows, order: Rows, means: Matrix, sizes: Rows, sse: Matrix) -> Rows:
    """Second stage: each group in turn gives its records to the closest other groups if the SSE falls."""
    labels, means, sizes, sse = labels.copy(), means.copy(), sizes.copy(), sse.copy()
    first, following = _lists(labels, len(sizes))
    for group in order:
        rows = np.empty(sizes[group], dtype=np.intp)
        row = first[group]
        for a in range(len(rows)):
            rows[a] = row
            row = following[row]
        targets = _closest_other(X, rows, group, means, sizes)
        growth, shift, count = _growth(X, rows, targets, means, sizes)
        total = 0.0
        for a in range(len(rows)):
            total += growth[a]
        if total < sse[group]:
            sizes[group], sse[group] = 0, 0.0
            for a in range(len(rows)):
                target = targets[a]
                sizes[target] += count[a]
                sse[target] += growth[a]
                for c in range(X.shape[1]):
                    means[target, c] += shift[a, c]
                labels[rows[a]] = target
                following[rows[a]], first[target] = first[target], rows[a]
    return labels


@jit
def _lists(labels: Rows, groups: int) -> tuple[Rows, Rows]:
    """The members of every group as linked lists: the first one, and the one after each."""
    first, following = np.full(groups, -1, dtype=np.intp), np.full(len(labels), -1, dtype=np.intp)
    for row in range(len(labels) - 1, -1, -1):
        following[row], first[labels[row]] = first[labels[row]], row
    return first, following


@jit
def _closest_other(X: Matrix, rows: Rows, group: int, means: Matrix, sizes: Rows) -> Rows:
    """For every record the group with the closest mean but its own; its own if it is the only one."""
    targets = np.empty(len(rows), dtype=np.intp)
    for a in range(len(rows)):
        closest, targets[a] = np.inf, group
        for other in range(len(sizes)):
            if other == group or sizes[other] == 0:
                continue
            distance = 0.0
            for c in range(X.shape[1]):
                distance += (X[rows[a], c] - means[other, c]) ** 2
            if distance < closest:
                closest, targets[a] = distance, other
    return targets


@jit
def _growth(X: Matrix, rows: Rows, targets: Rows, means: Matrix, sizes: Rows) -> tuple[Matrix, Matrix, Rows]:
    """What the records add to the SSE, the mean and the size of their targets.

    Records with the same target come together; the first of them carries the whole amount, the others zero.
    """
    growth, shift = np.zeros(len(rows)), np.zeros((len(rows), X.shape[1]))
    count = np.zeros(len(rows), dtype=np.intp)
    for a in range(len(rows)):
        head = 0
        while targets[head] != targets[a]:
            head += 1
        count[head] += 1
        for c in range(X.shape[1]):
            difference = X[rows[a], c] - means[targets[a], c]
            growth[head] += difference * difference
            shift[head, c] += difference
    for head in range(len(rows)):
        if count[head] > 0:
            size = sizes[targets[head]] + count[head]
            for c in range(X.shape[1]):
                shift[head, c] /= size
                growth[head] -= shift[head, c] * shift[head, c] * size
    return growth, shift, count
