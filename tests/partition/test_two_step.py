"""Two-step partitioning: Lemma 1, macro-groups, workers and callbacks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.errors import InvalidInput, NotApplicable
from shoal.partition import mdav, sizes, sse
from shoal.partition.exhaustive import exhaustive
from shoal.partition.genetic import genetic
from shoal.partition.two_step import _macro_groups, two_step

quick = partial(genetic, population=10, generations=15)


def in_file_order(X, k):
    """A bad heuristic: k records at a time, as they come."""
    return np.minimum(np.arange(len(X)) // k, len(X) // k - 1)


def too_small(X, k):
    """A dangerous partitioner: every record is alone, which loses nothing."""
    return np.arange(len(X))


def random_file(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) if seed % 2 else rng.integers(0, 4, size=(n, 2)).astype(float)
    return X + 1e6 if seed % 3 == 0 else X


@settings(max_examples=150)
@given(
    st.integers(0, 10_000),
    st.integers(2, 60),
    st.integers(2, 5),
    st.sampled_from([mdav, partial(mdav, leftovers="nearest"), in_file_order]),
    st.sampled_from([quick, partial(quick, elite=0, mutation_rate=0.5), in_file_order, mdav, too_small]),
)
def test_lemma_1_never_worse_than_the_heuristic_alone(seed, n, k, coarse, fine):
    X, k = random_file(seed, n), min(k, n)
    labels = two_step(X, k, coarse=coarse, fine=fine, macro=3 * k, rng=seed)
    first = coarse(X, k)
    assert sse(X, labels) <= sse(X, first) * (1 + 1e-12) + 1e-9
    assert sizes(labels).min() >= k
    assert sizes(labels).max() <= max(2 * k - 1, sizes(first).max())
    assert set(labels.tolist()) == set(range(labels.max() + 1))


def test_it_improves_on_clusters_of_variable_size():
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(25), rng.integers(3, 6, size=25))
    X = rng.uniform(-100, 100, size=(25, 2))[cluster] + rng.normal(size=(len(cluster), 2))
    assert sse(X, two_step(X, 3, rng=1)) < 0.7 * sse(X, mdav(X, 3))


def test_an_exact_search_inside_is_at_least_as_good():
    X = np.random.default_rng(2).normal(size=(90, 2))
    exact = two_step(X, 3, fine=exhaustive, macro=9)
    assert sse(X, exact) <= sse(X, two_step(X, 3, fine=quick, macro=9, rng=1))
    assert sse(X, exact) < sse(X, mdav(X, 3))


def test_what_the_fine_partitioner_refuses_is_said():
    with pytest.raises(NotApplicable, match="at most 20 records"):
        two_step(np.random.default_rng(2).normal(size=(90, 2)), 3, fine=exhaustive, macro=24)


def test_the_fine_partitioner_starts_from_the_groups_found_so_far():
    X = np.random.default_rng(0).normal(size=(60, 2))
    starts = []

    def fine(X, k, *, initial, rng):
        starts.append((initial, rng.integers(1000)))
        return initial

    np.testing.assert_array_equal(two_step(X, 3, fine=fine, macro=12), mdav(X, 3))
    assert sum(len(initial) for initial, _ in starts) == 60
    assert all((sizes(initial) == 3).all() for initial, _ in starts)
    assert len({drawn for _, drawn in starts}) > 1, "macro-groups draw from streams of their own"


@pytest.mark.parametrize("macro", [6, 12, 18])
def test_macro_groups_hold_whole_neighbouring_groups(macro):
    X = np.random.default_rng(0).normal(size=(100, 2))
    first = mdav(X, 3)
    parts = _macro_groups(X, first, macro // 3, mdav)
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(100))
    whole = [set(first[rows]) for rows in parts]
    assert sum(map(len, whole)) == first.max() + 1, "no group is torn apart"
    assert all(macro // 3 <= len(groups) < 2 * macro // 3 for groups in whole)


def test_a_file_smaller_than_a_macro_group_is_searched_as_a_whole():
    X = np.random.default_rng(0).normal(size=(11, 2))
    assert sse(X, two_step(X, 3, macro=60, rng=1)) == pytest.approx(sse(X, exhaustive(X, 3)))
    np.testing.assert_array_equal(two_step(X[:5], 3), np.zeros(5))


def test_same_rng_same_groups_whatever_the_workers():
    X = np.random.default_rng(0).normal(size=(80, 2))
    first = two_step(X, 3, fine=quick, rng=1)
    np.testing.assert_array_equal(first, two_step(X, 3, fine=quick, rng=1))
    with ThreadPoolExecutor(2) as pool:
        np.testing.assert_array_equal(first, two_step(X, 3, fine=quick, rng=1, workers=pool.map))
    assert not np.array_equal(first, two_step(X, 3, fine=quick, rng=2))


def test_the_callback_sees_valid_groups_that_get_better_and_changes_nothing():
    X = np.random.default_rng(0).normal(size=(80, 2))
    seen = []
    labels = two_step(X, 3, fine=quick, macro=12, rng=1, callback=seen.append)
    np.testing.assert_array_equal(labels, two_step(X, 3, fine=quick, macro=12, rng=1))
    losses = [sse(X, progress.best) for progress in seen]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == sse(X, labels)
    total = sse(X, np.zeros(80, dtype=np.intp))
    np.testing.assert_allclose([progress.value for progress in seen], 100 * np.array(losses) / total)
    assert all(sizes(progress.best).min() >= 3 for progress in seen)
    assert seen[-1].fraction == 1
    assert seen[0].message == f"macro-group 1 of {len(seen)}"


def test_the_callback_stops_with_the_best_so_far():
    X = np.random.default_rng(0).normal(size=(80, 2))
    seen = []

    def stop(progress):
        seen.append(progress)
        return len(seen) == 2

    labels = two_step(X, 3, fine=quick, macro=12, rng=1, callback=stop)
    assert len(seen) == 2
    np.testing.assert_array_equal(labels, seen[-1].best)
    assert sse(X, labels) <= sse(X, mdav(X, 3))


@pytest.mark.parametrize("macro", [3, 5, 7, 0, -6])
def test_a_wrong_macro_size_is_one_sentence(macro):
    with pytest.raises(InvalidInput, match="`macro` must be a multiple of k = 3 of at least 6"):
        two_step(np.ones((20, 1)), 3, macro=macro)
