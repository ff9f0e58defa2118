"""Levels, common ancestors and distances in a hierarchy against slow, obvious versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hierarchy.trees import PLACES, random_rows
from shoal import InvalidInput
from shoal.hierarchy import (
    Hierarchy,
    common_ancestor,
    generalise,
    hierarchy_from_rows,
    level_of,
    semantic_distance,
)
from shoal.hierarchy.tree import common_ancestors, nodes_of


def oracle_ancestor(rows, values):
    paths = {row[0]: row for row in rows}
    for level in range(len(rows[0])):
        labels = {paths[value][level] for value in values}
        if len(labels) == 1:
            return level, labels.pop()
    raise AssertionError


@pytest.mark.slow
@settings(max_examples=200)
@given(random_rows(), st.data())
def test_common_ancestor_level_and_distance_agree_with_the_oracle(rows, data):
    hierarchy = hierarchy_from_rows(rows)
    leaves = [row[0] for row in rows]
    values = data.draw(st.lists(st.sampled_from(leaves), min_size=1, max_size=5))
    level, label = oracle_ancestor(rows, values)
    assert common_ancestor(hierarchy, values) == label
    assert level_of(hierarchy, label) == level
    a, b, c = (data.draw(st.sampled_from(leaves)) for _ in range(3))
    assert semantic_distance(hierarchy, a, b) == oracle_ancestor(rows, [a, b])[0] / (len(rows[0]) - 1)
    assert semantic_distance(hierarchy, a, b) <= max(
        semantic_distance(hierarchy, a, c), semantic_distance(hierarchy, c, b)
    ), "an ultrametric"


@settings(max_examples=100)
@given(random_rows(), st.data())
def test_ancestors_of_groups_agree_with_one_by_one(rows, data):
    hierarchy = hierarchy_from_rows(rows)
    values = data.draw(st.lists(st.sampled_from([row[0] for row in rows]), min_size=1, max_size=12))
    labels = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values))))
    found = common_ancestors(hierarchy, nodes_of(hierarchy, values), labels)
    for group in range(labels.max() + 1):
        inside = [value for value, label in zip(values, labels, strict=True) if label == group]
        expected = oracle_ancestor(rows, inside)[1] if inside else None
        assert (hierarchy.labels[found[group]] if found[group] >= 0 else None) == expected


def test_generalising_and_inner_labels():
    assert generalise(PLACES, ["Lima", None, "Lyon", "Italy"], 1) == ["Peru", None, "France", "Italy"]
    assert generalise(PLACES, ["Italy"], 2) == ["Europe"]
    assert generalise(PLACES, ["Europe"], 1) == ["Europe"], "a label above the level stays"
    assert common_ancestor(PLACES, ["Paris", "France"]) == "France"
    assert semantic_distance(PLACES, "Paris", "France") == pytest.approx(1 / 3)
    assert semantic_distance(PLACES, "Europe", "Europe") == 0


def test_values_are_compared_as_text():
    ages = hierarchy_from_rows([["39", "30s", "*"], ["40", "40s", "*"]])
    assert generalise(ages, [39, 40.0, np.float64(39), np.int64(40)], 1) == ["30s", "40s", "30s", "40s"]


def test_a_label_may_stay_on_the_next_level():
    hierarchy = hierarchy_from_rows([["Other", "Other", "*"], ["odd", "Other", "*"], ["fox", "animal", "*"]])
    assert common_ancestor(hierarchy, ["Other", "odd"]) == "Other"
    assert semantic_distance(hierarchy, "Other", "odd") == 0.5


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Hierarchy((("a", "*"), ("a", "*"))), "a value twice"),
        (lambda: generalise(PLACES, ["Paris", "Oslo"], 1), "does not name the value at position 1"),
        (lambda: generalise(PLACES, ["Paris"], 4), "`level` must be a number from 0 to 3"),
        (lambda: generalise(PLACES, ["Paris"], 1.5), "whole number"),
        (lambda: common_ancestor(PLACES, []), "at least one value"),
        (lambda: level_of(PLACES, "Oslo"), "does not name"),
    ],
)
def test_mistakes_are_one_sentence_without_a_value(make, sentence):
    with pytest.raises(InvalidInput, match=sentence) as caught:
        make()
    assert "Oslo" not in str(caught.value)
