"""Writing a table as the file that is released."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, cast

import narwhals as nw
import numpy as np
import polars as pl

from shoal.errors import InvalidInput
from shoal.io.atomic import check_target, whole_file
from shoal.io.csv import CsvFormat, write_csv
from shoal.io.infer import DecimalMark, check_type
from shoal.io.paths import CSV, STATISTICAL, extension
from shoal.io.statistical import write_statistical
from shoal.table import Table
from shoal.types import RandomState


def write_table(
    table: Table,
    path: str | PathLike[str],
    *,
    shuffle: bool = True,
    identifiers: bool = False,
    overwrite: bool = False,
    separator: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8",
    rng: RandomState = None,
) -> Path:
    """Write a table as a file to release: shuffled, without identifiers, whole or not at all.

    Parameters
    ----------
    table
        The table; its frame may be of pandas, polars or pyarrow.
    path
        Where to write; the extension tells the format (those of `read_table`, but .sas7bdat).
    shuffle
        Write the records in random order. The order of a file is information: whoever holds a file in the
        original order would link every record by its position.
    identifiers
        Write the columns of role "identifier" too.
    overwrite
        Replace a file that exists.
    separator, decimal, encoding
        How a csv file is written. By default the separator is a tab in .tsv and .tab, a semicolon with a
        decimal comma, else a comma. `detect_csv` gives those of another file.
    rng
        Seed or generator of the shuffle; None, the default, draws fresh randomness. With a known seed the
        original order can be restored, so a seed is as secret as the file.

    Returns
    -------
    Path
        The path written.

    Notes
    -----
    The file is written under another name in the same folder, flushed to the disk and then renamed: a full
    disk, an interrupt or a crash leaves nothing, or the old file, at `path`.

    Left out is what could tell more than the values: the index, metadata of pandas in parquet, categories
    that no longer occur (categories are written as text), labels of codes that no longer occur, notes and
    file labels. Variable labels stay, and labels of codes that occur (.xpt has none). The time of writing
    stays in .sav, .dta and .xpt, which keep times to the millisecond and in UTC.

    In csv a missing value and an empty text are both an empty cell. Texts that begin with ``=``, ``+``,
    ``-`` or ``@`` are written as they are (changing them would change the statistics): a spreadsheet may
    take them for formulas.

    Cost: one copy of the table in memory; SPSS, Stata and SAS files are read back and compared.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from shoal.table import as_table
    >>> people = as_table({"name": ["Ana", "Pau"], "age": [30, 41]}, roles={"identifier": "name"})
    >>> file = write_table(people, pathlib.Path(tempfile.mkdtemp()) / "safe.csv", rng=1)
    >>> sorted(file.read_text().split())
    ['30', '41', 'age']
    """
    rng = np.random.default_rng(rng)
    path = Path(path)
    kind_of_file = extension(path)
    check_target(path, overwrite)
    dialect = _dialect(kind_of_file, separator, decimal, encoding)
    frame = _released(table, identifiers)
    if shuffle:
        frame = frame[rng.permutation(frame.height)]
    with whole_file(path, overwrite) as temporary:
        if kind_of_file in STATISTICAL:
            write_statistical(frame, {a.name: a for a in table.attributes}, temporary, kind_of_file)
        else:
            with temporary.open("wb") as stream:
                if kind_of_file in CSV:
                    write_csv(frame, stream, dialect, packed=kind_of_file.endswith(".gz"))
                else:
                    frame.write_parquet(stream)
    return path


def _dialect(kind_of_file: str, separator: str | None, decimal: str, encoding: str) -> CsvFormat:
    if separator is None:
        tabs = kind_of_file.startswith((".tsv", ".tab"))
        separator = "\t" if tabs else ";" if decimal == "," else ","
    return CsvFormat(separator, cast(DecimalMark, decimal), encoding)


def _released(table: Table, identifiers: bool) -> pl.DataFrame:
    """The columns to release as a polars frame of plain types; nothing of the original frame is kept."""
    if not isinstance(table, Table):
        raise InvalidInput(f"`table` must be a Table, got {type(table).__name__}; write as_table(frame).")
    names = [a.name for a in table.attributes if identifiers or a.role != "identifier"]
    if not names:
        raise InvalidInput("Every column is an identifier, so nothing is left to write; give other roles.")
    frame = nw.from_native(table.frame, eager_only=True)
    return pl.DataFrame([_plain(_as_polars(frame[name])) for name in names])


def _as_polars(series: nw.Series[Any]) -> pl.Series:
    try:
        return series.to_polars()
    except Exception:  # pandas without pyarrow, or a column of objects: value by value
        values = [None if absent else value for value, absent in zip(series, series.is_null(), strict=True)]
    try:
        return pl.Series(series.name, values, strict=True)
    except (TypeError, pl.exceptions.PolarsError):  # its message would quote a value
        raise InvalidInput(
            f"Column {series.name!r} mixes types, such as numbers and text; make them one type."
        ) from None


def _plain(column: pl.Series) -> pl.Series:
    """Categories as text (a list of categories tells what the original held), NaN as missing."""
    check_type(column)
    if column.dtype in (pl.Categorical, pl.Enum, pl.Null):
        return column.cast(pl.String)
    return column.fill_nan(None) if column.dtype.is_float() else column
