"""From texts to values: what counts as a number, a date, a missing value."""

import datetime as dt
import warnings

import polars as pl
import pytest

from shoal import InputWarning
from shoal.errors import InvalidInput
from shoal.io import read_table
from shoal.io.infer import infer_column


@pytest.fixture
def column(tmp_path):
    """Read one column, given its cells, next to a column of text."""

    def read(*cells, separator=",", **options):
        path = tmp_path / "cells.csv"
        path.write_text("\n".join([f"x{separator}y", *(f"{cell}{separator}t" for cell in cells)]) + "\n")
        return read_table(path, separator=separator, **options).frame["x"]

    return read


@pytest.mark.filterwarnings("ignore:Column 'x' writes equal numbers", "ignore:Column 'x' holds dates but")
@pytest.mark.parametrize(
    ("cells", "values", "dtype"),
    [
        (["1", "-2", "+3", " 4 "], [1, -2, 3, 4], pl.Int64),
        (["1", "", "3"], [1, None, 3], pl.Int64),
        (["1.5", "2.", ".5", "-1e-3", "1E+2"], [1.5, 2.0, 0.5, -0.001, 100.0], pl.Float64),
        (["0", "0.5", "-0.5"], [0.0, 0.5, -0.5], pl.Float64),
        (["01234", "99999"], ["01234", "99999"], pl.String),
        (["1", "1,000"], None, None),
        (["1_000", "2"], ["1_000", "2"], pl.String),
        (["0x10", "2"], ["0x10", "2"], pl.String),
        (["12 000", "2"], ["12 000", "2"], pl.String),
        (["true", "FALSE", "True"], [True, False, True], pl.Boolean),
        (["true", "", "NA"], [True, None, None], pl.Boolean),
        (["true", "maybe"], ["true", "maybe"], pl.String),
        (["2020-02-29", "NA"], [dt.date(2020, 2, 29), None], pl.Date),
        (["2020-02-29", "2021-02-29"], ["2020-02-29", "2021-02-29"], pl.String),
        (["29/02/2020"], [dt.date(2020, 2, 29)], pl.Date),
        (
            ["2020-02-29T10:20:30", "2020-02-29 10:20:30.25"],
            [dt.datetime(2020, 2, 29, 10, 20, 30), dt.datetime(2020, 2, 29, 10, 20, 30, 250000)],
            pl.Datetime,
        ),
        (["2020-02-29T10:20:30Z"], [dt.datetime(2020, 2, 29, 10, 20, 30)], pl.Datetime),
        (["2020-02-29T10:20:30+02:00"], ["2020-02-29T10:20:30+02:00"], pl.String),
        (["", ""], [None, None], pl.String),
        (["²", "1"], ["²", "1"], pl.String),
    ],
)
def test_types(column, cells, values, dtype):
    if values is None:  # a thousands comma cuts the cell in two
        with pytest.raises(InvalidInput, match="Line 3 has 3 cells"):
            column(*cells)
        return
    series = column(*cells)
    assert series.to_list() == values
    assert series.dtype == dtype


@pytest.mark.parametrize(
    "word", ["NA", "NaN", "N/A", "null", "None", ".", "nan", "NULL", "n/a", " NA ", "  "]
)
def test_words_for_missing_count_among_numbers_only(column, word):
    assert column("1", word, "2.5").to_list() == [1.0, None, 2.5]
    assert column("ES", word, "FR").to_list() == ["ES", word, "FR"]
    assert column(word, word).to_list() == [word, word]  # nothing tells that Namibia is not meant


def test_a_true_minus_999_is_never_missing(column):
    assert column("-999", "5", "99", "-9").to_list() == [-999, 5, 99, -9]


@pytest.mark.parametrize("missing", [[-999], -999, "-999", ["-999"], {"x": -999}, {"x": ["-999"]}, [-999.0]])
def test_missing_values_that_are_named(column, missing):
    assert column("-999", "5", "-9990", "9", missing_codes=missing).to_list() == [None, 5, -9990, 9]
    assert column("-999.00", "5", "-999.5", missing_codes=missing).to_list() == [None, 5.0, -999.5]
    assert column("-999,0", "5,5", separator=";", missing_codes=missing).to_list() == [None, 5.5]
    assert column("-999", "low", "high", missing_codes=missing).to_list() == [None, "low", "high"]


