"""Chromosomes of the genetic algorithm: one gene per record, its value the group of the record."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit


@jit
def measure_chromosomes(
    X: Matrix, chromosomes: Rows, groups: int, k: int
) -> tuple[Matrix, NDArray[np.bool_]]:
    """Sum of squares of every chromosome, and whether each of its groups has no or k..2k-1 records."""
    count, n = chromosomes.shape
    d = X.shape[1]
    total, valid = np.zeros(count), np.ones(count, dtype=np.bool_)
    means, sizes = np.empty((groups, d)), np.empty(groups, dtype=np.intp)
    for c in range(count):
        means[:], sizes[:] = 0.0, 0
        for i in range(n):
            g = chromosomes[c, i]
            sizes[g] += 1
            for j in range(d):
                means[g, j] += X[i, j]
        for g in range(groups):
            if sizes[g] > 0:
                valid[c] &= k <= sizes[g] < 2 * k
                for j in range(d):
                    means[g, j] /= sizes[g]
        for i in range(n):  # a second pass: a difference of large sums would cost digits
            g = chromosomes[c, i]
            for j in range(d):
                difference = X[i, j] - means[g, j]
                total[c] += difference * difference
    return total, valid


@jit
def random_chromosomes(count: int, n: int, groups: int, k: int, rng: np.random.Generator) -> Rows:
    """Chromosomes drawn at random, every one with groups of k..2k-1 records (Algorithm 2 of Solanas)."""
    chromosomes = np.empty((count, n), dtype=np.intp)
    members = np.empty((groups, 2 * k - 1), dtype=np.intp)
    sizes = np.empty(groups, dtype=np.intp)
    for c in range(count):
        sizes[:] = 0
        for i in range(n):
            g = rng.integers(0, groups)
            while sizes[g] == 2 * k - 1:  # full: draw again
                g = rng.integers(0, groups)
            members[g, sizes[g]] = i
            sizes[g] += 1
        _fill_small_groups(members, sizes, k, rng)
        for group in range(groups):
            for position in range(sizes[group]):
                chromosomes[c, members[group, position]] = group
    return chromosomes


@jit
def _fill_small_groups(members: Rows, sizes: Rows, k: int, rng: np.random.Generator) -> None:
    """Records drawn from the most populated groups move to the groups below k."""
    small = 0
    for level in range(2 * k - 1, k, -1):  # the largest groups give first
        for g in range(len(sizes)):
            while small < len(sizes) and sizes[small] >= k:
                small += 1
            if small == len(sizes):
                return
            if sizes[g] == level:
                drawn = rng.integers(0, level)
                members[small, sizes[small]] = members[g, drawn]
                members[g, drawn] = members[g, level - 1]
                sizes[small] += 1
                sizes[g] -= 1
