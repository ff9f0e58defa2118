"""Facts about record swapping, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import InvalidInput, as_table
from shoal.measures import swap_facts


def test_shares_and_tables_are_those_counted_by_hand():
    columns = {"town": ["a", "a", "b", "b", None], "job": ["x", "y", "x", "x", "y"]}
    before = as_table(columns, roles={"quasi": ["town", "job"]})
    facts = swap_facts(before, before.assign(town=["b", "a", "a", "b", None]), areas="town")
    assert facts.moved == {"town": 40.0}
    assert facts.areas == {"town": [(None, 1, 1), ("a", 2, 2), ("b", 2, 2)]}
    assert facts.changed_cells == {"town": {"job": 0.0}}
    facts = swap_facts(before, before.assign(town=["a", "b", "a", "b", None]), areas="town")
    assert facts.changed_cells == {"town": {"job": 40.0}}
    assert "40.0 % of the records moved to another town." in str(facts)


@pytest.mark.parametrize("seed", range(20))
def test_nothing_swapped_is_nothing_moved(seed):
    rng = np.random.default_rng(seed)
    columns = {"town": rng.choice(["a", "b", None], 30).tolist(), "job": rng.integers(0, 4, 30)}
    table = as_table(columns, roles={"quasi": ["town", "job"]})
    facts = swap_facts(table, table, areas="town")
    assert facts.moved == {"town": 0.0}
    assert facts.changed_cells["town"]["job"] == 0.0
    assert sum(row[1] for row in facts.areas["town"]) == 30


def test_files_of_other_lengths_are_refused():
    table = as_table({"town": ["a", "b"]})
    with pytest.raises(InvalidInput, match="2 and 1 records"):
        swap_facts(table, table.take(np.array([0])), areas="town")
