"""Csv files: what dialect they are in, reading them into a frame, writing a frame in a dialect."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import polars as pl

from shoal._check import check_choice
from shoal.errors import InvalidInput
from shoal.io.csv_detect import (
    SAMPLE_CHARACTERS,
    SEPARATORS,
    check_separator,
    decode_file,
    detect_separator,
    known_encoding,
    split_text,
    without_separator_line,
)
from shoal.io.dates import written_dates
from shoal.io.form import Form
from shoal.io.infer import DecimalMark, Missing, blank_missing, detect_decimal, infer_column
from shoal.io.packed import packing
from shoal.io.paths import existing_file
from shoal.table import Attribute, Table, as_table

ROWS_AT_ONCE = 100_000  # written at once, so that texts of a large file do not fill the memory


@dataclass(frozen=True)
class CsvFormat:
    """How a csv file is written: its separator, its decimal mark, its encoding and how its lines end.

    Examples
    --------
    >>> CsvFormat(separator=";", decimal=",")
    CsvFormat(separator=';', decimal=',', encoding='utf-8', line_end='\\n')
    """

    separator: str = ","
    decimal: DecimalMark = "."
    encoding: str = "utf-8"
    line_end: str = "\n"

    def __post_init__(self) -> None:
        check_separator(self.separator)
        check_choice("decimal", self.decimal, (".", ","))
        known_encoding(self.encoding)
        check_choice("line_end", self.line_end, ("\n", "\r\n"))
        if self.separator == self.decimal:
            raise InvalidInput(
                f"Separator and decimal mark are both {self.decimal!r}; give another separator such as ';'."
            )


def detect_csv(
    path: str | PathLike[str],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> CsvFormat:
    """Tell the separator, the decimal mark, the encoding and the line ends of a csv file.

    Parameters
    ----------
    path
        The file; it may be packed with gzip or zstd.
    separator, decimal, encoding
        What is known already; only the rest is detected.

    Returns
    -------
    CsvFormat

    Notes
    -----
    Reads the whole file once, in memory. Encoding: a byte order mark decides, then utf-8, then cp1252.
    Separator: of comma, semicolon, tab and bar the one that cuts most of the first 1000 rows into as many
    cells as the header. Decimal mark: the point in a comma-separated file, else what the columns of numbers
    show. What cannot be told (thousands or decimals?) is asked for with `InvalidInput`, never guessed.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "income.csv"
    >>> _ = file.write_text("town;income\\nVic;12,5\\nOlot;8,25\\n")
    >>> detect_csv(file)
    CsvFormat(separator=';', decimal=',', encoding='utf-8', line_end='\\n')
    """
    return _open(existing_file(path), separator, decimal, encoding, None).dialect


def read_csv(path: Path, form: Form) -> Table:
    """The file as a table with a type for every column; a first column without a name is an identifier."""
    texts = _open(path, form.separator, form.decimal, form.encoding, form.missing_codes)
    mark = texts.dialect.decimal
    frame = blank_missing(texts.frame, form.missing_codes, mark)
    return typed(frame, mark, form, identifier=frame.columns[0] if texts.has_row_names else "")


def typed(frame: pl.DataFrame, mark: DecimalMark, form: Form, identifier: str = "") -> Table:
    """A frame of texts as a table: numbers, truth values and dates where all values of a column are some."""
    found = [infer_column(c, mark, c.name in form.numeric, form.dates.get(c.name)) for c in frame]
    patterns = {column.name: pattern for column, pattern in found}
    table = as_table(pl.DataFrame([column for column, _ in found]))
    attributes = (replace(a, written=patterns[a.name]) for a in table.attributes)
    return Table(
        table.frame, tuple(replace(a, role="identifier") if a.name == identifier else a for a in attributes)
    )


def csv_cells(path: Path, form: Form) -> pl.DataFrame:
    """The cells as texts, exactly as they stand in the file; an empty one is missing."""
    text, _ = without_separator_line(decode_file(path, form.encoding)[0])
    return split_text(text, dialect_of(form).separator)[0]


class _Texts(NamedTuple):
    """The cells of a file as texts, the dialect they were in, and whether the first column has no name."""

    frame: pl.DataFrame
    dialect: CsvFormat
    has_row_names: bool


def _open(
    path: Path, separator: str | None, decimal: str | None, encoding: str | None, missing: Missing
) -> _Texts:
    if decimal is not None:
        check_choice("decimal", decimal, (".", ","))
    text, encoding = decode_file(path, encoding)
    text, said = without_separator_line(text)
    separator = separator or said
    line_end = "\r\n" if "\r\n" in text[:SAMPLE_CHARACTERS] else "\n"
    if separator is None:
        first = "\t" if {".tsv", ".tab"} & {suffix.lower() for suffix in path.suffixes} else ","
        candidates = (first, *(mark for mark in SEPARATORS if mark != first))
        separator = detect_separator(text, tuple(mark for mark in candidates if mark != decimal))
    frame, has_row_names = split_text(text, check_separator(separator))
    frame = blank_missing(frame, missing, None)
    mark = detect_decimal(frame, separator) if decimal is None else cast(DecimalMark, decimal)
    return _Texts(frame, CsvFormat(separator, mark, encoding, line_end), has_row_names)


def dialect_of(form: Form) -> CsvFormat:
    """The dialect to write in: what the form says, else what is usual for its extension."""
    decimal = form.decimal or "."
    tabs = form.extension.startswith((".tsv", ".tab"))
    separator = form.separator or ("\t" if tabs else ";" if decimal == "," else ",")
    return CsvFormat(separator, cast(DecimalMark, decimal), form.encoding or "utf-8", form.line_end or "\n")


def write_csv(frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, form: Form) -> None:
    """Write a frame; a missing value is an empty cell (quoted if it would leave a blank line)."""
    dialect = dialect_of(form)
    patterns = {name: a.written for name, a in attributes.items()} | dict(form.dates)
    frame = written_decimals(
        written_truths(written_dates(frame, patterns), patterns), patterns, dialect.decimal
    )
    _check_encoding(frame, dialect.encoding)
    with path.open("wb") as stream, packing(stream, form.extension) as packed:
        _write_text(frame, packed, dialect)


def written_truths(frame: pl.DataFrame, patterns: Mapping[str, str]) -> pl.DataFrame:
    """The frame with truth values in the words they were read in.

    >>> written_truths(pl.DataFrame({"paid": [True, None]}), {"paid": "False|True"})["paid"].to_list()
    ['True', None]
    """
    words = {c.name: patterns.get(c.name, "").split("|") for c in frame if c.dtype == pl.Boolean}
    return frame.with_columns(
        pl.when(pl.col(name)).then(pl.lit(said[1])).when(~pl.col(name)).then(pl.lit(said[0])).alias(name)
        for name, said in words.items()
        if len(said) == 2
    )


def written_decimals(frame: pl.DataFrame, patterns: Mapping[str, str], mark: str = ".") -> pl.DataFrame:
    """The frame with numbers written as they were read: 1.50, or 2 among 2.5; no digit is cut off.

    >>> written_decimals(pl.DataFrame({"price": [1.5, 2.125]}), {"price": "%.2f"})["price"].to_list()
    ['1.50', '2.125']
    """
    columns = []
    for column in frame:
        found = re.fullmatch(r"%\.(\d+)f", patterns.get(column.name, ""))
        if column.dtype.is_float() and patterns.get(column.name) == "%g":
            column = column.cast(pl.String).str.strip_suffix(".0").str.replace(".", mark, literal=True)
        elif found and column.dtype.is_float():
            column = column.cast(pl.String)
            for zeros in range(1, int(found[1])):
                short = rf"^(-?\d+\.\d{{{int(found[1]) - zeros}}})$"
                column = column.str.replace(short, "${1}" + "0" * zeros)
            column = column.str.replace(".", mark, literal=True)
        columns.append(column)
    return pl.DataFrame(columns) if columns else frame


def _write_text(frame: pl.DataFrame, stream: BinaryIO, dialect: CsvFormat) -> None:
    writer = io.TextIOWrapper(stream, encoding=dialect.encoding, newline="", write_through=True)
    for start in range(0, max(frame.height, 1), ROWS_AT_ONCE):
        part = frame.slice(start, ROWS_AT_ONCE)
        if dialect.decimal == ",":
            part = pl.DataFrame([_with_comma(column) for column in part])
        gap = '""' if frame.width == 1 else ""
        text = part.write_csv(
            include_header=start == 0,
            separator=dialect.separator,
            null_value=gap,
            line_terminator=dialect.line_end,
        )
        writer.write(text)
    writer.detach()


def _with_comma(column: pl.Series) -> pl.Series:
    if not (column.dtype.is_float() or column.dtype.is_decimal()):
        return column
    return column.cast(pl.String).str.replace(".", ",", literal=True)


def _check_encoding(frame: pl.DataFrame, encoding: str) -> None:
    """Refuse a character that the encoding lacks, by the column it is in."""
    if codecs.lookup(encoding).name.startswith("utf"):
        return
    for column in frame:
        texts = column.drop_nulls().unique() if column.dtype == pl.String else ()
        try:
            "".join([column.name, *texts]).encode(encoding)
        except UnicodeEncodeError:  # its message would quote the table
            raise InvalidInput(
                f"Column {column.name!r} has a character that {encoding} lacks; write with encoding='utf-8'."
            ) from None
