"""Frequencies expected, realised and estimated back."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shoal import as_table
from shoal.masking.pram.frequencies import pram_frequencies
from shoal.masking.pram.matrices import frequency_matrix, invariant_matrix, inverse_frequency_matrix
from shoal.masking.pram.pram import pram, transitions

BUILDERS = {
    "frequency": partial(frequency_matrix, p=0.6),
    "inverse": partial(inverse_frequency_matrix, theta=0.5),
    "invariant": partial(invariant_matrix, p=0.6),
}
TOWNS = np.random.default_rng(3).choice(["a", "b", "c", "d"], 40_000, p=[0.6, 0.25, 0.1, 0.05]).tolist()


def test_expected_realised_and_estimated_frequencies():
    table = as_table({"town": TOWNS}, roles={"quasi": ["town"]})
    matrices = BUILDERS["frequency"]
    masked = pram(table, matrices=matrices, rng=5)
    (found,) = pram_frequencies(table, masked, matrices=matrices)
    assert found.original.tolist() == [TOWNS.count(c) for c in "abcd"]
    assert found.realised.tolist() == [masked.frame["town"].to_list().count(c) for c in "abcd"]
    assert found.expected == pytest.approx(found.original @ transitions(table, matrices=matrices)[0].matrix)
    naive = np.abs(found.realised - found.original).max()
    assert np.abs(found.estimated - found.original).max() < naive / 10


@pytest.mark.slow
def test_the_estimate_is_unbiased():
    table = as_table({"x": ["a"] * 60 + ["b"] * 30 + ["c"] * 10}, roles={"quasi": ["x"]})
    matrices, rng = BUILDERS["frequency"], np.random.default_rng(8)
    estimates = np.array(
        [
            pram_frequencies(table, pram(table, matrices=matrices, rng=rng), matrices=matrices)[0].estimated
            for _ in range(400)
        ]
    )
    error = estimates.std(axis=0) / np.sqrt(len(estimates))
    assert (np.abs(estimates.mean(axis=0) - [60, 30, 10]) < 4 * error).all()
