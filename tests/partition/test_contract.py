"""What every partitioner on the menu promises, on awkward inputs."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from shoal.errors import InvalidInput
from shoal.partition import PARTITIONERS, sizes

RNG = np.random.default_rng(0)
AWKWARD = {
    "gaussian": (RNG.normal(size=(23, 3)), 3),
    "n = k": (RNG.normal(size=(4, 2)), 4),
    "n = 2k-1": (RNG.normal(size=(7, 2)), 4),
    "n = 2k": (RNG.normal(size=(8, 2)), 4),
    "n = 3k-1": (RNG.normal(size=(8, 2)), 3),
    "one column": (RNG.normal(size=(17, 1)), 3),
    "all equal": (np.ones((11, 2)), 3),
    "duplicates": (RNG.integers(0, 2, size=(25, 2)).astype(float), 4),
    "constant column": (np.column_stack([RNG.normal(size=16), np.full(16, 7.0)]), 3),
    "large offset": (RNG.normal(size=(16, 2)) + 1e9, 3),
    "huge scale": (RNG.normal(size=(16, 2)) * 1e150, 3),
    "tiny scale": (RNG.normal(size=(16, 2)) * 1e-150, 3),
}


def call(partition, X, k):
    known = inspect.signature(partition).parameters
    options = {"rng": 0, "iterations": 20}  # a fixed seed, and an end that no clock decides
    return partition(X, k, **{name: options[name] for name in options if name in known})


def run(partition, X, k):
    from shoal.errors import NotApplicable

    try:
        return call(partition, X, k)
    except NotApplicable as reason:  # e.g. univariate on several columns
        return pytest.skip(str(reason))


@pytest.mark.parametrize("case", AWKWARD)
@pytest.mark.parametrize("partition", PARTITIONERS, ids=lambda f: f.__name__)
def test_groups_are_large_enough_and_dense(partition, case):
    X, k = AWKWARD[case]
    before = X.copy()
    labels = run(partition, X, k)
    assert labels.shape == (len(X),)
    assert np.issubdtype(labels.dtype, np.integer)
    assert set(labels.tolist()) == set(range(labels.max() + 1))
    assert sizes(labels).min() >= k
    assert sizes(labels).max() <= 2 * k - 1
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("partition", PARTITIONERS, ids=lambda f: f.__name__)
def test_same_call_same_labels(partition):
    X, k = AWKWARD["one column"]
    np.testing.assert_array_equal(run(partition, X, k), run(partition, X, k))


@pytest.mark.parametrize("partition", PARTITIONERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("k", [0, 1, -3, 18, 2.5, "3", None, True])
def test_a_wrong_k_is_one_sentence(partition, k):
    with pytest.raises(InvalidInput, match="`k` must be an integer from 2 to 17"):
        call(partition, AWKWARD["one column"][0], k)


@pytest.mark.parametrize("partition", PARTITIONERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        ([[1.0], [np.nan], [2.0]], "row 1, column 0"),
        ([[1.0], [np.inf], [2.0]], "row 1, column 0"),
        ([["a"], ["b"]], "matrix of numbers"),
        ([1.0, 2.0, 3.0], "two dimensions"),
        (np.empty((0, 2)), "no records"),
        (np.ones((1, 2)), "1 record"),
        (np.empty((4, 0)), "no columns"),
    ],
)
def test_a_wrong_matrix_is_one_sentence(partition, X, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        call(partition, X, 2)
