"""What the partitioners promise, on hundreds of random small files."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.partition import hac, kmeans, md, mf_tsp, mst, path, projection, sizes, tfrp, univariate, v_mdav
from shoal.partition._tour.tour_orders import TOURS
from shoal.partition.hac import LINKAGES, VARIANTS
from small_files import make, small_files

METHODS = {
    "v_mdav": v_mdav,
    "v_mdav 1.1": partial(v_mdav, gamma=1.1),
    "v_mdav auto": partial(v_mdav, gamma="auto"),
    "md": md,
    "mst": mst,
    "tfrp": tfrp,
    "tfrp 1": partial(tfrp, stages=1),
    "kmeans": kmeans,
    "kmeans few": partial(kmeans, start=partial(mst, split=False), neighbours=1),
    "mf_tsp": mf_tsp,
    "mf_tsp window": partial(mf_tsp, window=1),
    "mf_tsp variable": partial(mf_tsp, variable=True),
    "projection": projection,
    "projection sum": partial(projection, axis="zscores"),
    **{f"path {tour.__name__}": partial(path, tour=tour) for tour in TOURS},
    **{f"path {tour.__name__} as is": partial(path, tour=tour, improve=False) for tour in TOURS},
    **{f"hac {link} {v}": partial(hac, linkage=link, variant=v) for link in LINKAGES for v in VARIANTS},
}

EXCHANGES = [method for name, method in METHODS.items() if name.startswith("kmeans")]
FROM_EVERY_RECORD = [method for name, method in METHODS.items() if name.startswith("mf_tsp")]


def promise(labels, k):
    assert set(labels.tolist()) == set(range(labels.max() + 1))
    assert list(dict.fromkeys(labels.tolist())) == list(range(labels.max() + 1))
    assert k <= sizes(labels).min()
    assert sizes(labels).max() <= 2 * k - 1


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@settings(max_examples=40)
@given(small_files())
def test_sizes_names_and_an_unchanged_input(method, file):
    X, k = file
    before = X.copy()
    promise(method(X, k), k)
    np.testing.assert_array_equal(X, before)


@settings(max_examples=200)
@given(small_files(columns=1))
def test_univariate(file):
    X, k = file
    promise(univariate(X[:, :1], k), k)


@settings(max_examples=100)
@given(small_files())
def test_mst_without_splitting_only_promises_k(file):
    X, k = file
    assert sizes(mst(X, k, split=False)).min() >= k


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@settings(max_examples=20)
@given(st.integers(5, 30), st.integers(1, 3), st.integers(2, 4), st.integers(0, 10**6))
def test_row_order_does_not_matter_without_ties(method, n, d, k, seed):
    # along a line the paths of mf_tsp can pass a record on the way out or on the way back: always a tie
    X = make("normal", n, d + 1 if method in FROM_EVERY_RECORD else d, seed)
    # of two groups of two, either pair can trade places with the same outcome: always a tie
    k = max(k, 3) if method in EXCHANGES else k
    order = np.random.default_rng(seed).permutation(n)
    labels, shuffled = method(X, k), method(X[order], k)
    np.testing.assert_array_equal(labels[order][:, None] == labels[order], shuffled[:, None] == shuffled)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize("change", [lambda X: X * 2.0**400, lambda X: X * 2.0**-400, lambda X: X + 1024.0])
def test_scale_and_offset_do_not_matter(method, change):
    X = np.round(make("normal", 40, 2, 7) * 2**20) / 2**20  # so that the shift loses no digit
    np.testing.assert_array_equal(method(X, 3), method(change(X), 3))
