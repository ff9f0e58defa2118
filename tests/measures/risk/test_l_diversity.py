"""l-diversity against a slow, obvious version and by hand."""

from __future__ import annotations

import pytest
from hypothesis import given

import oracles_measures as slow
from measures.files import MANY, PATIENT_ROLES, PATIENTS, files
from shoal import as_table
from shoal.measures import (
    class_diversity,
    diversity_level,
    l_diversity,
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "c"), [("distinct", 1), ("entropy", 1), ("recursive", 1), ("recursive", 2.5)]
)
@MANY
@given(pair=files(most=14, columns=2, confidential=True))
def test_diversity_agrees_with_the_slow_version(kind, c, pair):
    original, masked = pair
    keys = masked.names(role="quasi")
    expected = slow.diversity(masked, keys, ["secret"], kind, c)
    assert diversity_level(masked, kind=kind, c=c) == pytest.approx(expected)
    assert l_diversity(original, masked, kind=kind, c=c) == pytest.approx(100 / expected)


def test_the_worst_column_and_class_count():
    table = as_table(PATIENTS | {"disease": ["flu"] * 3 + PATIENTS["disease"][3:]}, roles=PATIENT_ROLES)
    assert class_diversity(table).tolist() == [1, 3, 3]
    assert diversity_level(table) == 1
    assert diversity_level(table, confidential="salary") == 3


def test_recursive_diversity_by_hand():
    """Counts 3, 2, 1: 3 < c (2 + 1) needs c > 1, 3 < c * 1 needs c > 3."""
    table = as_table({"a": ["x"] * 6, "b": list("pppqqr")}, roles={"quasi": "a", "confidential": "b"})
    levels = [diversity_level(table, kind="recursive", c=c) for c in (1, 1.1, 3, 3.1)]
    assert levels == [1, 2, 2, 3]
