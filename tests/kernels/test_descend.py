"""After a descent nothing helps, by computing the sum of squares anew for every move and trade."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal._kernels import descend
from shoal._kernels.descend import descend_and_regroup, descend_once, followers_of
from shoal._kernels.groups import groups_of
from shoal.partition import mdav, projection, relabel, sizes, sse
from shoal.partition.nearby import nearby


def moved(labels, **changes):
    changed = labels.copy()
    for i, g in changes.values():
        changed[i] = g
    return changed


def helpful(X, labels, near, k):
    """Moves and trades with groups of near records that lower the sum of squares by more than rounding."""
    count, size, before = 0, sizes(labels), sse(X, labels)
    means = np.array([X[labels == g].mean(axis=0) for g in range(len(size))])
    for i, line in enumerate(near):
        home = labels[i]
        for g in set(labels[line]) - {home}:
            trials = []
            if size[home] > k and size[g] < 2 * k - 1:
                trials.append(moved(labels, one=(i, g)))
            here, there = ((X[i] - means[home]) ** 2).sum(), ((X[i] - means[g]) ** 2).sum()
            if there - here <= (1 / size[home] + 1 / size[g]) * (there + here):  # else the other one asks
                trials += [moved(labels, one=(i, g), other=(m, home)) for m in np.flatnonzero(labels == g)]
            count += sum(sse(X, trial) < before - 1e-6 * (here + there) - 1e-12 for trial in trials)
    return count


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 4), st.booleans())
def test_no_move_or_trade_helps_afterwards(seed, k, d, ties):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2 * k, 45))
    X = rng.integers(0, 4, (n, d)).astype(float) if ties else rng.normal(size=(n, d))
    ready = nearby(X, k, 6, around=8, read=8)
    start = relabel(projection(X, k)[ready.order])
    groups = groups_of(ready.X, start, k)
    descend_and_regroup(groups, ready.near, k)
    labels = relabel(groups.labels.astype(np.intp))
    assert k <= sizes(labels).min() <= sizes(labels).max() < 2 * k
    assert sse(ready.X, labels) <= sse(ready.X, start) + 1e-9
    assert helpful(ready.X, labels, ready.near, k) == 0


def test_followers_are_those_who_list_a_record():
    near = np.random.default_rng(0).integers(0, 30, (30, 4)).astype(np.int32)
    starts, rows = followers_of(near)
    for i in range(30):
        found = rows[starts[i] : starts[i + 1]]
        assert sorted(found) == sorted(np.flatnonzero(near == i) // 4)


def test_one_pass_is_a_valid_partition_and_no_worse():
    X = np.random.default_rng(0).normal(size=(600, 4))
    ready = nearby(X, 4, 9, around=8, read=8)
    start = relabel(mdav(X, 4)[ready.order])
    groups = groups_of(ready.X, start, 4)
    descend_once(groups, ready.near, 4)
    labels = relabel(groups.labels.astype(np.intp))
    assert sizes(labels).min() >= 4
    assert sse(ready.X, labels) < 0.97 * sse(ready.X, start)


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_nothing(monkeypatch, threads):
    X = np.random.default_rng(0).normal(size=(1000, 3))
    ready = nearby(X, 3, 8, around=8, read=8)
    found = []
    for number in (1, threads):
        monkeypatch.setattr(descend, "useful_threads", lambda numbers, number=number: number)
        groups = groups_of(ready.X, relabel(projection(X, 3)[ready.order]), 3)
        descend_and_regroup(groups, ready.near, 3)
        found.append(groups.labels)
    np.testing.assert_array_equal(*found)
