from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.partition._shared.nearest import nearest_records
from small_files import small_files, unit


@pytest.mark.slow
@settings(max_examples=200)
@given(small_files(), st.integers(1, 29))
def test_they_are_the_nearest_and_never_the_record_itself(file, count):
    X = unit(file[0])
    count = min(count, len(X) - 1)
    near = nearest_records(X, count)
    D = np.linalg.norm(X[:, None] - X, axis=2)
    np.fill_diagonal(D, np.inf)
    assert near.shape == (len(X), count)
    for i, row in enumerate(near):
        assert i not in row
        assert len(set(row.tolist())) == count
        np.testing.assert_allclose(D[i, row], np.sort(D[i])[:count], rtol=1e-9, atol=1e-12)
