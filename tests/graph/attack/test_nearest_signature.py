from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.graph.attack.nearest_signature import nearest_hits


def slowly(X, Y):
    hits = 0.0
    for i, x in enumerate(X):
        gaps = np.sqrt(((Y - x) ** 2).sum(axis=1))
        if gaps[i] <= gaps.min() + 1e-9:
            hits += 1 / (gaps <= gaps.min() + 1e-9).sum()
    return 100 * hits / len(X)


@settings(max_examples=60)
@given(st.integers(2, 25), st.integers(1, 3), st.integers(1, 5), st.integers(0, 9999))
def test_hits_by_definition(n, width, values, seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.integers(0, values, (2, n, width)).astype(float)
    assert nearest_hits(X, Y) == pytest.approx(slowly(X, Y))
    assert nearest_hits(X, X) == pytest.approx(100 * len(np.unique(X, axis=0)) / n)
