"""Rivals in a tree of one leaf, of many, of many branches: the same as by looking at every point."""

from __future__ import annotations

import numpy as np
import pytest

from shoal._kernels.linkage.nearest_rivals import count_rivals
from shoal._kernels.spatial.record_tree import build_tree


def all_points(X, reach, Y, copies, m, weight):
    """The obvious version."""
    counts = []
    for x, (closer, limit) in zip(X, reach, strict=True):
        distances = ((Y[:, :m] - x[:m]) ** 2).sum(axis=1) + (Y[:, m:] != x[m:]) @ weight[m:]
        counts.append(0 if (distances < closer).any() else copies[distances <= limit].sum())
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("m", [0, 1, 3])
@pytest.mark.parametrize("n", [1, 2, 128, 129, 5_000, 140_000])
def test_rivals_agree_with_looking_at_every_point(n, m):
    rng = np.random.default_rng(n + m)
    Y = np.column_stack([rng.integers(0, 50, (n, m)), rng.integers(0, 6, (n, 3 - m))]).astype(float)
    weight, copies = np.array([0.5, 1.5, 2.0]), rng.integers(1, 4, n)
    X = np.vstack([Y[rng.integers(0, n, 20)], rng.integers(-5, 60, (20, 3)), np.full((1, 3), 1e9)])
    limit = rng.choice([0.0, 0.5, 2.0, 9.0, 1e30, np.inf], len(X))
    reach = np.column_stack([np.where(rng.random(len(X)) < 0.7, 0.0, limit / 2), limit])
    tree = build_tree(Y, np.arange(n, dtype=np.int32), np.empty(n, np.int32), np.zeros(3))
    found = count_rivals(X, reach, tree, copies, m, weight)
    np.testing.assert_array_equal(found, all_points(X, reach, Y, copies, m, weight))
