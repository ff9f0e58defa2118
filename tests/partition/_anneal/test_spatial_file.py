"""A file in spatial order: the same records, near ones that are near, and a unit that follows the spread."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from shoal.partition import relabel
from shoal.partition._anneal.spatial_file import spatial_file


@given(st.integers(0, 10_000), st.integers(4, 120), st.integers(1, 3))
def test_records_and_labels_come_back(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    file = spatial_file(X, 2, 3, around=8, read=8)
    np.testing.assert_array_equal(file.X, X[file.order])
    labels = relabel(rng.integers(0, 3, n))
    np.testing.assert_array_equal(file.in_file_order(labels[file.order]), labels)


@given(st.integers(0, 10_000), st.integers(5, 120))
def test_in_one_leaf_near_records_are_the_nearest(seed, n):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    file = spatial_file(X, 2, 3, around=8, read=8)
    distances = cdist(file.X, file.X)
    np.fill_diagonal(distances, np.inf)
    found = np.take_along_axis(distances, file.near.astype(int), axis=1)
    np.testing.assert_allclose(
        found, np.sort(distances, axis=1)[:, : file.near.shape[1]], rtol=1e-4, atol=1e-5
    )


def test_records_far_from_others_have_a_larger_unit():
    X = np.concatenate([np.random.default_rng(0).normal(size=(60, 2)), [[50.0, 50.0], [60.0, 60.0]]])
    file = spatial_file(X, 3, 5, around=8, read=8)
    outliers = np.isin(file.order, [60, 61])
    assert file.temperature_unit[outliers].min() > 5 * file.temperature_unit[~outliers].max()
