from __future__ import annotations

import time
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.partition import exhaustive, local_search, mdav, sse
from shoal.partition._bound.close_gap import close_gap
from shoal.partition._bound.pricing import costs_of
from shoal.partition._bound.region_choice import improve_regions
from shoal.partition._bound.set_partitioning import choose_groups
from shoal.partition._shared.prepare import prepare
from shoal.partition.lower_bound import ascents, file_of

NONE = np.empty((0, 3), dtype=np.int32)


def solved(X, k, labels, seconds):
    *_, ascent = ascents(X, k, [labels], time.monotonic() + seconds)
    return close_gap(file_of(X, k), ascent, labels, time.monotonic() + seconds)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans())
def test_tiny_files_are_solved(seed, k, ties):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (12, 2)).astype(float) if ties else rng.normal(size=(12, 2))
    X, k = prepare(X, k)
    labels, bound = solved(X, k, mdav(X, k), 20)
    optimum = sse(X, exhaustive(X, k))
    assert sse(X, labels) == pytest.approx(optimum, abs=1e-9)
    assert bound <= optimum * (1 + 1e-9) + 1e-12
    assert np.bincount(labels).min() >= k


def test_two_hundred_records_are_proven_optimal():
    X, k = prepare(np.random.default_rng(0).normal(size=(200, 3)), 3)
    start = local_search(X, k)
    labels, bound = solved(X, k, start, 60)
    assert sse(X, labels) <= sse(X, start)
    assert bound > (1 - 1e-5) * sse(X, labels)


def test_without_time_the_labels_stay():
    X, k = prepare(np.random.default_rng(1).normal(size=(60, 2)), 3)
    start = mdav(X, k)
    *_, ascent = ascents(X, k, [start], time.monotonic() + 1)
    labels, bound = close_gap(file_of(X, k), ascent, start, time.monotonic() - 1)
    assert labels.tolist() == start.tolist()
    assert bound == ascent.bound


def test_equal_records_have_no_prices():
    X = np.zeros((12, 2))
    X[9:] = 1.0
    labels, bound = solved(X, 3, mdav(X, 3), 1)
    assert (sse(X, labels), bound) == (0, 0)


def test_regions_never_make_it_worse_and_find_better_groups():
    X, k = prepare(np.random.default_rng(3).normal(size=(150, 3)), 3)
    start = mdav(X, k)
    *_, ascent = ascents(X, k, [start], time.monotonic() + 10)
    labels = improve_regions(X, k, start, ascent.pool, ascent.prices.triples, time.monotonic() + 5)
    assert sse(X, labels) < sse(X, start)
    assert np.bincount(labels).min() >= k


def test_the_choice_from_all_groups_is_the_optimum():
    X, k = prepare(np.random.default_rng(2).normal(size=(9, 2)), 3)
    groups = np.full((84 + 126 + 126, 5), -1, dtype=np.int32)
    everything = chain.from_iterable(combinations(range(9), size) for size in (3, 4, 5))
    for row, group in zip(groups, everything, strict=True):
        row[: len(group)] = group
    labels, bound = choose_groups(groups, costs_of(X, groups), NONE, 9, seconds=10)
    optimum = sse(X, exhaustive(X, k))
    assert sse(X, labels) == pytest.approx(optimum)
    assert bound == pytest.approx(optimum)


def test_groups_that_do_not_cover_the_file_give_no_labels():
    assert choose_groups(np.array([[0, 1]]), np.ones(1), NONE, 4, seconds=1).labels is None
