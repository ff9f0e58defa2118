from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.partition._shared.prepare import prepare
from shoal.partition._tour.tour_orders import (
    TOURS,
    greedy,
    insertion,
    nearest_next,
    nearest_point_next,
    shortened,
)
from small_files import make, small_files, unit


def length(X, path):
    return np.linalg.norm(np.diff(X[path], axis=0), axis=1).sum()


@pytest.mark.slow
@pytest.mark.parametrize("tour", TOURS, ids=lambda f: f.__name__)
@settings(max_examples=100)
@given(small_files())
def test_every_record_is_visited_once(tour, file):
    X, _ = prepare(*file)
    assert sorted(tour(X).tolist()) == list(range(len(X)))


def distances(X):
    return np.linalg.norm(X[:, None] - X, axis=2)


@settings(max_examples=100)
@given(st.integers(3, 25), st.integers(1, 3), st.integers(0, 10**6))
def test_nearest_next_goes_to_the_nearest_free_record(n, d, seed):
    X = make("normal", n, d, seed)
    D, path = distances(X), nearest_next(X)
    assert path[0] == np.argmax(np.linalg.norm(X - X.mean(axis=0), axis=1))
    for p in range(n - 1):
        assert D[path[p], path[p + 1]] == D[path[p], path[p + 1 :]].min()


@settings(max_examples=100)
@given(st.integers(3, 25), st.integers(1, 3), st.integers(0, 10**6))
def test_nearest_point_next_grows_at_the_nearer_end(n, d, seed):
    X = make("normal", n, d, seed)
    D = distances(X)
    path = [int(np.argmin(np.linalg.norm(X - X.mean(axis=0), axis=1)))]
    while len(path) < n:
        free = [i for i in range(n) if i not in path]
        _, end, row = min((D[path[end], i], end, i) for i in free for end in (0, -1))
        path = [*path, row] if end == -1 else [row, *path]
    assert nearest_point_next(X).tolist() == path


@settings(max_examples=100)
@given(st.integers(3, 20), st.integers(2, 3), st.integers(0, 10**6))
def test_insertion_puts_the_farthest_record_where_it_costs_least(n, d, seed):
    X = make("normal", n, d, seed)
    D = distances(X)
    tour = [int(np.argmax(np.linalg.norm(X - X.mean(axis=0), axis=1)))]
    while len(tour) < n:
        new = max((i for i in range(n) if i not in tour), key=lambda i: D[i, tour].min())
        extra = [D[a, new] + D[new, b] - D[a, b] for a, b in zip(tour, [*tour[1:], tour[0]], strict=True)]
        tour.insert(int(np.argmin(extra)) + 1, new)
    cycle = length(X, [*tour, tour[0]])
    found = insertion(X)
    edges = np.linalg.norm(np.diff(X[[*found, found[0]]], axis=0), axis=1)
    np.testing.assert_allclose(edges.sum(), cycle)
    assert edges[-1] == edges.max()  # opened at the longest edge


def test_insertion_along_one_column_is_the_sorted_order():
    X = make("normal", 20, 1, 1)
    np.testing.assert_array_equal(insertion(X), np.argsort(X[:, 0]))


@settings(max_examples=100)
@given(st.integers(2, 11), st.integers(1, 3), st.integers(0, 10**6))
def test_greedy_takes_the_shortest_useful_edge(n, d, seed):
    """With at most eleven records every edge is among those looked at, so it is Kruskal with degree two."""
    X = make("normal", n, d, seed)
    D = distances(X)
    paths = [[i] for i in range(n)]
    while len(paths) > 1:
        ends = [
            (D[a, b], p, q, a, b)
            for p in range(len(paths))
            for q in range(p)
            for a in (paths[p][0], paths[p][-1])
            for b in (paths[q][0], paths[q][-1])
        ]
        _, p, q, a, b = min(ends)
        first = paths[p] if paths[p][-1] == a else paths[p][::-1]
        second = paths[q] if paths[q][0] == b else paths[q][::-1]
        paths = [path for r, path in enumerate(paths) if r not in (p, q)] + [first + second]
    assert greedy(X).tolist() in (paths[0], paths[0][::-1])


def test_greedy_survives_thousands_of_equal_records():
    X = np.vstack([np.zeros((3000, 2)), np.ones((3000, 2))])
    assert length(X, greedy(X)) == pytest.approx(np.sqrt(2))


@settings(max_examples=200)
@given(small_files(most=40), st.integers(0, 10**6))
def test_shortening_keeps_all_records_and_never_lengthens(file, seed):
    X = unit(prepare(*file)[0])
    path = np.random.default_rng(seed).permutation(len(X))
    shorter = shortened(X, path)
    assert sorted(shorter.tolist()) == list(range(len(X)))
    assert shorter[0] == path[0]
    assert length(X, shorter) <= length(X, path) * (1 + 1e-12)


@settings(max_examples=60)
@given(st.integers(3, 11), st.integers(1, 3), st.integers(0, 10**6))
def test_no_stretch_is_left_to_turn(n, d, seed):
    """With at most eleven records every pair is near, so no 2-opt move helps any more."""
    X = make("normal", n, d, seed)
    path = shortened(X, np.random.default_rng(seed).permutation(n)).tolist()
    others = [path[:i] + path[i : j + 1][::-1] + path[j + 1 :] for i in range(1, n) for j in range(i, n)]
    assert length(X, path) <= min(length(X, other) for other in others) * (1 + 1e-9)


def test_a_stretch_moves_where_no_turn_helps():
    X = np.array(
        [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [4, 1], [3, 1], [2, 1], [1, 1], [0, 1]], dtype=float
    )
    for moved in ([3], [3, 4], [2, 3, 4]):
        rest = [i for i in range(10) if i not in moved]
        for piece in (moved, moved[::-1]):
            path = np.array(rest[:-1] + piece + rest[-1:])
            assert length(X, shortened(X, path)) == pytest.approx(9)
