"""t-closeness against a slow, obvious version and the paper's example."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import oracles_measures as slow
from measures.files import MANY, PATIENT_ROLES, PATIENTS, files
from shoal import as_table
from shoal.measures import (
    class_closeness,
    closeness,
    t_closeness,
)


@pytest.mark.slow
@pytest.mark.parametrize("distance", ["equal", "ordered"])
@MANY
@given(pair=files(most=14, columns=2, confidential=True))
def test_closeness_agrees_with_the_slow_version(distance, pair):
    original, masked = pair
    expected = slow.closeness(masked, masked.names(role="quasi"), ["secret"], distance)
    assert closeness(masked, distance=distance) == pytest.approx(expected, abs=1e-12)
    assert t_closeness(original, masked, distance=distance) == pytest.approx(100 * expected, abs=1e-9)


def test_distances_of_the_paper():
    """D[{3k,4k,5k}, Q] = 0.375 and D[{6k,8k,11k}, Q] = 0.167, page 110 of the paper."""
    table = as_table(PATIENTS, roles=PATIENT_ROLES)
    found = class_closeness(table, confidential="salary", distance="ordered")
    assert sorted(found.round(3).tolist()) == [0.167, 0.236, 0.375]


def test_ordered_is_the_default_for_numbers_and_equal_for_names():
    table = as_table(PATIENTS, roles=PATIENT_ROLES)
    assert closeness(table, confidential="salary") == pytest.approx(0.375)
    assert closeness(table, confidential="disease") == closeness(
        table, confidential="disease", distance="equal"
    )


def test_a_long_ordered_column_costs_no_table_of_classes_by_values():
    rng = np.random.default_rng(0)
    n = 30_000
    table = as_table(
        {"a": rng.permutation(np.arange(n) // 3), "b": rng.normal(size=n)},
        roles={"quasi": "a", "confidential": "b"},
    )
    found = class_closeness(table)
    rows = np.flatnonzero(table.column("a") == 7)
    ranks = np.argsort(np.argsort(table.column("b")))[rows]
    P = (ranks[:, None] <= np.arange(n)).mean(axis=0)
    assert found[7] == pytest.approx(np.abs(P - np.arange(1, n + 1) / n).sum() / (n - 1))
