import polars as pl

from shoal.distributed.sources.source_files import source_files
from shoal.distributed.sources.text_files import as_parquet


def test_one_type_holds_in_all_files(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,z\n")
    (tmp_path / "b.csv").write_text("a,b\nx,z\n")
    found = as_parquet(source_files(f"{tmp_path}/*.csv"), tmp_path).lazy().collect()
    assert found["a"].to_list() == ["1", "x"]
    assert isinstance(found["a"].dtype, pl.String)