def test_missing_texts_that_are_named(column):
    assert column("refused", "5", "1.5", missing_codes=["refused"]).to_list() == [None, 5.0, 1.5]
    assert column("refused", "5,25", separator=";", missing_codes=["refused"]).to_list() == [None, 5.25]
    assert column("NA", "ES", missing_codes={"x": ["NA"]}).to_list() == [None, "ES"]
    assert column("09", "9", "1", missing_codes=[9]).to_list() == ["09", None, "1"]
    assert column("99.9", "1", missing_codes=[99.9]).to_list() == [None, 1]


def test_missing_of_an_unknown_column(column):
    with pytest.raises(InvalidInput, match=r"There is no column 'xx'\. Did you mean 'x'"):
        column("1", missing_codes={"xx": [1]})


def test_whole_numbers_lose_no_digit(column):
    assert column("9007199254740993", "1").to_list() == [9007199254740993, 1]
    assert column("9223372036854775807").to_list() == [2**63 - 1]
    assert column("9223372036854775808", "1").to_list() == ["9223372036854775808", "1"]
    # decimals in the column would make floats of them: text is exact
    assert column("9007199254740993", "1.5").to_list() == ["9007199254740993", "1.5"]
    assert column("1e20", "1.5").to_list() == [1e20, 1.5]


@pytest.mark.parametrize("infinite", ["inf", "-Inf", "Infinity", "1e999"])
def test_an_infinite_number_is_refused_by_position(column, infinite):
    with pytest.raises(InvalidInput, match="Column 'x' has an infinite number at row 2") as caught:
        column("1.5", "NA", infinite, "2")
    assert f" {infinite} " not in str(caught.value)
    assert column("1.5", infinite, missing_codes=[infinite]).to_list() == [1.5, None]


def test_inf_in_a_column_of_text_is_text(column):
    assert column("inf", "sup").to_list() == ["inf", "sup"]
    assert column("inf", "inf").to_list() == ["inf", "inf"]


def test_zeros_in_front_are_allowed_where_numeric_is_said(column):
    assert column("007", "10").to_list() == ["007", "10"]
    assert column("007", "10", kinds={"x": "numeric"}).to_list() == [7, 10]
    assert column("", "", kinds={"x": "numeric"}).dtype == pl.Float64
    assert column("NA", "", kinds={"x": "numeric"}).null_count() == 2


def test_text_said_to_be_numeric_is_refused_without_the_value(column):
    with pytest.raises(InvalidInput, match="Column 'x' cannot be numeric") as caught:
        column("1", "secret", kinds={"x": "numeric"})
    assert "secret" not in str(caught.value)


@pytest.mark.filterwarnings("ignore::shoal.InputWarning")
def test_a_late_text_keeps_the_column_text(column):
    cells = [str(i) for i in range(1500)] + ["many"]
    assert column(*cells).to_list() == cells


def test_stray_text_among_numbers_is_said_by_position_not_by_value(tmp_path):
    (tmp_path / "a.csv").write_text("age\n1\n2\nunknown\n4\n")
    with pytest.warns(InputWarning, match=r"'age' .* but for 1 texts \(first at row 2\)") as said:
        assert read_table(tmp_path / "a.csv").attribute("age").kind == "nominal"
    assert "unknown" not in str(said[0].message)


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (["1.234,50", "999,00"], "amounts with thousands marks"),
        (["1.234.567", "2.000.000"], "amounts with thousands marks"),
        (["€ 12,50", "€ 1,75"], "a currency"),
        (["10 %", "20%"], "percent sign"),
        (["31.12.90", "01.01.85"], "years of two digits"),
        (["12/31/90", "01/02/85"], "years of two digits"),
        (["31.12.1990", "1985-01-01"], "several ways"),
        (["1990-12-31 10:00", "1985-01-01"], "several ways"),
        (["08", "09"], None),
        (["934 555 123", "934 555 124"], None),
        (["12-34-56", "11-22-33"], None),
        (["20-39", "40-59"], None),
    ],
)
def test_dressed_numbers_and_short_years_are_not_categories_without_a_word(cells, sentence):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        column, written = infer_column(pl.Series("x", cells), ",")
    assert column.to_list() == cells
    assert not written
    assert [sentence in str(w.message) for w in said] == [True] * (sentence is not None)
    assert not [cell for cell in cells for w in said if cell in str(w.message)]
