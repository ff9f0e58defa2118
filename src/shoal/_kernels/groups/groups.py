"""Groups that records leave and join: members, sizes and means kept up to date in O(d) per move.

What is asked most is copied into its callers: handing over all arrays takes longer than to answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inline, jit, kernel_only


class Groups(NamedTuple):
    """A partition that can change. There are more numbers than groups; those of `free` are not in use."""

    X: Matrix
    labels: Slots
    members: Slots  # one row per group number, the first `sizes` entries count
    place: Slots  # of every record among the members of its group
    sizes: Rows
    means: Matrix
    free: Rows  # free[0] tells how many numbers follow that no group has


def groups_of(X: Matrix, labels: Rows, k: int) -> Groups:
    """The partition with these labels, with room for the most groups there can be."""
    most = max(len(X) // k, int(labels.max()) + 1)
    groups = Groups(
        X,
        labels.astype(np.int32),
        np.empty((most, 2 * k), np.int32),
        np.empty(len(X), np.int32),
        np.zeros(most, np.intp),
        np.zeros((most, X.shape[1])),
        np.zeros(most + 1, np.intp),
    )
    refresh(groups)
    return groups


@jit
def refresh(groups: Groups) -> None:
    """Work everything out again from the labels: long runs of small steps lose digits."""
    X, labels, members, place, sizes, means, free = groups
    sizes[:], means[:], free[0] = 0, 0.0, 0
    for i in range(len(X)):
        g = labels[i]
        place[i], members[g, sizes[g]] = sizes[g], i
        sizes[g] += 1
        for c in range(X.shape[1]):
            means[g, c] += (X[i, c] - means[g, c]) / sizes[g]
    for g in range(len(sizes) - 1, -1, -1):
        if sizes[g] == 0:
            free[0] += 1
            free[free[0]] = g


@inline
def move_record(groups: Groups, i: int, g: int) -> None:
    """Move a record from its group to another, or to an empty number."""
    X, labels, members, place, sizes, means, _ = groups
    home = labels[i]
    last = members[home, sizes[home] - 1]
    members[home, place[i]], place[last] = last, place[i]
    members[g, sizes[g]], place[i], labels[i] = i, sizes[g], g
    sizes[home] -= 1
    sizes[g] += 1
    share_home, share = 1.0 / max(sizes[home], 1), 1.0 / sizes[g]
    for c in range(X.shape[1]):
        means[home, c] -= (X[i, c] - means[home, c]) * share_home
        means[g, c] += (X[i, c] - means[g, c]) * share


@inline
def from_mean(groups: Groups, i: int, g: int) -> float:
    """Squared distance of a record to the mean of a group."""
    total = 0.0
    for c in range(groups.X.shape[1]):
        difference = groups.X[i, c] - groups.means[g, c]
        total += difference * difference
    return total


@inline
def cost_of_joining(groups: Groups, i: int, g: int) -> float:
    """How much the sum of squares grows when a record joins a group."""
    size = groups.sizes[g]
    return from_mean(groups, i, g) * size / (size + 1) if size > 0 else 0.0


@inline
def gain_of_leaving(groups: Groups, i: int) -> float:
    """How much the sum of squares falls when a record leaves its group of two or more."""
    home = groups.labels[i]
    size = groups.sizes[home]
    return from_mean(groups, i, home) * size / (size - 1)


@inline
def cost_of_trade(groups: Groups, i: int, m: int) -> float:
    """How much the sum of squares grows when two records of different groups trade places."""
    X, means = groups.X, groups.means
    a, b = groups.labels[i], groups.labels[m]
    along, apart = 0.0, 0.0
    for c in range(X.shape[1]):
        difference = X[i, c] - X[m, c]
        along += (means[a, c] - means[b, c]) * difference
        apart += difference * difference
    return 2.0 * along - apart * (1.0 / groups.sizes[a] + 1.0 / groups.sizes[b])


@inline
def draw_line(groups: Groups, a: int, b: int, line: Matrix) -> None:
    """Twice the way from the mean of one group to that of another, for `cost_along`."""
    for c in range(len(line)):
        line[c] = 2.0 * (groups.means[a, c] - groups.means[b, c])


@inline
def cost_along(groups: Groups, i: int, m: int, line: Matrix, share: float) -> float:
    """`cost_of_trade` where many members are weighed; `share` is the sum of 1 / size of both groups."""
    total = 0.0
    for c in range(len(line)):
        difference = groups.X[i, c] - groups.X[m, c]
        total += difference * (line[c] - share * difference)
    return total


@kernel_only
def spread(groups: Groups, g: int) -> float:
    """Sum of squares of one group."""
    total = 0.0
    for p in range(groups.sizes[g]):
        total += from_mean(groups, groups.members[g, p], g)
    return total


@jit
def total_spread(groups: Groups) -> float:
    """Sum of squares of all groups."""
    total = 0.0
    for g in range(len(groups.sizes)):
        total += spread(groups, g)
    return total
