"""Csv files: what dialect they are in, reading them into a frame, writing a frame in a dialect."""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import polars as pl

from shoal._check import check_choice
from shoal.errors import InvalidInput
from shoal.io.csv_detect import (
    SEPARATORS,
    check_separator,
    decode_file,
    detect_separator,
    known_encoding,
    split_text,
)
from shoal.io.infer import DecimalMark, Missing, blank_missing, detect_decimal, infer_column
from shoal.io.paths import existing_file

ROWS_AT_ONCE = 100_000


@dataclass(frozen=True)
class CsvFormat:
    """How a csv file is written: its separator, its decimal mark and its encoding.

    Examples
    --------
    >>> CsvFormat(separator=";", decimal=",")
    CsvFormat(separator=';', decimal=',', encoding='utf-8')
    """

    separator: str = ","
    decimal: DecimalMark = "."
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        check_separator(self.separator)
        check_choice("decimal", self.decimal, (".", ","))
        known_encoding(self.encoding)
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
    """Tell the separator, the decimal mark and the encoding of a csv file.

    Parameters
    ----------
    path
        The file; it may be packed with gzip.
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
    CsvFormat(separator=';', decimal=',', encoding='utf-8')
    """
    return _open(existing_file(path), separator, decimal, encoding, None).dialect


def read_csv(
    path: Path,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: Missing = None,
    numeric: Collection[str] = (),
) -> tuple[pl.DataFrame, bool]:
    """A frame with a type for every column, and whether its first column had no name.

    Columns said to be `numeric` may have padding zeros or no value at all.
    """
    texts = _open(path, separator, decimal, encoding, missing)
    mark = texts.dialect.decimal
    frame = blank_missing(texts.frame, missing, mark)
    columns = [infer_column(column, mark, column.name in numeric) for column in frame]
    return pl.DataFrame(columns), texts.has_row_names


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
    if separator is None:
        first = "\t" if {".tsv", ".tab"} & {suffix.lower() for suffix in path.suffixes} else ","
        candidates = (first, *(mark for mark in SEPARATORS if mark != first))
        separator = detect_separator(text, tuple(mark for mark in candidates if mark != decimal))
    frame, has_row_names = split_text(text, check_separator(separator))
    frame = blank_missing(frame, missing, None)
    mark = detect_decimal(frame, separator) if decimal is None else cast(DecimalMark, decimal)
    return _Texts(frame, CsvFormat(separator, mark, encoding), has_row_names)


def write_csv(frame: pl.DataFrame, stream: BinaryIO, dialect: CsvFormat, *, packed: bool = False) -> None:
    """Write a frame; a missing value is an empty cell (quoted if it would leave a blank line)."""
    _check_encoding(frame, dialect.encoding)
    if packed:
        # no file name and no time in the header of the packed file
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packing:
            _write_text(frame, cast(BinaryIO, packing), dialect)
    else:
        _write_text(frame, stream, dialect)


def _write_text(frame: pl.DataFrame, stream: BinaryIO, dialect: CsvFormat) -> None:
    writer = io.TextIOWrapper(stream, encoding=dialect.encoding, newline="", write_through=True)
    for start in range(0, max(frame.height, 1), ROWS_AT_ONCE):
        part = frame.slice(start, ROWS_AT_ONCE)
        if dialect.decimal == ",":
            part = pl.DataFrame([_with_comma(column) for column in part])
        gap = '""' if frame.width == 1 else ""
        writer.write(part.write_csv(include_header=start == 0, separator=dialect.separator, null_value=gap))
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
