"""The robust covariance: that of the bulk, whatever a third of the records does; refused where none is."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import NotApplicable
from shoal.encode.robust_covariance import robust_covariance, squared_distances


@pytest.mark.parametrize("seed", range(5))
def test_the_bulk_is_found_though_a_third_lies_elsewhere(seed):
    rng = np.random.default_rng(seed)
    C = np.array([[4.0, 1.5, 0.0], [1.5, 1.0, 0.2], [0.0, 0.2, 9.0]])
    bulk = rng.multivariate_normal([5, -1, 0], C, 2000)
    X = np.vstack([bulk, rng.normal(40, 1, (900, 3))])[rng.permutation(2900)]
    centre, covariance = robust_covariance(X)
    assert np.abs(centre - [5, -1, 0]).max() < 0.3
    assert np.abs(covariance - C).max() < 0.15 * 9
    assert (squared_distances(X, centre, covariance) > 20).sum() >= 900


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.column_stack([np.zeros(50), np.arange(50.0)]), "lie in a line or plane"),
        (np.column_stack([np.arange(50.0), 2 * np.arange(50.0)]), "lie in a line or plane"),
        (
            np.column_stack([np.r_[np.zeros(40), np.arange(10.0)], np.arange(50.0) ** 2]),
            "lie in a line or plane",
        ),
        (np.ones((3, 2)), "needs 6 records without gaps, got 3"),
    ],
)
def test_no_bulk_is_one_sentence(X, sentence):
    with pytest.raises(NotApplicable, match=sentence):
        robust_covariance(X)
