from __future__ import annotations

import numpy as np
import pytest

from shoal.partition import mdav, relabel, sizes
from shoal.partition._anneal.spatial_file import nearby
from shoal.partition._anneal.split_file import in_halves


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("same", [False, True])
def test_every_group_is_whole_in_one_half(d, same):
    X = np.ones((200, d)) if same else np.random.default_rng(1).normal(size=(200, d))
    near = nearby(X, 3, 5, around=8, read=8)
    labels = relabel(mdav(X, 3)[near.order])
    halves = []

    def note(half, inside, rng):
        halves.append(half)
        np.testing.assert_array_equal(half.X, near.X[half.order])
        np.testing.assert_array_equal(half.warmth, near.warmth[half.order])
        np.testing.assert_array_equal(inside, relabel(labels[half.order]))
        outside = ~np.isin(near.near[half.order], half.order)
        np.testing.assert_array_equal(half.near[outside], np.nonzero(outside)[0])
        np.testing.assert_array_equal(half.order[half.near][~outside], near.near[half.order][~outside])
        return inside

    np.testing.assert_array_equal(in_halves(near, labels, note, np.random.default_rng(0), map), labels)
    assert not set(labels[halves[0].order]) & set(labels[halves[1].order])
    assert {len(half.order) for half in halves} <= set(range(96, 105))
    np.testing.assert_array_equal(np.sort(np.concatenate([half.order for half in halves])), np.arange(200))


def test_labels_of_the_halves_do_not_collide():
    X = np.random.default_rng(1).normal(size=(90, 2))
    near = nearby(X, 3, 5, around=8, read=8)
    labels = relabel(mdav(X, 3)[near.order])
    all_one = in_halves(near, labels, lambda half, inside, rng: 0 * inside, np.random.default_rng(0), map)
    np.testing.assert_array_equal(np.sort(sizes(all_one)), [45, 45])
