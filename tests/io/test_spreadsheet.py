"""Spreadsheets: awkward sheets in one sentence, values exactly, nothing but values written."""

import datetime as dt
import subprocess
import sys
import zipfile

import polars as pl
import pytest

from shoal.errors import InputWarning, InvalidInput
from shoal.io import read_table, write_table
from shoal.table import as_table

pytest.importorskip("fastexcel", reason="spreadsheets need the extra `files`")
xlsxwriter = pytest.importorskip("xlsxwriter", reason="spreadsheets need the extra `files`")


def workbook(path, **sheets):
    """A workbook with these rows by sheet; None is an empty cell."""
    book = xlsxwriter.Workbook(str(path))
    day = book.add_format({"num_format": "dd.mm.yyyy"})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                if isinstance(value, dt.date):
                    sheet.write_datetime(i, j, value, day)
                elif value is not None:
                    sheet.write(i, j, value)
    book.close()
    return path


def test_types_of_cells(tmp_path):
    rows = [["n", "x", "t", "d", "b"], [1, 1.5, "a", dt.date(2020, 1, 2), True], [2, None, " ", None, False]]
    frame = read_table(workbook(tmp_path / "a.xlsx", A=rows)).frame
    assert frame.schema == {"n": pl.Int64, "x": pl.Float64, "t": pl.String, "d": pl.Date, "b": pl.Boolean}
    assert frame.rows() == [(1, 1.5, "a", dt.date(2020, 1, 2), True), (2, None, None, None, False)]


def test_missing_codes_and_row_names(tmp_path):
    path = workbook(tmp_path / "a.xlsx", A=[[None, "x"], [1, -9], [2, 5]])
    table = read_table(path, missing_codes=[-9])
    assert table.names(role="identifier") == ["column_1"]
    assert table.frame["x"].to_list() == [None, 5]


def test_numbers_kept_as_texts_are_numbers_only_if_that_is_said(tmp_path):
    rows = [["pay", "code"], ["12", "012"], ["7.5", "013"]]
    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"), {"strings_to_numbers": False})
    sheet = book.add_worksheet()
    for place, cells in enumerate(rows):
        sheet.write_row(place, 0, cells)
    book.close()
    with pytest.warns(InputWarning, match=r"'pay' holds numbers that the sheet keeps as texts"):
        table = read_table(tmp_path / "a.xlsx")
    assert [a.kind for a in table.attributes] == ["nominal", "nominal"]
    table = read_table(tmp_path / "a.xlsx", kinds={"pay": "numeric"})
    assert table.frame.rows() == [(12.0, "012"), (7.5, "013")]


