from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import InvalidInput
from shoal._kernels import threads
from shoal._kernels.groups import descend
from shoal.partition import PARTITIONERS, exhaustive, hac, local_search, mdav, projection, sizes, sse
from shoal.partition._anneal.merge_partitions import merge_partitions


@pytest.mark.slow
@settings(max_examples=150)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 3), st.booleans())
def test_never_worse_than_the_start_and_never_better_than_the_optimum(seed, k, d, ties):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 11 if k == 2 else 13))
    X = rng.integers(0, 3, (n, d)).astype(float) if ties else rng.normal(size=(n, d))
    labels = local_search(X, k)
    assert k <= sizes(labels).min() <= sizes(labels).max() < 2 * k
    assert sse(X, labels) <= sse(X, mdav(X, k)) + 1e-9
    assert sse(X, labels) >= sse(X, exhaustive(X, k)) - 1e-9


@pytest.mark.parametrize("start", [mdav, hac, projection], ids=lambda f: f.__name__)
def test_any_method_or_labels_can_be_the_start(start):
    X = np.random.default_rng(1).normal(size=(300, 3))
    before = start(X, 4)
    improved = local_search(X, 4, start=before)
    np.testing.assert_array_equal(improved, local_search(X, 4, start=start))
    assert sse(X, improved) < 0.95 * sse(X, before)


def test_a_start_of_one_large_group_is_divided():
    X = np.random.default_rng(1).normal(size=(50, 2))
    assert sizes(local_search(X, 5, start=np.zeros(50, dtype=int))).max() < 10


@pytest.mark.parametrize(
    ("start", "sentence"),
    [(np.zeros(5, dtype=int), "one integer for each of the 20"), (np.arange(20), "fewer than k = 3")],
)
def test_a_wrong_start_is_one_sentence(start, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        local_search(np.ones((20, 1)), 3, start=start)


def test_it_repeats_and_is_on_the_menu():
    X = np.random.default_rng(2).normal(size=(500, 4))
    np.testing.assert_array_equal(local_search(X, 3), local_search(X, 3))
    assert local_search in PARTITIONERS


@given(st.integers(0, 10_000))
def test_crossing_is_at_least_as_good_as_either(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 2))
    first, second = (mdav(X[:, [j]], 3) for j in (0, 1))
    crossed = merge_partitions(X, first, second)
    assert sizes(crossed).min() >= 3
    assert sse(X, crossed) <= min(sse(X, first), sse(X, second)) + 1e-9


@pytest.mark.parametrize(("d", "k"), [(3, 4), (8, 20)])  # with a first phase, and without
def test_a_large_file_is_cut_in_halves_and_repeats_with_any_number_of_threads(monkeypatch, d, k):
    monkeypatch.setattr(descend, "TWO_THREAD_NUMBERS", 1)
    X = np.random.default_rng(2).normal(size=(10_000, d))
    start = projection(X, k)
    found = local_search(X, k, start=start)
    assert sizes(found).min() >= k
    assert sizes(found).max() < 2 * k
    assert sse(X, found) < 0.93 * sse(X, start)
    monkeypatch.setattr("shoal._kernels.spatial.near_lists.useful_threads", lambda numbers: 5)
    in_turn = nullcontext(lambda step, tasks: [step(task) for task in tasks])
    for room in (threads, descend):
        monkeypatch.setattr(room, "two_at_once", lambda: in_turn)
    np.testing.assert_array_equal(local_search(X, k, start=start), found)


def test_a_large_file_that_cannot_be_improved_stays():
    """Pairs of equal records far apart: the start is the optimum."""
    X = np.repeat(np.arange(5_000.0) ** 1.1, 2)[:, None]
    start = np.repeat(np.arange(5_000), 2)
    np.testing.assert_array_equal(local_search(X, 2, start=start), start)
