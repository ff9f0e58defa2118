"""Annealing and rebuilding: groups keep their sizes and their books, and losses follow Metropolis."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal._kernels.groups.anneal import anneal
from shoal._kernels.groups.groups import groups_of
from shoal._kernels.groups.rebuild import rebuild_some
from shoal._kernels.random import xorshift_state
from shoal.partition import mdav, relabel, sizes, sse
from shoal.partition._anneal.spatial_file import spatial_file
from shoal.partition.labels import means


def annealed(file, labels, k, temperature, *, sweeps=20, rebuilt=2, seed=0):
    """The groups after some sweeps, and so many rebuilt neighbourhoods per record."""
    groups, state = groups_of(file.X, labels, k), xorshift_state(np.random.default_rng(seed))
    anneal(groups, file.near, file.temperature_unit, k, sweeps, temperature, state)
    rebuild_some(groups, file.near, file.temperature_unit, k, rebuilt * len(labels), temperature, state)
    return groups


def file_of(seed, k, ties):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2 * k, 40)), int(rng.integers(1, 4))
    X = rng.integers(0, 3, (n, d)).astype(float) if ties else rng.normal(size=(n, d))
    file = spatial_file(X, k, 2 * k, around=8, read=8)
    return file, relabel(mdav(X, k)[file.order])


@pytest.mark.slow
@settings(max_examples=150)
@given(
    st.integers(0, 10_000),
    st.integers(2, 5),
    st.booleans(),
    st.sampled_from([0.0, 0.3, 9.0]),
    st.sampled_from([(20, 0), (20, 2), (0, 20)]),
)
def test_groups_stay_between_k_and_2k_and_their_books_are_right(seed, k, ties, temperature, work):
    file, labels = file_of(seed, k, ties)
    groups = annealed(file, labels, k, temperature, sweeps=work[0], rebuilt=work[1], seed=seed)
    for i, g in enumerate(groups.labels):
        assert groups.members[g, groups.place[i]] == i
    assert groups.sizes.sum() == len(labels)
    found = relabel(groups.labels.astype(np.intp))
    assert k <= sizes(found).min() <= sizes(found).max() < 2 * k
    np.testing.assert_allclose(means(file.X, found)[found], groups.means[groups.labels], atol=1e-9)
    if temperature == 0.0:
        assert sse(file.X, found) <= sse(file.X, labels) + 1e-9


def test_rebuilding_alone_finds_the_rows():
    """Three rows of three records that were grouped by columns."""
    X = np.array([[x, y] for x in (0.0, 1.0, 2.0) for y in (0.0, 3.0, 6.0)])
    file = spatial_file(X, 3, 8, around=8, read=8)
    labels = relabel(np.repeat([0, 1, 2], 3)[file.order])
    found = annealed(file, labels, 3, 0.0, sweeps=0, rebuilt=50)
    assert sse(file.X, relabel(found.labels.astype(np.intp))) == pytest.approx(6.0)


def test_nothing_to_try_changes_nothing():
    file, labels = file_of(3, 3, ties=False)
    np.testing.assert_array_equal(annealed(file, labels, 3, 9.0, sweeps=0, rebuilt=0).labels, labels)
    assert (annealed(file, labels, 3, 9.0).labels != labels).any()


def test_the_colder_the_less_is_lost():
    X = np.random.default_rng(1).normal(size=(200, 3))
    file = spatial_file(X, 3, 10, around=16, read=16)
    labels = relabel(mdav(X, 3)[file.order])
    found = [annealed(file, labels, 3, temperature, sweeps=100).labels for temperature in (9.0, 2.0, 0.3)]
    losses = [sse(file.X, relabel(labels.astype(np.intp))) for labels in found]
    assert losses == sorted(losses, reverse=True)


def test_a_loss_is_accepted_as_often_as_metropolis_says():
    """Two groups of two on a line: states should come as often as exp(-loss / temperature)."""
    X = np.array([[0.0], [0.5], [1.0], [1.8]])
    file, temperature = spatial_file(X, 2, 3, around=1, read=1), 0.4
    file = file._replace(
        temperature_unit=np.ones(4), near=np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]], np.int32)
    )
    pairs = [np.array(p) for p in ([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0])]
    weights = np.exp([-sse(file.X, p) / temperature for p in pairs])
    seen, groups, state = (
        np.zeros(3),
        groups_of(file.X, pairs[0], 2),
        xorshift_state(np.random.default_rng(0)),
    )
    for _ in range(20_000):
        anneal(groups, file.near, file.temperature_unit, 2, 1, temperature, state)
        found = relabel(groups.labels.astype(np.intp))
        seen[[bool((found == p).all()) for p in pairs]] += 1
    assert seen / seen.sum() == pytest.approx(weights / weights.sum(), abs=0.06)
