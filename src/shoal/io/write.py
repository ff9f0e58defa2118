"""Writing a table as the file that is released."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from shoal._door import takes_frames
from shoal.errors import InvalidInput
from shoal.io.address import Address, source_of
from shoal.io.csv import detect_csv
from shoal.io.csv_detect import SAMPLE_CHARACTERS, decode_file
from shoal.io.draft import check_draft, drafted
from shoal.io.fixed_width import FIXED_WIDTH
from shoal.io.form import Form
from shoal.io.formats import extension
from shoal.io.infer import EXACT, check_type
from shoal.io.paths import existing_file, is_csv
from shoal.io.read import layout_of
from shoal.io.spreadsheet import SPREADSHEETS, only_sheet
from shoal.table import Table
from shoal.types import RandomState


@takes_frames
def write_table(
    table: Table,
    path: str | PathLike[str] | Address,
    *,
    shuffle: bool = True,
    identifiers: bool = False,
    overwrite: bool = False,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    line_end: str | None = None,
    sheet: str | None = None,
    layout: str | PathLike[str] | None = None,
    like: str | PathLike[str] | None = None,
    into: str | None = None,
    rng: RandomState = None,
) -> Path | Address:
    """Write a table as a file to release: shuffled, without identifiers, whole or not at all.

    Parameters
    ----------
    table
        The table; its frame may be of pandas, polars or pyarrow.
    path
        Where to write; the extension tells the format (those of `read_table`, but .sas7bdat, .xls and .xlsb),
        or the address of a database.
    shuffle
        Write the records in random order. The order of a file is information: whoever holds a file in the
        original order would link every record by its position.
    identifiers
        Write the columns of role "identifier" too.
    overwrite
        Replace a file that exists.
    separator, decimal, encoding, line_end
        How a csv file is written. By default the separator is a tab in .tsv and .tab, a semicolon with a
        decimal comma, else a comma. `detect_csv` gives those of another file. The encoding also holds for
        fixed width.
    sheet
        Name of the sheet in a spreadsheet, "Sheet1" by default.
    layout
        Layout of a fixed-width file, as in `read_table`; without one the columns are as wide as their values.
        It is written beside the file as mu-Argus metadata (.rda).
    like
        A file whose form (separator, decimal mark, encoding, line ends; layout; name of the sheet) is kept
        where nothing else is said.
    into
        The new table of a database; one that exists is refused.
    rng
        Seed or generator of the shuffle; None, the default, draws fresh randomness. With a known seed the
        original order can be restored, so a seed is as secret as the file.

    Returns
    -------
    Path
        The path written.

    Notes
    -----
    This is the plain writer: it promises nothing about k (`shoal.workflow.release` does).

    The file is written under another name in the same folder, flushed to the disk and then renamed: a full
    disk, an interrupt or a crash leaves nothing, or the old file, at `path`. A table of a database is written
    in one transaction.

    Left out is what could tell more than the values: the index, metadata of pandas in parquet, categories
    that no longer occur (categories are written as text), labels of codes that no longer occur, notes and
    file labels. Variable labels stay, and labels of codes that occur (.xpt has none). The time of writing
    stays in .sav, .dta and .xpt, which keep times to the millisecond and in UTC.

    Dates are written in the pattern they were read in. In csv 1.50 stays 1.50 where every number of the
    column had two decimals; in a column that mixes 1.5 and 1.50 equal numbers are written alike, as how a
    number is written would tell records apart. No digit is cut off. SPSS files keep which codes mean
    missing. In csv a missing value and an empty text are both an empty cell. Texts that begin with ``=``,
    ``+``, ``-`` or ``@`` are written as they are (changing them would change the statistics): a
    spreadsheet may take them for formulas.

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
    target = source_of(path, into)
    check_draft(target, overwrite=overwrite)
    form = Form("", separator, decimal, encoding, line_end, sheet)
    form = form_for(target, form, like=None if like is None else Path(like), layout=layout)
    frame = frame_to_release(table, identifiers=identifiers)
    if shuffle:
        frame = frame[rng.permutation(frame.height)]
    with drafted(target, form, overwrite=overwrite) as draft:
        draft.write(frame, {a.name: a for a in table.attributes})
    return target


