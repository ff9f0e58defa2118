"""Every engine of MDAV forms the groups of a slow, obvious version, to the last tie."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal._kernels.mdav import mdav_scan, mdav_tree
from shoal._kernels.mdav.choose_engine import mdav_groups
from shoal._kernels.mdav.offset import remove_offset
from shoal.partition import mdav
from shoal.partition.labels import assign_to_nearest, relabel
from small_files import SORTS, make

module = sys.modules["shoal.partition.mdav"]
ENGINES = pytest.mark.parametrize("engine", ["plain", "tree", "scan", "any"])


def mdav_by(engine, X, k, leftovers="group"):
    """MDAV by one engine, whatever the file."""

    def pairs(X, k, stop, callback=None):
        if engine == "plain":
            return module._plain_pairs(X, k, stop, X.sum(axis=0))
        return mdav_groups(X, k, stop, X.sum(axis=0), engine)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_pairs", pairs)
        return mdav(X, k, leftovers=leftovers)


def oracle(X, k, leftovers="group"):
    """MDAV as the paper says, measuring everyone every time; the lowest row position wins a tie."""
    X = np.array(X, dtype=float)
    remove_offset(X)
    left, groups, total = list(range(len(X))), [], X.sum(axis=0)

    def squares(point):
        found = np.zeros(len(left))
        for j in range(X.shape[1]):
            found += (X[left, j] - point[j]) * (X[left, j] - point[j])
        return found

    def take_around(row):
        nonlocal total
        order = sorted(zip(squares(X[row]).tolist(), left, strict=True))
        groups.append(sorted(member for _, member in order[:k]))
        for member in groups[-1]:
            left.remove(member)
            total = total - X[member]

    while len(left) >= (3 if leftovers == "group" else 2) * k:
        r = left[int(np.argmax(squares(total / len(left))))]
        take_around(r)
        take_around(left[int(np.argmax(squares(X[r])))])
    if leftovers == "group" and len(left) >= 2 * k:
        take_around(left[int(np.argmax(squares(total / len(left))))])
    labels = np.full(len(X), -1)
    for number, rows in enumerate([*groups, left] if len(left) >= k else groups):
        labels[rows] = number
    return relabel(assign_to_nearest(X, labels) if (labels < 0).any() else labels)


def awkward(sort, n, d, seed):
    """The small files of all partitioners, and some that are hard for a tree."""
    rng = np.random.default_rng(seed)
    if sort == "binary":
        return rng.integers(0, 2, size=(n, d)).astype(float)
    if sort == "sphere":
        X = rng.normal(size=(n, d))
        return X / np.linalg.norm(X, axis=1)[:, None]
    if sort == "all scales":
        return rng.normal(size=(n, d)) * 10.0 ** rng.integers(-170, 1, size=(n, 1))
    return make(sort, n, d, seed)


FILES = st.tuples(
    st.sampled_from([*SORTS, "binary", "sphere", "all scales"]),
    st.integers(2, 300),
    st.integers(1, 13),
    st.integers(0, 10**6),
)


@ENGINES
@settings(max_examples=150)
@given(FILES, st.integers(2, 40), st.sampled_from(["group", "nearest"]))
def test_random_small_files(engine, file, k, leftovers):
    X = awkward(*file)
    k = min(k, len(X))
    np.testing.assert_array_equal(mdav_by(engine, X, k, leftovers), oracle(X, k, leftovers))


@ENGINES
@pytest.mark.parametrize("leftovers", ["group", "nearest"])
def test_any_number_left_over(engine, leftovers):
    X = np.random.default_rng(1).integers(0, 5, size=(40, 2)).astype(float)
    for k in (2, 3, 5):
        for n in range(k, 7 * k):
            found = mdav_by(engine, X[:n], k, leftovers)
            np.testing.assert_array_equal(found, oracle(X[:n], k, leftovers))


@pytest.mark.parametrize("engine", ["tree", "scan", "any"])
@pytest.mark.parametrize("sort", ["normal", "ties", "duplicates", "clusters", "sphere", "all scales"])
@pytest.mark.parametrize("d", [1, 10])
def test_files_of_many_leaves(engine, sort, d):
    X = awkward(sort, 9000, d, 3)  # three branches at first, and several trees one after the other
    np.testing.assert_array_equal(mdav_by(engine, X, 150), mdav_by("plain", X, 150))


@pytest.mark.parametrize("sort", ["normal", "ties"])
def test_giving_up_the_tree_changes_nothing(sort, monkeypatch):
    X = make(sort, 2000, 4, 0)
    monkeypatch.setattr(mdav_tree, "OUT_OF_ORDER", 1e9)
    np.testing.assert_array_equal(mdav_by("any", X, 5), mdav_by("plain", X, 5))


@pytest.mark.parametrize("sort", ["normal", "ties", "constant"])
def test_threads_change_nothing(sort, monkeypatch):
    X = make(sort, 2000, 4, 0)
    monkeypatch.setattr(mdav_scan, "useful_threads", lambda numbers: 3)
    np.testing.assert_array_equal(mdav_by("scan", X, 5), mdav_by("plain", X, 5))


def test_two_at_once():
    files = [make("normal", 3000, 3, seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda X: mdav(X, 4), files))
    for X, labels in zip(files, found, strict=True):
        np.testing.assert_array_equal(labels, mdav_by("plain", X, 4))


@pytest.mark.parametrize("n", [50, 1500])
def test_the_choice_of_engine_changes_nothing(n):
    X = make("ties", n, 3, 0)
    np.testing.assert_array_equal(mdav(X, 3), mdav_by("plain", X, 3))


@ENGINES
def test_ties_go_by_row_position(engine):
    np.testing.assert_array_equal(mdav_by(engine, np.zeros((10, 2)), 3), [0, 0, 0, 1, 1, 1, 2, 2, 2, 2])
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 6, dtype=float)
    np.testing.assert_array_equal(mdav_by(engine, corners, 6), np.tile([0, 1, 2, 3], 6))


def test_the_file_is_not_touched():
    X = np.random.default_rng(0).normal(size=(1500, 3)) + 1e9
    before = X.copy()
    mdav(X, 3)
    np.testing.assert_array_equal(X, before)


@ENGINES
def test_an_offset_of_whole_numbers_changes_nothing(engine):
    X = np.random.default_rng(0).integers(0, 1000, size=(500, 3)).astype(float)
    for offset in (2.0**30, -1e9, 123456789.0):
        np.testing.assert_array_equal(mdav_by(engine, X + offset, 4), mdav_by(engine, X, 4))


def test_small_files_go_without_compiled_code(monkeypatch):
    """Nothing is loaded for the first small files, and nothing is compiled for those that take a second."""
    monkeypatch.setattr(module, "_by_numpy", 0)
    monkeypatch.delitem(sys.modules, "shoal._kernels.mdav.choose_engine", raising=False)
    monkeypatch.setattr("shoal._kernels.jit.is_cached", lambda kernel: False)
    assert [module._compiled(module.NUMPY_WORK // 2) for _ in range(4)] == [False] * 4
    assert module._compiled(module.COMPILING * module.NUMPY_WORK)
    monkeypatch.setattr("shoal._kernels.jit.is_cached", lambda kernel: True)
    monkeypatch.setattr(module, "_by_numpy", module.NUMPY_WORK)
    assert module._compiled(1)
