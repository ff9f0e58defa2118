from __future__ import annotations

import numpy as np
import pytest

from shoal.partition import local_search, relabel, sizes, sse
from shoal.partition._anneal.basin_hopping import hop
from shoal.partition._anneal.outliers import cheapest, dearest, replaced, skewed
from shoal.partition._anneal.spatial_file import nearby
from shoal.partition.best import Budget


def skewed_file(n, seed=0):
    return np.random.default_rng(seed).lognormal(sigma=1.5, size=(n, 3))


@pytest.mark.parametrize("k", [3, 10])
def test_hops_never_lose_and_often_win(k):
    X = skewed_file(300)
    near = nearby(X, k, 12 + k, around=64, read=64)
    start = relabel(local_search(X, k)[near.order])
    rounds = Budget(0.0, 0.0, 200).rounds(0, 1)
    found = hop(near, start, k, rounds, np.random.default_rng(1), map, lambda *_: False)[0]
    assert k <= sizes(found).min() <= sizes(found).max() < 2 * k
    assert sse(near.X, found) < sse(near.X, start)


def test_a_stopped_hop_keeps_the_best():
    X = skewed_file(100)
    near = nearby(X, 3, 15, around=64, read=64)
    start = relabel(local_search(X, 3)[near.order])
    told = []

    def stop(fraction, labels):
        told.append(sse(near.X, labels))
        return len(told) == 5

    rounds = Budget(0.0, 0.0, 100).rounds(0, 1)
    found = hop(near, start, 3, rounds, np.random.default_rng(1), map, stop)[0]
    assert len(told) == 5
    assert told == sorted(told, reverse=True)
    assert sse(near.X, found) == pytest.approx(told[-1])


def test_the_dearest_groups_are_whole_and_dear():
    X = skewed_file(200)
    labels = local_search(X, 4)
    assert skewed(X, labels)
    rows = dearest(X, labels, 40)
    inside = np.unique(labels[rows])
    np.testing.assert_array_equal(rows, np.flatnonzero(np.isin(labels, inside)))
    costs = np.array(
        [((X[labels == g] - X[labels == g].mean(axis=0)) ** 2).sum() for g in range(labels.max() + 1)]
    )
    assert costs[inside].min() >= np.delete(costs, inside).max()
    assert 40 <= len(rows) < 48
    others = cheapest(X, labels, len(X) - len(rows))
    np.testing.assert_array_equal(np.sort(np.concatenate([rows, others])), np.arange(len(X)))
    assert len(dearest(X, labels, len(X))) == len(cheapest(X, labels, 10**6)) == len(X)
    assert sse(X, replaced(labels, rows, relabel(labels[rows]))) == pytest.approx(sse(X, labels))


def test_gaussian_records_are_not_skewed():
    X = np.random.default_rng(0).normal(size=(500, 5))
    assert not skewed(X, local_search(X, 5))
