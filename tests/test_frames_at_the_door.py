"""Whatever holds columns becomes a table, and comes back as it was where that makes sense."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal import as_table, microaggregate
from shoal.errors import InputWarning, InvalidInput

COLUMNS = {"age": [30, 41, 52], "town": ["a", "b", None]}


class Stream:
    """Something of another library: all it offers is Arrow."""

    def __arrow_c_stream__(self, requested_schema=None):
        return pa.table(COLUMNS).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    ("frame", "out"),
    [
        (pa.RecordBatch.from_pydict(COLUMNS), pa.Table),
        (pa.table(COLUMNS).to_reader(), pa.Table),
        (pa.table(COLUMNS), pa.Table),
        (Stream(), pl.DataFrame),
        (pd.DataFrame(COLUMNS), pd.DataFrame),
        (np.array([(30, "a"), (41, "b"), (52, None)], dtype=[("age", "i8"), ("town", "O")]), pl.DataFrame),
    ],
    ids=lambda value: type(value).__name__,
)
def test_frames_of_all_kinds(frame, out):
    table = as_table(frame, roles={"quasi": "age"})
    assert table == as_table(COLUMNS, roles={"quasi": "age"})
    masked = microaggregate(table, k=3)
    assert isinstance(masked.frame, out)
    assert set(masked.column("age")) == {41.0}


def test_a_lazy_frame_is_collected_aloud():
    with pytest.warns(InputWarning, match="LazyFrame was collected: its 3 records"):
        assert as_table(pl.LazyFrame(COLUMNS)) == as_table(COLUMNS)


def test_a_lazy_frame_that_fails_says_so_without_a_value():
    lazy = pl.LazyFrame({"a": ["secret"]}).select(pl.col("a").cast(pl.Int64))
    with pytest.raises(InvalidInput, match="LazyFrame could not be computed") as caught:
        as_table(lazy)
    assert "secret" not in str(caught.value)


def test_a_relation_of_duckdb_is_collected_aloud():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        relation = connection.sql("select * from (values (30, 'a'), (41, 'b'), (52, null)) t(age, town)")
        with pytest.warns(InputWarning, match="collected"):
            assert as_table(relation) == as_table(COLUMNS)


def test_a_broken_stream_of_arrow_is_one_sentence():
    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("secret")

    with pytest.raises(InvalidInput, match="Arrow columns of Broken cannot be read") as caught:
        as_table(Broken())
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"age": [30, "secret-71"]}, "Column 'age' cannot be read: it mixes types"),
        ({"age": {30, 41}}, "Column 'age' cannot be read"),
        ({"age": [30], "town": ["a", "b"]}, "Column 'age' has 1 values and column 'town' 2"),
        ({1: [30]}, "Column names must be text"),
        ({"^age$": [np.datetime64("2024-01-01", "us")]}, "would be read as a pattern"),
    ],
)
def test_a_dict_that_is_no_frame_is_one_sentence_without_a_value(columns, said):
    with pytest.raises(InvalidInput, match=said) as error:
        as_table(columns)
    assert "secret-71" not in str(error.value)


@pytest.mark.parametrize("ages", [[20, 2.5, None], [20.0, 3, float("nan")]])
def test_whole_and_decimal_numbers_of_a_dict_are_one_column(ages):
    table = as_table({"age": ages})
    assert table.attribute("age").kind == "numeric"
    assert table.column("age")[:2].tolist() == ages[:2]
