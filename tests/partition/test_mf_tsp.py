from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from shoal._kernels.partitioners.mf_tsp import count_neighbours, frequent_groups, path_from
from shoal.errors import InvalidInput
from shoal.partition import mf_tsp, path, relabel, sizes, sse
from shoal.partition._shared.prepare import prepare
from shoal.partition.labels import assign_to_nearest
from shoal.partition.mf_tsp import walked
from small_files import make


def slow_path(D, start):
    """Farthest insertion into a path that begins at one record and may end anywhere."""
    path = [start]
    while len(path) < len(D):
        new = max((i for i in range(len(D)) if i not in path), key=lambda i: D[i, path].min())
        extra = [D[a, new] + D[new, b] - D[a, b] for a, b in pairwise(path)]
        extra.append(D[path[-1], new])
        path.insert(int(np.argmin(extra)) + 1, new)
    return path


def slow_groups(N, D, k):
    """The largest entry, then the largest entries in the rows of the group; the closest among equals."""
    free, groups = list(range(len(N))), []
    while len(free) > 2 * k - 1:
        group = list(max(((i, j) for i in free for j in free if i < j), key=lambda p: (N[p], -D[p])))
        while len(group) < k:
            pairs = [(i, j) for i in group for j in free if j not in group]
            group.append(max(pairs, key=lambda p: (N[p], -D[p]))[1])
        groups.append(group)
        free = [i for i in free if i not in group]
    return groups, free


@settings(max_examples=60)
@given(st.integers(2, 20), st.integers(1, 3), st.integers(0, 10**6))
def test_paths_begin_at_their_record_and_grow_by_farthest_insertion(n, d, seed):
    X = make("normal", n, d, seed)
    D = cdist(X, X)
    for start in (0, n - 1):
        np.testing.assert_array_equal(path_from(D, start), slow_path(D, start))


@settings(max_examples=100)
@given(st.integers(4, 24), st.integers(2, 5), st.integers(0, 10**6))
def test_groups_grow_by_the_largest_counts(n, k, seed):
    rng = np.random.default_rng(seed)
    N = rng.integers(0, 5, size=(n, n)).astype(np.int32)
    D, N = cdist(*[rng.normal(size=(n, 2))] * 2), N + N.T
    labels, count = frequent_groups(N, D, k)
    groups, free = slow_groups(N, D, k)
    assert count == len(groups)
    assert all(sorted(np.flatnonzero(labels == g)) == sorted(group) for g, group in enumerate(groups))
    assert np.flatnonzero(labels < 0).tolist() == free


@settings(max_examples=30)
@given(st.integers(4, 16), st.integers(2, 4), st.sampled_from([None, 1, 3]), st.integers(0, 10**6))
def test_it_is_the_algorithm_of_the_paper(n, k, window, seed):
    """In two columns: along a line an insertion costs nothing wherever it fits, and rounding decides."""
    X, k = prepare(make("normal", n, 2, seed), k)
    D, N = cdist(X, X), np.zeros((len(X), len(X)), dtype=int)
    window = min(window or k - 1, len(X) - 1)
    for start in range(len(X)):
        walk = slow_path(D, start)
        for p in range(len(walk)):
            for q in range(len(walk)):
                N[walk[p], walk[q]] += 0 < abs(p - q) <= window
    groups, free = slow_groups(N, D, k)
    labels = np.full(len(X), -1)
    for g, rows in enumerate([*groups, free] if len(free) >= k else groups):
        labels[rows] = g
    expected = relabel(assign_to_nearest(X, labels))
    np.testing.assert_array_equal(mf_tsp(X, k, window=window), expected)


def test_the_variable_form_is_at_least_as_good_as_its_best_path():
    X = make("normal", 80, 2, 1)
    fixed, variable = mf_tsp(X, 3), mf_tsp(X, 3, variable=True)
    assert sse(X, variable) < sse(X, fixed)
    assert sizes(variable).max() > 3
    assert sse(X, variable) <= 1.05 * sse(X, path(X, 3))


@pytest.mark.parametrize("variable", [False, True])
def test_it_reports_and_stops_on_request(variable):
    X, heard = make("normal", 30, 2, 1), []

    def listen(progress):
        heard.append(progress.fraction)
        return len(heard) == 5

    labels = mf_tsp(X, 3, variable=variable, callback=listen)
    assert heard == pytest.approx([1 / 30, 2 / 30, 3 / 30, 4 / 30, 5 / 30])
    assert sizes(labels).min() >= 3


@pytest.mark.parametrize("window", [0, -1, 2.5, "wide"])
def test_a_wrong_window_is_one_sentence(window):
    with pytest.raises(InvalidInput, match="`window` must be a whole number of at least 1"):
        mf_tsp(np.ones((5, 1)), 2, window=window)


def test_too_many_records_are_refused_at_once():
    with pytest.raises(InvalidInput, match="mf_tsp holds all n x n distances"):
        mf_tsp(np.zeros((10_001, 1)), 3)


@settings(max_examples=60)
@given(st.integers(2, 12), st.integers(1, 14), st.booleans(), st.integers(0, 10**6))
def test_meetings_are_counted_along_the_path_or_around_the_circle(n, window, closed, seed):
    order = np.random.default_rng(seed).permutation(n)
    N = np.zeros((n, n), dtype=np.int32)
    count_neighbours(order, window, closed, N)
    for p in range(n):
        for q in range(n):
            apart = min(abs(p - q), n - abs(p - q)) if closed else abs(p - q)
            assert N[order[p], order[q]] == (0 < apart <= window)


def test_nearest_paths_always_go_on_to_the_nearest_free_record():
    X = np.random.default_rng(4).normal(size=(15, 2))
    D = cdist(X, X)
    for start in range(15):
        order = walked(X, D, start, "nearest").tolist()
        assert order[0] == start
        for position, (here, there) in enumerate(pairwise(order)):
            assert D[here, there] == D[here, order[position + 1 :]].min()


@pytest.mark.parametrize(
    "options", [{"path": "nearest"}, {"closed": True}, {"path": "nearest", "variable": True}]
)
def test_options_give_groups_of_the_right_size(options):
    X = np.random.default_rng(6).normal(size=(23, 2))
    counts = sizes(mf_tsp(X, 4, **options))
    assert 4 <= counts.min() <= counts.max() < 8


def test_an_unknown_path_is_refused():
    with pytest.raises(InvalidInput, match="path"):
        mf_tsp(np.arange(8.0)[:, None], 2, path="random")
