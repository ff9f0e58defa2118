"""Entropy-based information loss against a slow, obvious version and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import InvalidInput, as_table
from shoal.measures import ebil

CATEGORICAL = files(kinds=("ordinal", "nominal"))


def known(original) -> bool:
    return any(v is not None for n in original.names() for v in slow.cells(original, n))


@pytest.mark.slow
@MANY
@given(pair=CATEGORICAL)
def test_ebil_agrees_with_the_slow_version(pair):
    assume(known(pair[0]))
    assert ebil(*pair) == pytest.approx(slow.ebil(*pair), abs=1e-9)


def test_ebil_takes_the_pram_matrix_by_bayes():
    before = as_table({"a": ["x", "x", "x", "y"]})
    matrix = np.array([[0.8, 0.2], [0.4, 0.6]])
    joint = np.array([3, 1])[:, None] * matrix
    p = joint / joint.sum(axis=0)
    entropy = -(p * np.log(p)).sum(axis=0) / np.log(2)
    expected = 100 * np.mean([entropy[0], entropy[0], entropy[1], entropy[1]])
    after = as_table({"a": ["x", "x", "y", "y"]})
    assert ebil(before, after, matrices={"a": matrix}) == pytest.approx(expected)
    assert ebil(before, after, matrices={"a": np.eye(2)}) == 0


@pytest.mark.parametrize("matrix", [np.eye(3), [[0.5, 0.6], [0, 1]], [[1.5, -0.5], [0, 1]]])
def test_ebil_refuses_a_matrix_that_is_none(matrix):
    table = as_table({"a": ["x", "y"]})
    with pytest.raises(InvalidInput, match="matrix"):
        ebil(table, table, matrices={"a": matrix})
