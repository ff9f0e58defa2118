from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import InvalidInput
from shoal.partition._shared.prepare import prepare
from small_files import small_files


@given(small_files())
def test_records_are_centred_and_of_usual_size(file):
    X, k = prepare(*file)
    assert k == file[1]
    assert np.abs(X).max() <= 2
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)


@given(st.integers(-900, 900))
def test_a_power_of_two_changes_no_digit(power):
    X = np.random.default_rng(1).normal(size=(9, 2))
    np.testing.assert_array_equal(prepare(np.ldexp(X, power), 2)[0], prepare(X, 2)[0])


def test_the_largest_numbers_do_not_overflow():
    X, _ = prepare([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], 2)
    np.testing.assert_array_equal(np.sign(X), [[1, -1], [-1, 1]])


def test_it_is_the_door():
    with pytest.raises(InvalidInput, match="`k` must be an integer from 2 to 3"):
        prepare(np.ones((3, 1)), 4)
    with pytest.raises(InvalidInput, match="row 1, column 0"):
        prepare([[1.0], [np.nan]], 2)
