"""Equally full intervals: as many records in each, ties and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.errors import InvalidInput
from shoal.hierarchy import hierarchy_from_quantiles, level_counts


def test_intervals_hold_as_many_records():
    values = [*np.random.default_rng(0).permutation(160).astype(float).tolist(), None, float("nan")]
    levels = level_counts(hierarchy_from_quantiles(values, [16, 4]), values)
    assert [(len(one.labels), set(one.records)) for one in levels[1:]] == [(16, {10}), (4, {40}), (1, {160})]


def test_ties_make_fewer_intervals():
    levels = level_counts(hierarchy_from_quantiles([1] * 6 + [2] * 6, [4]), [1] * 6 + [2] * 6)
    assert levels[1].records == (6, 6)


@pytest.mark.parametrize("counts", [[], [1], [6, 4], [4, 4], [8, 16]])
def test_counts_that_do_not_nest(counts):
    with pytest.raises(InvalidInput):
        hierarchy_from_quantiles([1, 2, 3, 4], counts)


@pytest.mark.parametrize("values", [[], [None], ["a", "b"], [1, 1, 1]])
def test_columns_without_quantiles(values):
    with pytest.raises(InvalidInput):
        hierarchy_from_quantiles(values, [2])
