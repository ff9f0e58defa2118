from __future__ import annotations

import polars as pl
import pytest

from shoal import Promise, as_table, check
from shoal.workflow.as_written import as_written

CELLS = pl.DataFrame({"age": ["1", "1.0", None, "NA"], "ill": ["a", "b", "c", "d"]})


@pytest.fixture
def people():
    frame = pl.DataFrame({"age": [1.0, 1.0, None, None], "ill": [1, 1, 2, 2]})
    return as_table(frame, roles={"quasi": "age", "confidential": "ill"})


def test_keys_are_texts_and_nothing_else_changes(people):
    seen = as_written(people, CELLS)
    assert seen.frame["age"].to_list() == ["1", "1.0", None, "NA"]
    assert seen.frame["ill"].to_list() == [1, 1, 2, 2]
    assert check(people, Promise(k=2)).kept
    assert check(seen, Promise(k=2)).reached == {"k": 1}


def test_gaps_as_wildcards_are_what_was_read_as_missing(people):
    assert as_written(people, CELLS, gaps="wildcard").frame["age"].to_list() == ["1", "1.0", None, None]


def test_without_texts_of_the_same_records_values_are_counted(people):
    assert as_written(people, None) is people
    assert as_written(people, CELLS.head(3)) is people


def test_other_keys(people):
    assert as_written(people, CELLS, keys=["ill"]).frame["ill"].to_list() == ["a", "b", "c", "d"]
