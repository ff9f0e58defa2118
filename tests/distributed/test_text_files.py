import polars as pl
import pytest

from shoal.distributed.source_files import source_files
from shoal.distributed.text_files import as_parquet
from shoal.io import read_table

TEXTS = {
    "whole": "a\n1\nNA\n-3\n",
    "decimal": "a\n1\n2.5\n\n1e3\n",
    "padded": "a\n01\n02\n",
    "truth": "a\ntrue\nFalse\n",
    "text": "a\nx\nNA\n",
    "long": "a\n123456789012345678901\n1\n",
    "spaces": "a\n 1\n2 \n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_types_and_values_are_those_of_read_table(tmp_path, name):
    text = TEXTS[name].replace("\n", ",z\n").replace("a,z", "a,b")
    (tmp_path / "a.csv").write_text(text)
    found = as_parquet(source_files(tmp_path), tmp_path).lazy().collect()
    expected = read_table(tmp_path / "a.csv").frame
    assert found["a"].dtype == expected["a"].dtype
    assert found["a"].to_list() == expected["a"].to_list()


def test_one_type_holds_in_all_files(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,z\n")
    (tmp_path / "b.csv").write_text("a,b\nx,z\n")
    found = as_parquet(source_files(f"{tmp_path}/*.csv"), tmp_path).lazy().collect()
    assert found["a"].to_list() == ["1", "x"]
    assert isinstance(found["a"].dtype, pl.String)
