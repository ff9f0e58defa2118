"""Redivide: neighbouring groups trade records, two groups at a time, while that lowers the sum of squares."""

from __future__ import annotations

from math import sqrt

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import copied, inner, jit
from shoal._kernels.shell import square

ROUNDS = 50  # some ten are usual; rounding could make equal trades follow each other for ever
LEAST_GAIN = 1e-9  # of the distances involved; less may be rounding


@jit
def redivide(X: Matrix, rows: Rows, start: Rows, near: Rows) -> tuple[float, float]:
    """Trade rows in place: group g is rows[start[g]:start[g + 1]], `near` its neighbours, never itself.

    Returns the sum of squares before, and how much was gained. A pair of groups is looked at again only
    after one of the two has changed.
    """
    groups, d = len(start) - 1, X.shape[1]
    means, most = np.zeros((groups, d)), 0
    changed, looked, clock = np.ones(groups, np.int64), np.zeros(groups, np.int64), 1
    before, gain = 0.0, 0.0
    for g in range(groups):
        _mean(X, rows[start[g] : start[g + 1]], means[g])
        for i in rows[start[g] : start[g + 1]]:
            before += square(X[i], means[g])
        most = max(most, start[g + 1] - start[g])
    points, along = np.empty((2 * most, d)), np.empty((2, 2 * most))
    for _ in range(ROUNDS):
        last = clock
        for g in range(groups):
            seen, looked[g] = looked[g], clock
            for h in near[g]:
                if max(changed[g], changed[h]) > seen:
                    one, other = rows[start[g] : start[g + 1]], rows[start[h] : start[h + 1]]
                    more = _trade(X, one, other, means[g], means[h], points, along)
                    if more > 0.0:
                        gain += more
                        clock += 1
                        changed[g], changed[h] = clock, clock
        if clock == last:
            break
    return before, gain


@inner
def _mean(X: Matrix, rows: Rows, mean: Matrix) -> None:
    for i in rows:
        for j in range(len(mean)):
            mean[j] += X[i, j]
    for j in range(len(mean)):
        mean[j] /= len(rows)


@inner
def _trade(
    X: Matrix, one: Rows, other: Rows, mean: Matrix, other_mean: Matrix, points: Matrix, along: Matrix
) -> float:
    """Trade the best pair of records of two groups, again and again; the gain of all trades.

    With L the line from one mean to the other, x and y gain 2 L(x - y) + |x - y|^2 (1/a + 1/b) by trading
    places; a and b are the sizes. |x - y| is at most the sum of their distances to the middle of L.
    """
    a, size, d = len(one), len(one) + len(other), X.shape[1]
    for i in range(size):
        for j in range(d):
            points[i, j] = X[one[i], j] if i < a else X[other[i - a], j]
    weight, total = 1.0 / a + 1.0 / (size - a), 0.0
    while True:
        _measure(points[:size], mean, other_mean, along)
        best, x, y = 0.0, -1, -1
        for i in range(a):
            for j in range(a, size):
                shift, reach = 2.0 * (along[0, i] - along[0, j]), along[1, i] + along[1, j]
                if shift + weight * reach * reach > best:
                    apart = square(points[i], points[j])
                    if shift + weight * apart > max(best, LEAST_GAIN * apart):
                        best, x, y = shift + weight * apart, i, j
        if x < 0:
            return total
        total += best
        one[x], other[y - a] = other[y - a], one[x]
        for j in range(d):
            change = points[y, j] - points[x, j]
            mean[j] += change / a
            other_mean[j] -= change / (size - a)
            points[x, j], points[y, j] = points[y, j], points[x, j]


@copied
def _measure(points: Matrix, one: Matrix, other: Matrix, along: Matrix) -> None:
    """How far along the line between the means every record lies, and how far from its middle."""
    for i in range(len(points)):
        place, total = 0.0, 0.0
        for j in range(len(one)):
            from_middle = points[i, j] - 0.5 * (one[j] + other[j])
            place += from_middle * (other[j] - one[j])
            total += from_middle * from_middle
        along[0, i], along[1, i] = place, sqrt(total)
