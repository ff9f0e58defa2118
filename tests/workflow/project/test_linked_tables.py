"""Keys of linked tables."""

from __future__ import annotations

import numpy as np
import pytest

from frames import LIBRARIES, to_lists
from shoal import InvalidInput, as_table
from shoal.workflow.project import Join
from shoal.workflow.project.linked_tables import numbered_in_step, parent_rows, with_parent


@pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
def test_children_find_their_parents_and_take_their_columns(make):
    homes, persons = as_table(make({"id": [7, 8], "town": ["a", "b"]})), as_table(make({"home": [8.0, 7.0]}))
    rows = parent_rows(Join("persons", "home", "homes", "id"), persons, homes)
    assert rows.tolist() == [1, 0]
    assert to_lists(with_parent(persons, homes, rows, ["town"]).frame)["town"] == ["b", "a"]


def test_a_gap_in_a_key_is_refused_on_both_sides():
    join = Join("persons", "home", "homes", "id")
    whole, gap = as_table({"id": [1, 2], "home": [1, 2]}), as_table({"id": [1, None], "home": [None, 1]})
    with pytest.raises(InvalidInput, match="'id' of homes has a gap at row 1"):
        parent_rows(join, whole, gap)
    with pytest.raises(InvalidInput, match="'home' of persons has no partner in homes at row 0"):
        parent_rows(join, gap, whole)


def test_three_linked_tables_are_numbered_in_step():
    tables = {
        "homes": as_table({"id": ["x", "y"]}),
        "persons": as_table({"home": ["y", "x"], "id": ["p", "q"]}),
        "visits": as_table({"person": ["q", "q", "p"]}),
    }
    joins = [Join("persons", "home", "homes", "id"), Join("visits", "person", "persons", "id")]
    done = {
        name: to_lists(t.frame)
        for name, t in numbered_in_step(tables, joins, np.random.default_rng(1)).items()
    }
    assert done["persons"]["home"] == [done["homes"]["id"][1], done["homes"]["id"][0]]
    assert done["visits"]["person"] == [done["persons"]["id"][i] for i in (1, 1, 0)]
