"""What every column lost, whatever its role."""

from __future__ import annotations

import pytest

from shoal import as_table
from shoal.measures import column_losses, dbil, sse_loss
from shoal.measures.description.column_losses import loss_by_role

TABLE = as_table(
    {
        "name": ["a", "b", "c", "d"],
        "age": [20.0, 30.0, 40.0, 60.0],
        "town": ["x", "x", "y", None],
        "pay": [1.0, 2.0, 3.0, 4.0],
        "same": [7.0, 7.0, 7.0, 7.0],
    },
    roles={"identifier": "name", "quasi": ["age", "town"], "confidential": "pay"},
)


def losses(**columns):
    return {column.name: column for column in column_losses(TABLE, TABLE.assign(**columns))}


def test_identifiers_are_left_out_and_the_rest_is_in_the_order_of_the_file():
    assert list(losses()) == ["age", "town", "pay", "same"]
    assert {column.how for column in losses().values()} == {"unchanged"}


def test_other_values_count_by_distance():
    found = losses(age=[25.0, 25.0, 50.0, 50.0], town=["y", "x", "y", None])
    masked = TABLE.assign(age=[25.0, 25.0, 50.0, 50.0], town=["y", "x", "y", None])
    assert found["age"].how == "other values"
    assert found["age"].loss == pytest.approx(sse_loss(TABLE, masked, columns=["age"]))
    assert found["town"].loss == pytest.approx(dbil(TABLE, masked, columns=["town"]))
    assert found["town"].changed == pytest.approx(100 / 3)


def test_confidential_columns_count_too():
    found = losses(pay=[2.5, 2.5, 2.5, 2.5])
    assert found["pay"].loss == pytest.approx(100)
    assert loss_by_role(found.values())["confidential"] == pytest.approx(100)
    assert loss_by_role(found.values())["quasi"] == 0


def test_suppressed_and_coarser_cells():
    found = losses(age=["20-30", "20-30", None, "60"], town=["x", None, "y", None])
    assert (found["age"].how, found["town"].how) == ("coarser", "suppressed")
    assert found["age"].loss == pytest.approx(100 * (11 / 40 * 0 + 10 / 40 * 2 + 1) / 4)
    assert found["town"].suppressed == pytest.approx(100 / 3)
    assert found["age"].suppressed == 25
    assert found["age"].changed == 50


def test_a_changed_constant_lost_what_was_touched():
    assert losses(same=[7.0, 7.0, 8.0, 8.0])["same"].loss == 50


def test_a_number_written_as_text_did_not_change():
    assert losses(age=["20", "30", "40", "60"])["age"].how == "unchanged"


def test_a_label_that_nobody_explained_is_coarser_not_unchanged():
    (column,) = column_losses(TABLE, TABLE.assign(town=["here", "here", "y", None]), columns=["town"])
    assert (column.how, round(column.changed, 1)) == ("coarser", 66.7)