def form_for(
    target: Path | Address,
    form: Form,
    *,
    like: Path | None = None,
    layout: str | PathLike[str] | None = None,
    read: Mapping[str, Any] | None = None,
) -> Form:
    """The form to write in: what `form` says, else what the file `like` has, else the usual one.

    `read` are the options that `like` was read with: what was said of it need not be told by its bytes again.

    >>> form_for(Path("safe.tsv"), Form(decimal=",")).extension
    '.tsv'
    """
    if isinstance(target, Address):
        return form
    ending, read = extension(target), read or {}
    if layout is not None or ending in FIXED_WIDTH:
        beside = layout_of(target, layout) if layout is not None else None
        if beside is None and like is not None and extension(like) in FIXED_WIDTH:
            beside = layout_of(like, read.get("layout"))
        form = replace(form, layout=beside)
    if like is not None and is_csv(target) and is_csv(like):
        known = {name: getattr(form, name) or read.get(name) for name in ("separator", "decimal", "encoding")}
        found = detect_csv(like, **known)
        form = replace(
            form,
            separator=found.separator if _share_separator(ending, extension(like)) else form.separator,
            decimal=found.decimal,
            encoding=found.encoding,
            line_end=form.line_end or found.line_end,
        )
    if like is not None and {ending, like.suffix.lower()} <= set(FIXED_WIDTH):
        text, encoding = decode_file(existing_file(like), form.encoding or read.get("encoding"))
        line_end = form.line_end or ("\r\n" if "\r\n" in text[:SAMPLE_CHARACTERS] else "\n")
        form = replace(form, encoding=encoding, line_end=line_end)
    if like is not None and form.sheet is None and {ending, like.suffix.lower()} <= SPREADSHEETS:
        form = replace(form, sheet=read.get("sheet") or only_sheet(like))
    return replace(form, extension=ending)


def _share_separator(target: str, like: str) -> bool:
    """Whether a file of one extension may have the separator of another: .tsv has tabs, .csv has none.

    >>> _share_separator(".csv.gz", ".csv"), _share_separator(".tsv", ".csv")
    (True, False)
    """
    tabs = [ending.startswith((".tsv", ".tab")) for ending in (target, like)]
    return target.startswith(".txt") or tabs[0] == tabs[1]


@takes_frames
def frame_to_release(table: Table, *, identifiers: bool = False) -> pl.DataFrame:
    """The columns to release as a polars frame of plain types; nothing of the original frame is kept.

    >>> from shoal.table import as_table
    >>> frame_to_release(as_table({"name": ["a"], "age": [3]}, roles={"identifier": "name"})).columns
    ['age']
    """
    if not isinstance(table, Table):
        raise InvalidInput(f"`table` must be a Table, got {type(table).__name__}; write as_table(frame).")
    names = [a.name for a in table.attributes if identifiers or a.role != "identifier"]
    if not names:
        raise InvalidInput("Every column is an identifier, so nothing is left to write; give other roles.")
    frame = nw.from_native(table.frame, eager_only=True)
    columns = [_plain(_as_polars(frame[name])) for name in names]
    if frame.implementation.is_pandas():
        columns = [_whole_again(column) for column in columns]
    return pl.DataFrame(columns)


def _whole_again(column: pl.Series) -> pl.Series:
    """Whole numbers with gaps, which pandas keeps as floats, as whole numbers: 2 and not 2.0."""
    if not column.dtype.is_float() or not 0 < column.null_count() < len(column):
        return column
    whole = ((column == column.round()) & (column.abs() < EXACT)).all()
    return column.cast(pl.Int64) if whole else column


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
    if not column.dtype.is_float():
        return column
    column = column.fill_nan(None)
    return column.set((column == 0).fill_null(False), 0.0)  # -0.0 is the same number and another text
