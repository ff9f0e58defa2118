"""l-diversity and t-closeness against slow, obvious versions and the papers' examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import oracles_measures as slow
from measures.files import MANY, files
from shoal import InvalidInput, NotApplicable, as_table
from shoal.measures import (
    class_closeness,
    class_diversity,
    closeness,
    diversity_level,
    l_diversity,
    t_closeness,
)

ROLES = {"quasi": ["zip", "age"], "confidential": ["salary", "disease"]}
# Li, Li, Venkatasubramanian (2007), table 3: nine patients, three classes
PATIENTS = {
    "zip": ["476**"] * 3 + ["4790*"] * 3 + ["476**"] * 3,
    "age": ["2*"] * 3 + [">=40"] * 3 + ["3*"] * 3,
    "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10],
    "disease": [
        *("gastric ulcer", "gastritis", "stomach cancer"),
        *("gastritis", "flu", "bronchitis"),
        *("bronchitis", "pneumonia", "stomach cancer"),
    ],
}


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
    table = as_table(PATIENTS, roles=ROLES)
    found = class_closeness(table, confidential="salary", distance="ordered")
    assert sorted(found.round(3).tolist()) == [0.167, 0.236, 0.375]


def test_ordered_is_the_default_for_numbers_and_equal_for_names():
    table = as_table(PATIENTS, roles=ROLES)
    assert closeness(table, confidential="salary") == pytest.approx(0.375)
    assert closeness(table, confidential="disease") == closeness(
        table, confidential="disease", distance="equal"
    )


def test_the_worst_column_and_class_count():
    table = as_table(PATIENTS | {"disease": ["flu"] * 3 + PATIENTS["disease"][3:]}, roles=ROLES)
    assert class_diversity(table).tolist() == [1, 3, 3]
    assert diversity_level(table) == 1
    assert diversity_level(table, confidential="salary") == 3


def test_recursive_diversity_by_hand():
    """Counts 3, 2, 1: 3 < c (2 + 1) needs c > 1, 3 < c * 1 needs c > 3."""
    table = as_table({"a": ["x"] * 6, "b": list("pppqqr")}, roles={"quasi": "a", "confidential": "b"})
    levels = [diversity_level(table, kind="recursive", c=c) for c in (1, 1.1, 3, 3.1)]
    assert levels == [1, 2, 2, 3]


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


def test_nothing_confidential_is_said():
    table = as_table({"a": ["x", "y"], "b": [1, 2]}, roles={"quasi": "a"})
    for measure in (l_diversity, t_closeness):
        with pytest.raises(NotApplicable, match="confidential"):
            measure(table, table)
    for level in (diversity_level, closeness):
        with pytest.raises(InvalidInput, match="confidential"):
            level(table)
    hidden = as_table({"b": [1, 2]}, roles={"confidential": "b"})
    with pytest.raises(NotApplicable, match="intruder knows none"):
        l_diversity(hidden, hidden)
