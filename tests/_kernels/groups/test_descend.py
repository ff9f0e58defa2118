"""After a descent nothing helps, by computing the sum of squares anew for every move and trade."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal._kernels.groups.descend import descend_and_regroup, descend_fully, descend_once, links_of
from shoal._kernels.groups.groups import groups_of
from shoal.partition import mdav, projection, relabel, sizes, sse
from shoal.partition._anneal.spatial_file import spatial_file


def moved(labels, **changes):
    changed = labels.copy()
    for i, g in changes.values():
        changed[i] = g
    return changed


def helpful(X, labels, near, k):
    """Moves and trades between linked groups that lower the sum of squares by more than rounding."""
    count, size, before = 0, sizes(labels), sse(X, labels)
    linked = {(labels[i], labels[j]) for i, line in enumerate(near) for j in line}
    for a, b in {(min(pair), max(pair)) for pair in linked if pair[0] != pair[1]}:
        trials = []
        for home, to in ((a, b), (b, a)):
            if size[home] > k and size[to] < 2 * k - 1:
                trials += [moved(labels, one=(i, to)) for i in np.flatnonzero(labels == home)]
        trades = product(np.flatnonzero(labels == a), np.flatnonzero(labels == b))
        trials += [moved(labels, one=(i, b), other=(m, a)) for i, m in trades]
        scale = ((X[labels == a].mean(axis=0) - X[labels == b].mean(axis=0)) ** 2).sum() + before / len(X)
        count += sum(sse(X, trial) < before - 1e-6 * scale - 1e-12 for trial in trials)
    return count


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 4), st.booleans())
def test_no_move_or_trade_helps_afterwards(seed, k, d, ties):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2 * k, 45))
    X = rng.integers(0, 4, (n, d)).astype(float) if ties else rng.normal(size=(n, d))
    ready = spatial_file(X, k, 6, around=8, read=8)
    start = relabel(projection(X, k)[ready.order])
    groups = groups_of(ready.X, start, k)
    descend_and_regroup(groups, ready.near, k)
    labels = relabel(groups.labels.astype(np.intp))
    assert k <= sizes(labels).min() <= sizes(labels).max() < 2 * k
    assert sse(ready.X, labels) <= sse(ready.X, start) + 1e-9
    assert helpful(ready.X, labels, ready.near, k) == 0


def test_links_are_lists_read_from_both_sides():
    near = np.random.default_rng(0).integers(0, 30, (30, 4)).astype(np.int32)
    starts, rows = links_of(near)
    for i in range(30):
        found = rows[starts[i] : starts[i + 1]]
        assert sorted(found) == sorted([*near[i], *np.flatnonzero(near == i) // 4])


@pytest.mark.parametrize("descent", [descend_once, descend_fully, descend_and_regroup])
@pytest.mark.parametrize("neighbours", [5, np.inf])
def test_every_descent_gives_a_valid_and_better_partition(descent, neighbours):
    X = np.random.default_rng(0).normal(size=(600, 4))
    ready = spatial_file(X, 4, 9, around=8, read=8)
    start = relabel(mdav(X, 4)[ready.order])
    groups = groups_of(ready.X, start, 4)
    descent(groups, ready.near, 4, neighbours)
    labels = relabel(groups.labels.astype(np.intp))
    assert sizes(labels).min() >= 4
    assert sse(ready.X, labels) < 0.97 * sse(ready.X, start)


def test_fewer_neighbours_find_less():
    X = np.random.default_rng(0).normal(size=(3000, 6))
    ready = spatial_file(X, 5, 6, around=20, read=8)
    start, losses = relabel(mdav(X, 5)[ready.order]), []
    for neighbours in (0, 2, 8, np.inf):
        groups = groups_of(ready.X, start, 5)
        descend_fully(groups, ready.near, 5, neighbours)
        losses.append(sse(ready.X, relabel(groups.labels.astype(np.intp))))
    assert losses[0] <= sse(ready.X, start)
    assert losses == sorted(losses, reverse=True)
