"""Singling out: the rarest records of an unprotected file are persons, those of classes are not."""

from __future__ import annotations

import pytest

from measures.attack.releases import coded, persons, scene
from shoal import NotApplicable, microaggregate, mondrian
from shoal.measures.attack.singling_out import singling_out


def test_an_unprotected_file_is_caught():
    found = singling_out(scene(persons(spread=400), persons(spread=400)))
    assert found.found
    assert found.success == 1
    assert len(found.records) == 10


def test_classes_are_not():
    table = persons()
    found = singling_out(scene(table, mondrian(table, k=5)))
    assert found.success == 0
    assert not found.found
    assert not singling_out(scene(coded(values=2), coded(values=2))).found


def test_the_statements_hold_for_one_person_only():
    table = persons(n=60)
    columns = [table.column(name) for name in "abc"]
    for row in singling_out(scene(table, table)).records:
        assert sum(all(c[i] == c[row] for c in columns) for i in range(60)) == 1


def test_it_needs_a_column_that_covers():
    with pytest.raises(NotApplicable, match="perturbed"):
        singling_out(scene(persons(), microaggregate(persons(), k=5)))
