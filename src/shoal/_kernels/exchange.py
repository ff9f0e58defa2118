"""Exchange: records move between groups, or trade places, while that lowers the sum of squares."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit
from shoal._kernels.pool import squared_distance

LEAST_GAIN = 1e-9  # of the distances involved; less may be rounding
ROUNDS = 200  # some ten are usual; rounding could make equal moves follow each other for ever


@jit
def exchange(X: Matrix, labels: Rows, groups: int, near: Rows, k: int) -> Rows:
    """Labels after the last useful move; groups keep k to 2k-1 records.

    A record goes to the group of a near record, or trades places with a member of it. It is looked at again
    only after its own group or one near it has changed.
    """
    n, labels = len(X), labels.copy()
    sizes, members, place, means = _groups(X, labels, groups, 2 * k)
    clock, changed, looked = 1, np.ones(groups, dtype=np.intp), np.zeros(n, dtype=np.intp)
    for _ in range(ROUNDS):
        moved = False
        for i in range(n):
            if not _worth_a_look(labels, near, changed, looked[i], i):
                continue
            looked[i] = clock
            home = labels[i]
            target, other = _best_move(X, labels, near, k, sizes, members, means, i)
            if target < 0:
                continue
            if other >= 0:
                _put(X, labels, sizes, members, place, means, other, home)
            _put(X, labels, sizes, members, place, means, i, target)
            clock += 1
            changed[home], changed[target], moved = clock, clock, True
        if not moved:
            break
    return labels


@jit
def _groups(X: Matrix, labels: Rows, groups: int, width: int) -> tuple[Rows, Rows, Rows, Matrix]:
    """Sizes, members (one row per group), the place of every record among them, and means."""
    sizes, place = np.zeros(groups, dtype=np.intp), np.empty(len(X), dtype=np.intp)
    members, means = np.empty((groups, width), dtype=np.intp), np.zeros((groups, X.shape[1]))
    for i in range(len(X)):
        g = labels[i]
        place[i], members[g, sizes[g]] = sizes[g], i
        sizes[g] += 1
        for c in range(X.shape[1]):
            means[g, c] += (X[i, c] - means[g, c]) / sizes[g]
    return sizes, members, place, means


@jit
def _worth_a_look(labels: Rows, near: Rows, changed: Rows, looked: int, i: int) -> bool:
    """Has the group of the record, or one near it, changed since the last look?"""
    latest = changed[labels[i]]
    for j in near[i]:
        latest = max(latest, changed[labels[j]])
    return bool(latest > looked)


@jit
def _from_mean(X: Matrix, means: Matrix, i: int, g: int) -> float:
    """Squared distance of a record to the mean of a group."""
    total = 0.0
    for c in range(X.shape[1]):
        difference = X[i, c] - means[g, c]
        total += difference * difference
    return total


@jit
def _best_move(
    X: Matrix,
    labels: Rows,
    near: Rows,
    k: int,
    sizes: Rows,
    members: Rows,
    means: Matrix,
    i: int,
) -> tuple[int, int]:
    """The group to go to and the member that comes in return (-1: none); the group is -1 if nothing helps."""
    home = labels[i]
    a, leaving = sizes[home], _from_mean(X, means, i, home)
    best, target, other = 0.0, -1, -1
    for p in range(near.shape[1]):
        g = labels[near[i, p]]
        if g == home:
            continue
        b, joining = sizes[g], _from_mean(X, means, i, g)
        gain = leaving * a / (a - 1) - joining * b / (b + 1)
        if a > k and b < 2 * k - 1 and gain > max(best, LEAST_GAIN * joining):
            best, target, other = gain, g, -1
        for q in range(b):
            m = members[g, q]
            back, out = _from_mean(X, means, m, home), _from_mean(X, means, m, g)
            gain = leaving + out - joining - back + squared_distance(X, i, m) * (1 / a + 1 / b)
            if gain > max(best, LEAST_GAIN * (joining + back)):
                best, target, other = gain, g, m
    return target, other


@jit
def _put(
    X: Matrix, labels: Rows, sizes: Rows, members: Rows, place: Rows, means: Matrix, i: int, g: int
) -> None:
    """Move a record from its group to another."""
    home = labels[i]
    last = members[home, sizes[home] - 1]
    members[home, place[i]], place[last] = last, place[i]
    members[g, sizes[g]], place[i] = i, sizes[g]
    for c in range(X.shape[1]):
        means[home, c] -= (X[i, c] - means[home, c]) / (sizes[home] - 1)
        means[g, c] += (X[i, c] - means[g, c]) / (sizes[g] + 1)
    sizes[home] -= 1
    sizes[g] += 1
    labels[i] = g
