"""Random small files of every awkward sort, for property tests of partitioners."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

SORTS = ("normal", "ties", "duplicates", "constant", "offset", "heavy", "clusters")


def make(sort: str, n: int, d: int, seed: int) -> np.ndarray:
    """n records by d columns: without ties ("normal"), or with what its name says."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if sort == "ties":
        return rng.integers(0, 4, size=(n, d)).astype(float)
    if sort == "duplicates":
        return X[rng.integers(0, max(1, n // 4), size=n)]
    if sort == "constant":
        return np.column_stack([X[:, 1:], np.full(n, 3.0)])
    if sort == "offset":
        return X + 1e9
    if sort == "heavy":
        return np.exp(5 * X) * 10.0 ** rng.integers(-100, 100)
    if sort == "clusters":
        return X / 100 + rng.integers(0, 3, size=(n, 1)) * 10
    return X


def unit(X: np.ndarray) -> np.ndarray:
    """The same records with values up to 1, so that squares can be compared."""
    return X / max(np.abs(X).max(), 1e-300)


@st.composite
def small_files(draw, sorts=SORTS, most=30, columns=3):
    """A matrix and a k that fits."""
    n, d = draw(st.integers(2, most)), draw(st.integers(1, columns))
    X = make(draw(st.sampled_from(sorts)), n, d, draw(st.integers(0, 10**6)))
    return X, draw(st.one_of(st.integers(2, n), st.integers(2, min(n, 4))))
