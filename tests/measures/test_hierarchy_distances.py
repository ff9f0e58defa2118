"""How far a category has been generalised, seen through the loss that counts it."""

from __future__ import annotations

import pytest

from shoal import as_table
from shoal.hierarchy import hierarchy_from_rows, with_hierarchies
from shoal.measures import dbil


def test_a_hierarchy_measures_how_far_categories_generalise():
    towns = hierarchy_from_rows([["Nice", "Gaul", "*"], ["Lyon", "Gaul", "*"], ["Rome", "Italy", "*"]])
    before = with_hierarchies(as_table({"town": ["Nice", "Lyon", "Rome", None]}), {"town": towns})
    assert dbil(before, before.assign(town=["Gaul", "Gaul", "Rome", None])) == pytest.approx(100 / 3)
    assert dbil(before, before.assign(town=["*", "Nice", "Gaul", None])) == pytest.approx(100 * 2.5 / 3)
    assert dbil(before, before.assign(town=["Atlantis", "Lyon", "Rome", None])) == pytest.approx(100 / 3)


def test_numbers_that_became_labels_of_their_hierarchy_count():
    ages = hierarchy_from_rows([["21", "20s", "*"], ["25", "20s", "*"], ["38", "30s", "*"]])
    before = with_hierarchies(as_table({"age": [21, 25, 38]}), {"age": ages})
    assert dbil(before, before.assign(age=["20s", "20s", "*"])) == pytest.approx(100 * 2 / 3)
    assert dbil(before, before.assign(age=["young", "young", "old"])) == 100, "nobody can read them"
