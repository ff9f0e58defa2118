"""Spreadsheets: one sheet of an Excel or OpenDocument file, with its column names in the first row."""

from __future__ import annotations

import datetime as dt
import logging
import re
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal._check import did_you_mean
from shoal.errors import InputWarning, InvalidInput
from shoal.io.csv_detect import check_first_line
from shoal.io.dates import read_text_dates
from shoal.io.form import Form
from shoal.io.infer import blank_missing, infer_column, number_pattern, warn_of_text
from shoal.table import Attribute, Table, as_table

MOST_ROWS, MOST_COLUMNS, LONGEST_TEXT = 1_048_576, 16_384, 32_767  # the limits of Excel
EXACT = 2**53  # whole numbers below survive as floats, which is all a sheet holds
SPREADSHEETS = {".xlsx", ".xls", ".xlsb", ".xlsm", ".ods"}
ERRORS = ("#N/A", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NAME?", "#NULL!")
FIRST_DAY = dt.date(1900, 3, 1)  # before, Excel counts a 29 February that never was
NO_DAY = dt.date(1899, 12, 31)  # where Excel puts a time of day
DAY, MOMENT, TIME = "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss", "hh:mm:ss"


def read_spreadsheet(path: Path, form: Form) -> Table:
    """A sheet as a table: whole numbers, dates without a time and truth values get their types."""
    cells = _without_empty_rows(spreadsheet_cells(path, form))
    frame = pl.DataFrame([_typed(column) for column in cells])
    frame, patterns = read_text_dates(blank_missing(frame, form.missing_codes, "."), form.dates)
    table = as_table(pl.DataFrame([_said(column, form) for column in frame]))
    first = frame.columns[0] if frame.columns[0] == "column_1" else ""
    attributes = (replace(a, written=patterns.get(a.name, "")) for a in table.attributes)
    return Table(
        table.frame, tuple(replace(a, role="identifier") if a.name == first else a for a in attributes)
    )


def _said(column: pl.Series, form: Form) -> pl.Series:
    """The column; texts that are numbers are some only if that is said: they may be codes."""
    if column.dtype != pl.String:
        return column
    stripped = column.str.strip_chars()
    if stripped.null_count() < len(column) and stripped.str.contains(number_pattern(".")).all():
        if column.name in form.numeric:
            return infer_column(column, ".", numeric=True)[0]
        warnings.warn(
            f"Column {column.name!r} holds numbers that the sheet keeps as texts, so it is nominal; if they "
            f"are amounts, say so (--numeric {column.name}).",
            InputWarning,
            stacklevel=4,
        )
    warn_of_text(column.name, stripped, ".")
    return column


def spreadsheet_cells(path: Path, form: Form) -> pl.DataFrame:
    """The cells of a sheet with the types that the library gives them."""
    book = _opened(path)
    sheet = _sheet(path, book, form.sheet)
    above, names = _header(path, book, sheet)
    _check_merged_cells(path, sheet, above)
    frame: pl.DataFrame = book.load_sheet(sheet, header_row=None, skip_rows=above + 1).to_polars()
    while frame.height and all(column[-1] is None for column in frame):  # formatted rows without a value
        frame = frame.head(frame.height - 1)
    if frame.width < len(names):  # a sheet with a header alone, or columns without any value
        missing = [
            pl.Series(f"{i} more", [None] * frame.height, pl.String) for i in range(frame.width, len(names))
        ]
        frame = pl.DataFrame([*frame, *missing])
    for column in frame[:, len(names) :]:
        if column.null_count() < frame.height:
            raise InvalidInput(
                f"Sheet {sheet!r} has values right of its last column name; name that column too."
            )
    frame = frame[:, : len(names)]
    frame.columns = names
    return frame


def _without_empty_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """No record is empty; what comes after an empty row may be a total or a note."""
    empty = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    if not empty.any():
        return frame
    warnings.warn(
        f"{empty.sum()} empty rows between the records are left out (first at row {empty.arg_max()}); look "
        "whether a total or a note comes after them.",
        InputWarning,
        stacklevel=4,
    )
    return frame.filter(~empty)


def _opened(path: Path) -> Any:
    try:
        import fastexcel

        logging.getLogger("fastexcel").addHandler(logging.NullHandler())  # else it writes to the terminal
    except ImportError as error:
        raise InvalidInput('Spreadsheets need fastexcel: pip install "shoal[files]".') from error
    try:
        return fastexcel.read_excel(path.read_bytes())
    except fastexcel.FastExcelError as error:
        raise InvalidInput(
            f"{path.name} is broken, locked by a password or no spreadsheet; save it again as .xlsx."
        ) from error


def _sheet(path: Path, book: Any, wanted: str | None) -> str:
    names = list(book.sheet_names)
    listing = ", ".join(repr(name) for name in names)
    if wanted is not None:
        if wanted not in names:
            raise InvalidInput(
                f"{path.name} has no sheet {wanted!r}.{did_you_mean(wanted, names)} Its sheets: {listing}."
            )
        return wanted
    filled = _filled(book)
    if len(filled) > 1:
        raise InvalidInput(
            f"{path.name} has {len(filled)} sheets with values; give `sheet`, one of {listing}."
        )
    return str(filled[0] if filled else names[0])


def _filled(book: Any) -> list[str]:
    """The sheets that hold values."""
    names = list(book.sheet_names)
    return [name for name in names if len(names) == 1 or book.load_sheet(name, header_row=None).width]


def only_sheet(path: Path) -> str | None:
    """The name of the sheet that holds the values, if there is one alone."""
    filled = _filled(_opened(path))
    return filled[0] if len(filled) == 1 else None


def _header(path: Path, book: Any, sheet: str) -> tuple[int, list[str]]:
    """How many empty rows stand above the names, and the names; merged heads and titles are refused."""
    texts = book.load_sheet(sheet, header_row=None, skip_rows=0, dtypes="string").to_polars()
    filled = texts.select(pl.any_horizontal(pl.all().str.strip_chars() != "").fill_null(False)).to_series()
    if not filled.any():
        raise InvalidInput(f"{path.name} is empty; a first row with the column names is needed.")
    above = int(filled.arg_max() or 0)
    cells = [None if cell is None else cell.strip() for cell in texts.row(above)]
    while cells and not cells[-1]:
        cells.pop()
    if not cells[0] and all(cells[1:]) and len(cells) > 1:
        cells[0] = "column_1"  # row names, as R and pandas write them
    gaps = [place for place, name in enumerate(cells) if not name]
    if gaps:
        from shoal.io._spreadsheet.merged_cells import letters

        where = ", ".join(map(letters, gaps[:5]))
        raise InvalidInput(
            f"The first row of sheet {sheet!r} has no name in column {where} (a title or merged cells above "
            "the names?); give one row with a name for every column."
        )
    twice = [name for name in cells if cells.count(name) > 1]
    if twice:
        raise InvalidInput(f"Two columns of sheet {sheet!r} are named {twice[0]!r}; rename one of them.")
    check_first_line([str(name) for name in cells])
    if len(cells) == 1 and texts.width > 1:
        raise InvalidInput(
            f"The first row of sheet {sheet!r} has one cell above {texts.width} columns (a title?); remove "
            "it, so that the first row names the columns."
        )
    return above, [str(name) for name in cells]


def _check_merged_cells(path: Path, sheet: str, above: int) -> None:
    """Only the first of merged cells has a value; that the others are missing is not left unsaid."""
    from shoal.io._spreadsheet.merged_cells import merged_cells  # with what reads XML: only few need it

    rows = {ref: tuple(map(int, re.findall(r"\d+", ref))) for ref in merged_cells(path, sheet)}
    heads = [ref for ref, (first, last) in rows.items() if first <= above + 1 < last]
    if heads:
        raise InvalidInput(
            f"The names of sheet {sheet!r} are merged over several rows ({', '.join(heads[:3])}); give one "
            "row with a name for every column."
        )
    merged = [ref for ref, (_, last) in rows.items() if last > above + 1]
    if merged:
        warnings.warn(
            f"Sheet {sheet!r} has merged cells below its column names ({', '.join(merged[:3])}"
            f"{', ...' if len(merged) > 3 else ''}): only the first cell of each has the value, the others "
            "are missing; fill them in the spreadsheet if all records have it.",
            InputWarning,
            stacklevel=4,
        )


def _typed(column: pl.Series) -> pl.Series:
    if column.dtype == pl.String:
        return column.set((column.str.strip_chars() == "") | column.is_in(list(ERRORS)), None)
    if column.dtype.is_float():
        column = column.fill_nan(None)
        whole = ((column == column.round()) & (column.abs() <= EXACT)).all()
        return column.cast(pl.Int64) if whole and column.null_count() < len(column) else column
    if column.dtype == pl.Datetime:
        if len(column.drop_nulls()) and (column.dt.date().drop_nulls() == NO_DAY).all():
            return column.dt.time()
        midnight = (column.dt.time() == dt.time(0)).all()
        return column.cast(pl.Date) if midnight and len(column) else column.cast(pl.Datetime("us"))
    if (
        column.dtype == pl.Duration
        and column.is_between(dt.timedelta(0), dt.timedelta(hours=23, minutes=59, seconds=59)).all()
    ):
        return column.dt.total_nanoseconds().cast(pl.Time)
    return column.cast(pl.String) if column.dtype == pl.Null else column


def write_excel(frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, form: Form) -> None:
    """Write a workbook of one sheet: values only, no formula, no link, no name and time of who wrote it."""
    try:
        import xlsxwriter
    except ImportError as error:
        raise InvalidInput('Excel files are written with XlsxWriter: pip install "shoal[files]".') from error
    _check_size(frame)
    book = xlsxwriter.Workbook(str(path), {"constant_memory": True, "nan_inf_to_errors": False})
    book.set_properties({"created": dt.datetime(2000, 1, 1), "author": ""})
    sheet = book.add_worksheet(form.sheet or "Sheet1")
    formats = {name: book.add_format({"num_format": name}) for name in (DAY, MOMENT, TIME)}
    shown = {
        place: book.add_format({"num_format": pattern})
        for place, name in enumerate(frame.columns)
        if (pattern := _date_format(attributes[name].written if name in attributes else ""))
    }
    for row, cells in enumerate([tuple(frame.columns), *frame.iter_rows()]):
        for place, value in enumerate(cells):
            if isinstance(value, str):
                sheet.write_string(row, place, value)
            elif isinstance(value, bool):
                sheet.write_boolean(row, place, value)
            elif isinstance(value, dt.date | dt.time):
                form_name = MOMENT if isinstance(value, dt.datetime) else DAY
                form_name = TIME if isinstance(value, dt.time) else form_name
                sheet.write_datetime(row, place, value, shown.get(place, formats[form_name]))
            elif value is not None:
                sheet.write_number(row, place, float(value))
    book.close()


def _date_format(pattern: str) -> str:
    """A pattern of dates as Excel writes it; "" for numbers, truth values and what it has no letters for.

    >>> _date_format("%d.%m.%Y"), _date_format("%Y-%m-%dT%H:%M:%S.%f")
    ('dd.mm.yyyy', '')
    """
    letters = {"%d": "dd", "%-d": "d", "%m": "mm", "%-m": "m", "%Y": "yyyy", "%H": "hh", "%M": "mm"}
    found = re.sub(r"%-?[dmYHM]", lambda part: letters.get(part[0], "%"), pattern).replace("%S", "ss")
    return found if "yyyy" in found and not re.search(r"[%TZ]", found) else ""


def write_ods(frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, form: Form) -> None:
    """Write an OpenDocument spreadsheet of one sheet: values only."""
    try:
        from odf import opendocument, table, text
    except ImportError as error:
        raise InvalidInput(
            'OpenDocument files are written with odfpy: pip install "shoal[files]".'
        ) from error
    _check_size(frame)
    book = opendocument.OpenDocumentSpreadsheet()
    sheet = table.Table(name=form.sheet or "Sheet1")
    for cells in [tuple(frame.columns), *frame.iter_rows()]:
        row = table.TableRow()
        for value in cells:
            cell = table.TableCell(**_ods_value(value))
            if isinstance(value, str):
                for line in value.split("\n"):
                    cell.addElement(text.P(text=line))
            row.addElement(cell)
        sheet.addElement(row)
    book.spreadsheet.addElement(sheet)
    book.save(str(path))


def _ods_value(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"valuetype": "string"}
    if isinstance(value, bool):
        return {"valuetype": "boolean", "booleanvalue": str(value).lower()}
    if isinstance(value, dt.date):
        return {"valuetype": "date", "datevalue": value.isoformat()}
    if isinstance(value, dt.time):
        return {"valuetype": "time", "timevalue": value.strftime("PT%HH%MM%SS")}
    return {} if value is None else {"valuetype": "float", "value": repr(float(value))}


def _check_size(frame: pl.DataFrame) -> None:
    """What a sheet cannot hold is refused before anything is written."""
    if frame.height >= MOST_ROWS or frame.width > MOST_COLUMNS:
        raise InvalidInput(
            f"A sheet holds {MOST_ROWS - 1} records and {MOST_COLUMNS} columns, the table has {frame.height} "
            f"and {frame.width}; write csv or parquet."
        )
    empty = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    if empty.any():
        raise InvalidInput(
            f"A sheet cannot hold {empty.sum()} records without any value, as those suppressed as a whole; "
            "write csv or parquet."
        )
    for column in frame:
        if not _fits(column):
            raise InvalidInput(
                f"A sheet cannot hold column {column.name!r} exactly (numbers above 2^53 or infinite, texts "
                "above 32,767 letters, dates before March 1900, times finer than a millisecond or with a "
                "zone); write csv or parquet."
            )


def _fits(column: pl.Series) -> bool:
    if column.dtype == pl.String:
        return not (column.str.len_chars() > LONGEST_TEXT).any()
    if column.dtype == pl.UInt64:
        return not (column > EXACT).any()
    if column.dtype.is_integer():
        column = column.cast(pl.Int64)  # a small type cannot be compared with a large number
        return not ((column > EXACT) | (column < -EXACT)).any()
    if column.dtype.is_float():
        return bool(column.drop_nulls().is_finite().all())
    if column.dtype == pl.Date:
        return not (column < FIRST_DAY).any()
    if isinstance(column.dtype, pl.Datetime):
        fine = column.dt.cast_time_unit("us").cast(pl.Int64) % 1000
        return column.dtype.time_zone is None and not ((column.dt.date() < FIRST_DAY) | (fine != 0)).any()
    return column.dtype == pl.Boolean or column.dtype == pl.Time or column.dtype.is_decimal()
