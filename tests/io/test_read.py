"""Reading tables: roles, missing codes, parquet, and one sentence for what cannot be read."""

import pandas as pd
import polars as pl
import pytest

from shoal.errors import InvalidInput
from shoal.io import read_table, write_table
from shoal.table import as_table


def test_roles_and_kinds_are_set_on_reading(tmp_path):
    path = write_table(as_table({"age": [3, 4], "level": ["low", "high"]}), tmp_path / "a.csv")
    table = read_table(path, roles={"quasi": ["age"]}, kinds={"level": ["low", "high"]})
    assert table.names(role="quasi") == ["age"]
    assert table.attribute("level").order == ("low", "high")


def test_missing_values_named_for_other_formats(tmp_path):
    table = as_table({"a": [-999, 5], "b": [-999.0, 0.5], "c": ["-999", "x"], "d": [99.9, 1.0]})
    schema = {"a": pl.Int16, "b": pl.Float64, "c": pl.String, "d": pl.Float32}
    path = write_table(as_table(table.frame.cast(schema)), tmp_path / "a.parquet", shuffle=False)
    assert read_table(path).missing() == {"a": 0, "b": 0, "c": 0, "d": 0}
    assert read_table(path, missing_codes=[-999, 99.9, 1e300]).missing() == {"a": 1, "b": 1, "c": 1, "d": 1}
    assert read_table(path, missing_codes={"b": -999}).missing() == {"a": 0, "b": 1, "c": 0, "d": 0}


def test_the_index_in_parquet_is_an_identifier(tmp_path):
    source = tmp_path / "pandas.parquet"
    pd.DataFrame({"age": [30, 41]}, index=["Anna", "Pau"]).to_parquet(source)
    table = read_table(source)
    assert table.names(role="identifier") == ["__index_level_0__"]
    assert read_table(write_table(table, tmp_path / "out.parquet")).names() == ["age"]


@pytest.mark.parametrize("content", [b"", b"PAR1", b"a,b\n1,2\n"])
def test_a_broken_parquet_file(tmp_path, content):
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match="is broken or no parquet file"):
        read_table(path)
