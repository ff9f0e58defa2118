from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.partition import mdav, relabel, sizes, sse
from shoal.partition._anneal.parallel import anneal_parts, anneal_whole, cut, everyone, rest
from shoal.partition._anneal.spatial_file import nearby


def ready(n, k):
    X = np.random.default_rng(n).normal(size=(n, 2))
    near = nearby(X, k, 10, around=16, read=16)
    return near, relabel(mdav(X, k)[near.order])


@given(st.integers(0, 1_000), st.integers(1, 5))
def test_parts_hold_whole_groups_and_every_row_once(seed, count):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 2))
    labels = mdav(X, 3)
    parts = cut(X, labels, count, rng)
    assert sorted(np.concatenate(parts).tolist()) == list(range(24))
    groups = [set(labels[rows].tolist()) for rows in parts]
    assert sum(map(len, groups)) == labels.max() + 1


def test_parts_give_whole_groups_back():
    near, labels = ready(200, 3)
    rng = np.random.default_rng(0)
    found = anneal_parts(near, labels, 3, sweeps=50, heat=0.1, rng=rng, workers=map)
    assert 3 <= sizes(relabel(found)).min() <= sizes(relabel(found)).max() < 6
    assert sse(near.X, found) < sse(near.X, labels)


def test_every_partition_of_a_file_goes_its_own_way():
    near, labels = ready(200, 3)
    rng = np.random.default_rng(0)
    found = anneal_whole(
        near, [labels, labels], everyone(near.near, 0.1), 3, sweeps=50, heat=0.3, rng=rng, workers=map
    )
    assert (found[0] != found[1]).any()
    for labels in found:
        assert 3 <= sizes(labels).min() <= sizes(labels).max() < 6


def test_after_a_rest_nothing_is_worse():
    near, labels = ready(100, 4)
    shuffled = np.random.default_rng(1).permutation(labels)
    assert sse(near.X, rest(near, shuffled, 4)) < sse(near.X, shuffled)
