"""Rows numbered exactly, and patterns of what is known."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import as_table
from shoal.masking.suppression.suppress_to_k import suppress_to_k
from shoal.masking.suppression.wildcards import number_rows, patterns_of
from shoal.measures.risk.k_anonymity import class_sizes

pytestmark = pytest.mark.filterwarnings("ignore:Every record looks like")
MEANINGS = ["category", "wildcard"]


@pytest.mark.slow
def test_more_columns_than_patterns():
    rng = np.random.default_rng(9)
    columns = {f"c{i}": rng.integers(0, 2, 60) for i in range(20)}
    table = as_table(columns, roles={"quasi": list(columns)})
    assert len(patterns_of(np.ones(20))) < 5000
    for gaps in MEANINGS:
        assert class_sizes(suppress_to_k(table, k=3, gaps=gaps), gaps=gaps).min() >= 3


def test_rows_are_numbered_exactly_beyond_64_bits():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 10**6, (50, 12))[rng.integers(0, 50, 400)]
    expected = np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1)
    assert np.array_equal(number_rows(codes)[:, None] == number_rows(codes), expected[:, None] == expected)
