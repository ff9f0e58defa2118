import polars as pl
import pytest

from shoal.distributed.sources.source_files import record_counts, source_files
from shoal.errors import InvalidInput


def test_folders_globs_and_lists_are_the_same_files_in_order(tmp_path):
    for name in "bca":
        pl.DataFrame({"age": [1, 2]}).write_parquet(tmp_path / f"{name}.parquet")
    (tmp_path / "notes.md").write_text("no table")
    expected = tuple(tmp_path / f"{name}.parquet" for name in "abc")
    assert source_files(tmp_path).paths == expected
    assert source_files(f"{tmp_path}/*.parquet").paths == expected
    assert source_files([str(path) for path in reversed(expected)]).paths == expected
    assert source_files(expected[0]).paths == expected[:1]
    assert record_counts(source_files(tmp_path)) == [2, 2, 2]


def test_a_separator_is_found_and_empty_cells_are_missing(tmp_path):
    (tmp_path / "a.csv").write_text("age;town\n1;x\n2;\n")
    found = source_files(tmp_path / "a.csv")
    assert found.separator == ";"
    assert found.lazy().collect().rows() == [("1", "x"), ("2", None)]


def test_what_is_not_there_is_refused(tmp_path):
    for source, sentence in [
        (tmp_path / "no.parquet", "No file is called"),
        (tmp_path, "holds no"),
        ([tmp_path / "x.csv"], "There is no file"),
        ([], "empty"),
    ]:
        with pytest.raises(InvalidInput, match=sentence):
            source_files(source)


def test_a_name_that_looks_like_a_pattern_is_a_name(tmp_path):
    (tmp_path / "a[0].csv").write_text("age,town\n1,x\n")
    assert record_counts(source_files(tmp_path / "a[0].csv")) == [1]
