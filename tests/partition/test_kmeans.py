from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings

import oracles
from shoal.errors import InvalidInput
from shoal.partition import kmeans, mdav, mst, sizes, sse, tfrp
from small_files import make, small_files, unit


@settings(max_examples=150)
@given(small_files())
def test_it_never_loses_more_than_its_start_and_keeps_the_number_of_groups(file):
    X, k = unit(file[0]), file[1]
    for start in (mdav, tfrp):
        first, labels = start(X, k), kmeans(X, k, start=start)
        assert sse(X, labels) <= sse(X, first) * (1 + 1e-9) + 1e-30
        assert labels.max() == first.max()


def moved(labels, k):
    """All partitions one move or one trade away that keep k..2k-1."""
    for i in range(len(labels)):
        for g in range(labels.max() + 1):
            other = labels.copy()
            other[i] = g
            if k <= sizes(other)[labels[i]] and sizes(other)[g] <= 2 * k - 1:
                yield other
        for j in range(i):
            other = labels.copy()
            other[i], other[j] = labels[j], labels[i]
            yield other


@settings(max_examples=60)
@given(small_files(sorts=("normal", "ties", "clusters", "duplicates"), most=12))
def test_no_move_and_no_trade_is_left_that_gains(file):
    X, k = unit(file[0]), file[1]
    labels = kmeans(X, k)
    least = min(oracles.sse(X, other) for other in moved(labels, k))
    assert oracles.sse(X, labels) <= least * (1 + 1e-6) + 1e-12


def test_it_gains():
    X = make("normal", 200, 2, 4)
    assert sse(X, kmeans(X, 3)) < 0.95 * sse(X, mdav(X, 3))


def test_large_groups_of_the_start_are_divided():
    X = make("clusters", 60, 2, 1)
    assert sizes(mst(X, 3, split=False)).max() > 5
    assert sizes(kmeans(X, 3, start=partial(mst, split=False))).max() <= 5


@pytest.mark.parametrize("neighbours", [0, -1, 2.5, "many"])
def test_a_wrong_number_of_neighbours_is_one_sentence(neighbours):
    with pytest.raises(InvalidInput, match="`neighbours` must be a whole number of at least 1"):
        kmeans(np.ones((5, 1)), 2, neighbours=neighbours)