def test_several_sheets_are_asked_for(tmp_path):
    path = workbook(tmp_path / "a.xlsx", persons=[["a"], [1]], notes=[["b"], [2]], empty=[])
    with pytest.raises(
        InvalidInput, match=r"has 2 sheets with values; give `sheet`, one of 'persons', 'notes'"
    ):
        read_table(path)
    assert read_table(path, sheet="notes").names() == ["b"]
    with pytest.raises(InvalidInput, match=r"no sheet 'person'. Did you mean 'persons'\?"):
        read_table(path, sheet="person")
    one = workbook(tmp_path / "b.xlsx", persons=[["a"], [1]], empty=[])
    assert read_table(one).names() == ["a"]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([["Income", None, "Age"], ["gross", "net", None], [1, 2, 3]], "has no name in column B"),
        ([["Survey 2020"], ["a", "b"], [1, 2]], "one cell above 2 columns"),
        ([["a", "a"], [1, 2]], "Two columns of sheet 'A' are named 'a'"),
        ([["a", "b"], [1, 2, 3]], "has values right of its last column name"),
        ([], "is empty; a first row"),
    ],
)
def test_merged_heads_titles_and_gaps_in_the_header(tmp_path, rows, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        read_table(workbook(tmp_path / "a.xlsx", A=rows))


def test_merged_cells_as_excel_merges_them(tmp_path):
    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    sheet = book.add_worksheet("A")
    sheet.merge_range("A1:B1", "Income")
    sheet.write_row(1, 0, ["gross", "net", "age"])
    sheet.write_row(2, 0, [1, 2, 3])
    book.close()
    with pytest.raises(InvalidInput, match="a title"):
        read_table(tmp_path / "a.xlsx")


def test_merged_cells_among_the_records_are_said(tmp_path):
    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    book.add_worksheet("B").write_row(0, 0, ["x"])
    sheet = book.add_worksheet("A & C")
    sheet.write_row(0, 0, ["age", "income"])
    sheet.merge_range("A2:A4", 30)
    for row in (1, 2, 3):
        sheet.write(row, 1, row)
    book.close()
    with pytest.warns(InputWarning, match=r"Sheet 'A & C' has merged cells .* \(A2:A4\)"):
        table = read_table(tmp_path / "a.xlsx", sheet="A & C")
    assert table.frame["age"].to_list() == [30, None, None]
    assert read_table(tmp_path / "a.xlsx", sheet="B").names() == ["x"]


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_the_name_of_the_sheet_is_kept(tmp_path, ending):
    original = workbook(tmp_path / "a.xlsx", persons=[["a"], [1]], empty=[])
    out = write_table(read_table(original), tmp_path / f"out{ending}", like=original)
    assert read_table(out, sheet="persons").names() == ["a"]
    two = workbook(tmp_path / "two.xlsx", persons=[["a"], [1]], notes=[["b"], [2]])
    out = write_table(read_table(two, sheet="notes"), tmp_path / f"safe{ending}", like=two)
    assert read_table(out, sheet="Sheet1").names() == ["b"]


def test_empty_rows_above_the_header_are_passed_over(tmp_path):
    path = workbook(tmp_path / "a.xlsx", A=[[], [], ["a", "b"], [1, 2]])
    assert read_table(path).frame.rows() == [(1, 2)]


def test_a_header_alone_and_rows_without_values(tmp_path):
    assert len(read_table(workbook(tmp_path / "a.xlsx", A=[["a", "b"]]))) == 0
    book = xlsxwriter.Workbook(str(tmp_path / "b.xlsx"))
    sheet = book.add_worksheet("A")
    sheet.write_row(0, 0, ["a", "b"])
    sheet.write_row(1, 0, [1, 2])
    for row in range(2, 9):
        sheet.write_blank(row, 0, None, book.add_format({"bold": True}))
    book.close()
    assert read_table(tmp_path / "b.xlsx").frame.rows() == [(1, 2)]


@pytest.mark.parametrize("name", ["a.xlsx", "a.ods", "a.xls"])
@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PK\x03\x04 garbage"])
def test_a_broken_workbook(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput, match="is broken, locked by a password or no spreadsheet"):
        read_table(tmp_path / name)


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_texts_are_texts(tmp_path, ending):
    texts = ["=1+1", "http://x.example", "007", "1e5", "ä", "two\nlines", "+49"]
    path = write_table(as_table({"t": texts}), tmp_path / f"a{ending}", shuffle=False)
    assert read_table(path).frame["t"].to_list() == texts


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
@pytest.mark.parametrize(
    "values",
    [
        [2**53 + 1],
        [float("inf")],
        ["x" * 40_000],
        [dt.date(1850, 1, 1)],
        [dt.datetime(2020, 1, 1, 1, 1, 1, 5)],
    ],
)
def test_what_a_sheet_cannot_hold(tmp_path, ending, values):
    with pytest.raises(InvalidInput, match="A sheet cannot hold column 'a' exactly") as caught:
        write_table(as_table({"a": values}), tmp_path / f"a{ending}")
    assert len(str(caught.value)) < 300
    assert list(tmp_path.iterdir()) == []


def test_too_many_records(tmp_path):
    with pytest.raises(InvalidInput, match="A sheet holds 1048575 records"):
        write_table(as_table({"a": range(1_048_576)}), tmp_path / "a.xlsx")


def test_no_trace_of_who_and_when(tmp_path):
    table = as_table({"a": [1, 2]})
    one, two = (write_table(table, tmp_path / name, shuffle=False) for name in ("a.xlsx", "b.xlsx"))
    with zipfile.ZipFile(one) as first, zipfile.ZipFile(two) as second:
        core = first.read("docProps/core.xml").decode()
        assert "2000-01-01" in core
        assert first.read("xl/worksheets/sheet1.xml") == second.read("xl/worksheets/sheet1.xml")


def test_the_sheet_gets_a_name(tmp_path):
    path = write_table(as_table({"a": [1]}), tmp_path / "a.xlsx", sheet="persons")
    assert read_table(path, sheet="persons").names() == ["a"]


@pytest.mark.parametrize("library", ["fastexcel", "xlsxwriter", "odf"])
def test_without_the_library(tmp_path, monkeypatch, library):
    path = write_table(as_table({"a": [1]}), tmp_path / "a.xlsx")
    monkeypatch.setitem(sys.modules, library, None)
    call = {
        "fastexcel": lambda: read_table(path),
        "xlsxwriter": lambda: write_table(as_table({"a": [1]}), tmp_path / "b.xlsx"),
        "odf": lambda: write_table(as_table({"a": [1]}), tmp_path / "b.ods"),
    }[library]
    with pytest.raises(InvalidInput, match=r'pip install "shoal\[files\]"'):
        call()
    assert [p.name for p in tmp_path.iterdir()] == ["a.xlsx"]


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_times_of_day_come_back_as_times(tmp_path, ending):
    path = tmp_path / f"t.{ending}"
    times = [dt.time(1, 2, 3), None, dt.time(23, 59, 59), dt.time(0)]
    write_table(as_table({"at": times, "x": [1, 2, 3, 4]}), path, shuffle=False)
    assert read_table(path).frame["at"].to_list() == times


def test_names_merged_over_two_rows_are_refused(tmp_path):
    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    sheet = book.add_worksheet("A")
    sheet.merge_range("A1:A2", "age")
    sheet.merge_range("B1:B2", "town")
    sheet.write_row(2, 0, [30, "Vic"])
    book.close()
    with pytest.raises(
        InvalidInput, match=r"names of sheet 'A' are merged over several rows \(A1:A2, B1:B2\)"
    ):
        read_table(tmp_path / "a.xlsx")


def test_a_first_row_of_numbers_is_a_record_and_not_shown(tmp_path):
    with pytest.raises(InvalidInput, match="holds numbers, not column names") as caught:
        read_table(workbook(tmp_path / "a.xlsx", A=[[417, 12], [3, 4]]))
    assert "417" not in str(caught.value)


def test_empty_rows_and_what_follows_them_are_said(tmp_path):
    rows = [["a", "b"], [1, 2], [2, 3], [3, 4], [None, None], ["total", 9]]
    with (
        pytest.warns(InputWarning, match="1 empty rows between the records are left out"),
        pytest.warns(InputWarning, match="Column 'a' holds numbers but for 1 texts"),
    ):
        assert len(read_table(workbook(tmp_path / "a.xlsx", A=rows))) == 4


def test_a_record_without_any_value_is_refused(tmp_path):
    """An empty row is no record to anybody who opens the file."""
    table = as_table({"a": [1, None, None], "b": ["x", None, None]})
    for name in ("a.xlsx", "a.ods"):
        with pytest.raises(InvalidInput, match="A sheet cannot hold 2 records without any value"):
            write_table(table, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_dates_typed_as_text(tmp_path):
    rows = [["born", "n"], ["31.12.1990", 1], ["01.02.1985", 2]]
    table = read_table(workbook(tmp_path / "a.xlsx", A=rows))
    assert table.frame["born"][0] == dt.date(1990, 12, 31)
    out = write_table(table, tmp_path / "b.xlsx", shuffle=False)
    with zipfile.ZipFile(out) as packed:
        assert b"dd.mm.yyyy" in packed.read("xl/styles.xml")
    rows = [["born", "n"], ["01/02/1990", 1], ["03/04/1985", 2]]
    said = read_table(workbook(tmp_path / "c.xlsx", A=rows), dates={"born": "%d/%m/%Y"})
    assert said.frame["born"][0] == dt.date(1990, 2, 1)


def test_the_library_writes_nothing_to_the_terminal(tmp_path):
    """A column without a value made it say so, on every command."""
    workbook(tmp_path / "a.xlsx", A=[["a", "b"], [1, None], [2, None]])
    program = "import sys, shoal; shoal.read_table(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "a.xlsx"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
