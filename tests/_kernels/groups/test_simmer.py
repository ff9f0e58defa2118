from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal._kernels.groups.groups import groups_of
from shoal._kernels.groups.simmer import simmer
from shoal._kernels.random import dice_of
from shoal.partition import mdav, relabel, sizes, sse
from shoal.partition._anneal.spatial_file import nearby
from shoal.partition.labels import means


def simmered(near, labels, k, heat, *, sweeps=20, turns=None, closest=True, rebuilt=0.1, seed=0):
    groups = groups_of(near.X, labels, k)
    turns = np.arange(len(labels), dtype=np.int32) if turns is None else turns
    dice = dice_of(np.random.default_rng(seed))
    simmer(groups, near.near, near.warmth, k, turns, sweeps, heat, closest, rebuilt, dice)
    return groups


def file_of(seed, k, ties):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2 * k, 40)), int(rng.integers(1, 4))
    X = rng.integers(0, 3, (n, d)).astype(float) if ties else rng.normal(size=(n, d))
    near = nearby(X, k, 2 * k, around=8, read=8)
    return near, relabel(mdav(X, k)[near.order])


@settings(max_examples=200)
@given(
    st.integers(0, 10_000),
    st.integers(2, 5),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0.0, 0.3, 9.0]),
    st.sampled_from([0.0, 0.1, 1.0]),
)
def test_groups_stay_between_k_and_2k_and_their_books_are_right(seed, k, ties, closest, heat, rebuilt):
    near, labels = file_of(seed, k, ties)
    groups = simmered(near, labels, k, heat, closest=closest, rebuilt=rebuilt, seed=seed)
    for i, g in enumerate(groups.labels):
        assert groups.members[g, groups.place[i]] == i
    assert groups.sizes.sum() == len(labels)
    found = relabel(groups.labels.astype(np.intp))
    assert k <= sizes(found).min() <= sizes(found).max() < 2 * k
    np.testing.assert_allclose(means(near.X, found)[found], groups.means[groups.labels], atol=1e-9)
    if heat == 0.0:
        assert sse(near.X, found) <= sse(near.X, labels) + 1e-9


def test_rebuilding_alone_finds_the_rows():
    """Three rows of three records that were grouped by columns."""
    X = np.array([[x, y] for x in (0.0, 1.0, 2.0) for y in (0.0, 3.0, 6.0)])
    near = nearby(X, 3, 8, around=8, read=8)
    labels = relabel(np.repeat([0, 1, 2], 3)[near.order])
    found = simmered(near, labels, 3, 0.0, rebuilt=1.0, sweeps=50)
    assert sse(near.X, relabel(found.labels.astype(np.intp))) == pytest.approx(6.0)


def test_only_who_has_a_turn_begins_a_move():
    near, labels = file_of(3, 3, ties=False)
    nobody = np.empty(0, dtype=np.int32)
    np.testing.assert_array_equal(simmered(near, labels, 3, 9.0, turns=nobody).labels, labels)
    assert (simmered(near, labels, 3, 9.0).labels != labels).any()


def test_the_colder_the_less_is_lost():
    X = np.random.default_rng(1).normal(size=(200, 3))
    near = nearby(X, 3, 10, around=16, read=16)
    labels = relabel(mdav(X, 3)[near.order])
    found = [simmered(near, labels, 3, heat, sweeps=100).labels for heat in (9.0, 2.0, 0.3)]
    losses = [sse(near.X, relabel(labels.astype(np.intp))) for labels in found]
    assert losses == sorted(losses, reverse=True)


def test_a_loss_is_accepted_about_as_often_as_metropolis_says():
    """Two groups of two on a line: states should come as often as exp(-loss / temperature).

    Not quite: of several trades, the first that the dice allow is made.
    """
    X = np.array([[0.0], [0.5], [1.0], [1.8]])
    near, heat = nearby(X, 2, 3, around=1, read=1), 0.4
    near = near._replace(warmth=np.ones(4))
    pairs = [np.array(p) for p in ([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0])]
    weights = np.exp([-sse(near.X, p) / heat for p in pairs])
    seen, groups, dice = np.zeros(3), groups_of(near.X, pairs[0], 2), dice_of(np.random.default_rng(0))
    turn = np.arange(4, dtype=np.int32)
    for _ in range(20_000):
        simmer(groups, near.near, near.warmth, 2, turn, 1, heat, False, 0.0, dice)
        found = relabel(groups.labels.astype(np.intp))
        seen[[bool((found == p).all()) for p in pairs]] += 1
    assert seen / seen.sum() == pytest.approx(weights / weights.sum(), abs=0.06)
