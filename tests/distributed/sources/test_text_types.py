"""Columns of text files: the types and values of `read_table`, whichever file a cell is in."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal import Promise, Recipe, check_files, mask_files
from shoal.distributed.sources.source_files import source_files
from shoal.distributed.sources.text_files import as_parquet
from shoal.errors import InputWarning, InvalidInput
from shoal.io import read_table

CELLS = {
    "whole": ["1", "NA", "-3", ""],
    "long but exact": ["123456789012345678", "1"],
    "too long": ["123456789012345678901", "1"],
    "long among decimals": ["12345678901234567", "1.5"],
    "points": ["1", "2.5", "", "1e3"],
    "commas": ["1", "2,5", "n/a", "-1e3", "1.234,5", "0,25"],
    "day first": ["31.12.1990", "1.1.2000", ".", ""],
    "padded": ["01.02.2000", "31.12.1999"],
    "month first": ["12/31/1990", "01/02/2000"],
    "times": ["2020-01-31T10:00:00", "2020-02-01T23:59:59", "NA"],
    "fractions": ["2020-01-31 10:00:00.5", "2020-02-01 23:59:59.25"],
    "truth": ["True", "false", ""],
    "codes": ["007", "012"],
    "text": ["x", "NA", " y "],
    "no such day": ["2020-02-30", "2020-01-01", "2020-01-02"],
    "no such hour": ["2020-02-03 25:00", "2020-01-01 10:00", "2020-01-02 10:00"],
    "cannot be told apart": ["01/02/2020", "03/04/2020"],
}


@pytest.mark.filterwarnings("ignore::shoal.errors.InputWarning")
@pytest.mark.parametrize("name", CELLS)
def test_types_and_values_are_those_of_read_table(tmp_path, name):
    lines = [f"{cell};z" for cell in CELLS[name]]
    (tmp_path / "whole.csv").write_text("\n".join(["a;b", *lines]) + "\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in/1.csv").write_text("\n".join(["a;b", *lines[:1]]) + "\n")
    (tmp_path / "in/2.csv").write_text("\n".join(["a;b", *lines[1:]]) + "\n")
    found = as_parquet(source_files(tmp_path / "in"), tmp_path).lazy().collect()
    expected = read_table(tmp_path / "whole.csv").frame
    assert found["a"].dtype == expected["a"].dtype
    assert found["a"].to_list() == expected["a"].to_list()


@pytest.mark.parametrize(
    ("cells", "error", "words"),
    [
        (["1.5", "inf"], InvalidInput, "infinite"),
        (["1.500", "2.250"], InvalidInput, "thousands marks cannot be told"),
        (["1", "2", "3", "many"], InputWarning, "numbers but for 1 texts"),
        (["1.1.2000", "2.1.2000", "3.1.2000", "later"], InputWarning, "dates but for 1 texts"),
        (["30.2.2000", "2.1.2000", "3.1.2000"], InputWarning, "some do not exist"),
    ],
)
def test_what_is_doubtful_is_said(tmp_path, cells, error, words):
    (tmp_path / "a.csv").write_text("a;b\n" + "".join(f"{cell};z\n" for cell in cells))
    with pytest.warns(error, match=words) if error is InputWarning else pytest.raises(error, match=words):
        as_parquet(source_files(tmp_path / "a.csv"), tmp_path)


def test_a_german_file_is_averaged_and_nothing_is_a_name(tmp_path):
    rng = np.random.default_rng(1)
    days = pl.Series(np.datetime64("1950-01-01") + rng.integers(0, 20_000, 300).astype("timedelta64[D]"))
    pay = [f"{value:.2f}".replace(".", ",") for value in rng.lognormal(7, 1, 300)]
    frame = pl.DataFrame({"": range(300), "geboren": days.dt.strftime("%d.%m.%Y"), "lohn": pay})
    for number in range(2):
        frame[number::2].write_csv(tmp_path / f"{number}.csv", separator=";")
    recipe = Recipe("r", {"quasi": ["geboren", "lohn"]}, [{"method": "microaggregate", "k": 5}])
    done = mask_files(tmp_path / "*.csv", recipe, tmp_path / "out", rng=1)
    written = pl.read_parquet(tmp_path / "out/*.parquet")
    assert done.kept
    assert written.columns == ["geboren", "lohn"]  # numbers of rows would undo the shuffle
    assert [str(dtype) for dtype in written.dtypes] == ["Date", "Float64"]
    assert done.columns[0].mean[1] == pytest.approx(done.columns[0].mean[0])
    assert abs((written["geboren"].mean() - days.mean()).days) < 120  # medians of groups


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("17,Anna\n18,Bob\n", "first of the two"),
        ("17,18\n18,19\n", "The first line holds numbers"),
        ("sep=;\na;b\n1;2\n", "says its separator"),
        ("a,b\n1,2\n\n3,4\n", "Line 3 of"),
        ('a,b,c\n1,2,3\n1,"x, y"\n', "Line 3 of"),
        ("^a$,b\n1,2\n", "from \\^ to"),
    ],
)
def test_texts_that_are_no_table(tmp_path, text, words):
    (tmp_path / "a.csv").write_text(text)
    if words == "first of the two":  # it may be a name: a word of warning
        with pytest.warns(InputWarning, match="1 of the 2 names is a number"):
            source_files(tmp_path / "a.csv")
        return
    with pytest.raises(InvalidInput, match=words):
        check_files(tmp_path / "a.csv", promise=Promise(k=2), roles={"quasi": "a"})


def test_names_are_those_of_read_table(tmp_path):
    (tmp_path / "a.csv").write_text('\ufeff" a ", b,,"x\ny"\n1,2,3,4\n', encoding="utf-8")
    assert list(source_files(tmp_path / "a.csv").schema()) == read_table(tmp_path / "a.csv").names()
    frame = source_files(tmp_path / "a.csv").lazy().collect()
    assert frame.columns == ["a", "b", "column_3", "x\ny"]
    assert frame.rows() == [("1", "2", "3", "4")]


def test_an_empty_line_of_one_column_is_a_missing_cell(tmp_path):
    (tmp_path / "a.csv").write_text("a\n1\n\n1\n")
    found = check_files(tmp_path / "a.csv", promise=Promise(k=1), roles={"quasi": "a"})
    assert (found.records, found.classes) == (3, 2)
