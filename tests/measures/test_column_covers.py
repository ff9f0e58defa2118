"""What every record's released cell covers."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import as_table, microaggregate
from shoal.hierarchy import with_hierarchies
from shoal.masking import global_recode, mondrian, suppress_to_k, top_code
from shoal.measures import column_covers, unread_cells

TABLE = as_table(
    {"age": [20, 25, 40, 33], "town": ["a", "b", None, "d"]},
    roles={"quasi": ["age", "town"]},
)
TENS = {"age": {"widths": [10, 20]}}


def masked(**columns):
    return as_table(TABLE.assign(**columns))


@pytest.mark.parametrize(
    "cells", [["[20, 25]"] * 2 + ["[33, 40]"] * 2, ["< 30"] * 2 + ["30+"] * 2, ["*"] * 4]
)
def test_generalised_columns_hold_their_values(cells):
    column = column_covers(TABLE, masked(age=cells), "age")
    assert column.generalised
    assert not column.perturbed


def test_perturbed_columns_do_not():
    column = column_covers(TABLE, masked(age=[20.5, 25, 40, 33]), "age")
    assert not column.generalised
    assert column.perturbed
    assert column.holds.tolist() == [False, True, True, True]


def test_a_suppressed_cell_is_lost_a_missing_one_does_not_count():
    column = column_covers(TABLE, masked(town=["a", None, None, "d"]), "town")
    assert column.ncp[[0, 1, 3]].tolist() == [0, 1, 0]
    assert np.isnan(column.ncp[2])
    assert not column.perturbed


def test_cells_nobody_can_read_are_counted_and_taken_from_the_records():
    table = masked(age=["young", "young", "40", "33"])
    column = column_covers(TABLE, table, "age")
    assert column.unread == 2
    assert column.ncp.tolist() == [0.25, 0.25, 0, 0]
    assert "2 cells of column 'age'" in unread_cells(TABLE, table, ["age", "town"])[0]
    assert "young" not in unread_cells(TABLE, table, ["age"])[0]


@pytest.mark.parametrize(
    "masker",
    [
        lambda t: mondrian(t, k=2),
        lambda t: global_recode(t, cuts={"age": [30]}, merge={"town": {"coast": ["a", "b"]}}),
        lambda t: suppress_to_k(t, k=2),
        lambda t: mondrian(t, k=2, hierarchies=TENS),
        lambda t: global_recode(t, levels={"age": 1}, hierarchies=TENS),
        lambda t: microaggregate(t, k=2, centre="ancestor", hierarchies=TENS, columns=["age"]),
    ],
)
def test_what_maskers_release_can_be_read(masker):
    after = masker(TABLE)
    for name in ("age", "town"):
        column = column_covers(TABLE, after, name)
        assert not column.unread
        assert not column.perturbed


def test_merged_categories_are_known():
    after = global_recode(TABLE, merge={"town": {"coast": ["a", "b"]}})
    assert column_covers(TABLE, after, "town").ncp[0] == 0.5


def test_top_coding_is_a_perturbation():
    assert column_covers(TABLE, top_code(TABLE, threshold=30, columns=["age"]), "age").perturbed


def test_the_hierarchy_of_either_table_is_used():
    hierarchies = {"age": [["20", "x", "*"], ["25", "x", "*"], ["40", "y", "*"], ["33", "y", "*"]]}
    after = masked(age=["x", "x", "y", "y"])
    expected = [0.25, 0.25, 0.35, 0.35]
    for original, released in (
        (with_hierarchies(TABLE, hierarchies), after),
        (TABLE, global_recode(with_hierarchies(TABLE, hierarchies), levels={"age": 1})),
    ):
        assert column_covers(original, released, "age").ncp == pytest.approx(expected)
    assert column_covers(TABLE, after, "age").unread == 4
