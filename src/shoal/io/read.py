"""Reading a file or a table of a database into a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path

import polars as pl

from shoal._shared.log import told
from shoal._shared.options import renamed
from shoal.errors import InvalidInput
from shoal.io.address import Address, source_of
from shoal.io.csv import csv_cells, detect_csv
from shoal.io.dates import read_text_dates
from shoal.io.fixed_width import FIXED_WIDTH, fixed_width_cells
from shoal.io.form import Form
from shoal.io.formats import extension, format_called
from shoal.io.infer import Missing, blank_missing, check_type
from shoal.io.layout import Layout, read_layout
from shoal.io.muargus import layout_beside, read_metadata
from shoal.io.paths import CSV, existing_file
from shoal.table import Table, as_table
from shoal.types import Kind, Order, Role


@renamed(missing="missing_codes")
def read_table(
    path: str | PathLike[str] | Address,
    *,
    roles: Mapping[Role, Iterable[str] | str] | None = None,
    kinds: Mapping[str, Kind | Order] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing_codes: Missing = None,
    dates: Mapping[str, str] | None = None,
    sheet: str | None = None,
    layout: str | PathLike[str] | None = None,
    keep_codes: bool = False,
    table: str | None = None,
    query: str | None = None,
) -> Table:
    """Read a file or a table of a database as a `Table`; its extension or its address tells the format.

    Parameters
    ----------
    path
        The file: .csv, .tsv, .tab or .txt (also with .gz or .zst), .parquet, .arrow or .feather, .jsonl;
        with ``pip install "shoal[files]"`` .xlsx, .xls, .xlsb, .ods; with ``"shoal[stat]"`` .sav, .zsav,
        .dta, .sas7bdat and .xpt; .asc, .dat or .fwf with a layout. Or, with ``"shoal[databases]"``, the
        address of a database: ``postgresql://...``, ``sqlite:FILE``, ``duckdb:FILE``, or a file .sqlite, .db
        or .duckdb.
    roles, kinds
        As in `as_table`: column names by role, and kind by column name where the inferred one is wrong.
    separator, decimal, encoding
        How a csv file is written, where it should not be detected (see `detect_csv`). The encoding also
        holds for fixed width, SPSS, Stata and SAS.
    missing_codes
        Further values that mean missing, for all columns (``[-999, "refused"]``) or by column
        (``{"income": [-9, -8]}``). No number is ever taken as missing unless named here.
    dates
        Patterns of dates by column (``{"born": "%d/%m/%Y"}``), where day and month cannot be told apart.
    sheet
        Which sheet of a spreadsheet, where several hold values.
    layout
        Where the columns of a fixed-width file stand: a csv file with the columns name, start (from 1) and
        width (decimals and missing if wanted), or mu-Argus metadata (.rda). By default the .rda or
        .layout.csv of the same name beside the file.
    keep_codes
        Keep SPSS's user-missing codes as values (a column in which one occurs is not numeric then).
    table, query
        Which table of a database (``schema.table`` too), or what to ask it.

    Returns
    -------
    Table
        With a polars frame. A file with a header and no records gives a table of 0 records.

    Notes
    -----
    In a text file an empty cell, quoted or not, is missing. NA, NaN, N/A, null, None and a lone point are
    missing only where all other values of the column are numbers, truth values or dates; in a column of text
    they stay values (NA is Namibia). A column is numeric only if every value is a plain number: thousands
    marks are not guessed, and one padded zero (01234) or a whole number of more than 18 digits keeps it text.
    true/false become truth values; 2020-12-31, 31.12.2020 and 31/12/2020 become dates, which are written
    again as they were. An infinite number is refused. Blank lines are skipped. A first column without a
    name, as R and pandas write their row names, is called column_1 and is an identifier unless `roles` says
    otherwise, and so is the index that pandas writes into parquet.

    In files of SPSS, Stata and SAS a column with value labels is nominal, or what SPSS's measure says
    (a scale stays numeric if some of its values have no label); codes stay the values. SPSS's user-missing
    values and Stata's .a to .z are read as missing, with a warning that tells where; which of several codes a
    cell had is not written again, but SPSS's declarations and their labels are. Empty texts are missing.

    mu-Argus: codes in the metadata are missing; HOUSE_ID and WEIGHT are roles; a column of an identification
    level from 1 is a quasi-identifier; the suppression priority is its `importance`; code lists give labels.

    User and password of a database come from the address, or better from the environment (PGUSER,
    PGPASSWORD), a pass file or ``postgresql:///?service=NAME``; they are never shown.

    Cost: the whole file is held in memory, a csv file about five times its size while it is read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = file.write_text("postcode;income\\n08193;12,5\\n17001;NA\\n")
    >>> read_table(file, roles={"quasi": "postcode"})
    Table of 2 records and 2 columns
      postcode: nominal, quasi
      income: numeric, other, 1 missing
    """
    source = source_of(path, table, query)
    found: Table | None = None
    with told(read_table, lambda: None if found is None else (len(found), len(found.attributes))):
        if isinstance(source, Address):
            found = _from_database(source, missing_codes, dates or {})
        else:
            source = existing_file(source)
            form = Form(
                extension(source),
                separator=separator,
                decimal=decimal,
                encoding=encoding,
                sheet=sheet,
                layout=layout_of(source, layout),
                dates=dates or {},
                missing_codes=missing_codes,
                numeric=tuple(name for name, kind in (kinds or {}).items() if kind == "numeric"),
                keep_codes=keep_codes,
            )
            found = format_called(form.extension).read(source, form)
        return as_table(found, roles=roles, kinds=kinds)


def text_cells(
    path: Path,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    layout: str | PathLike[str] | None = None,
) -> pl.DataFrame | None:
    """The cells of a csv or fixed-width file exactly as they stand; None for files that hold values.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = file.write_text("age\\n1\\n1.0\\n")
    >>> text_cells(file)["age"].to_list()
    ['1', '1.0']
    """
    ending = extension(path)
    if ending in FIXED_WIDTH:
        return fixed_width_cells(path, Form(ending, encoding=encoding, layout=layout_of(path, layout)))
    if ending not in CSV:
        return None
    found = detect_csv(path, separator=separator, decimal=decimal, encoding=encoding)
    return csv_cells(path, Form(ending, separator=found.separator, encoding=found.encoding))


def layout_of(path: Path, layout: str | PathLike[str] | None) -> Layout | None:
    """The layout that was given, or the one that lies beside a fixed-width file."""
    if layout is None:
        if extension(path) not in FIXED_WIDTH:
            return None
        beside = layout_beside(path)
        if beside is None:
            return None
    else:
        if extension(path) not in FIXED_WIDTH:
            raise InvalidInput(f"{path.name} needs no layout; leave `layout` out, or name the file .asc.")
        beside = existing_file(layout)
    return read_metadata(beside) if beside.suffix.lower() == ".rda" else read_layout(beside)


def _from_database(address: Address, missing_codes: Missing, dates: Mapping[str, str]) -> Table:
    from shoal.io.database import read_database

    frame = read_database(address).with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None))
    for column in frame:
        check_type(column)
    frame = blank_missing(frame, missing_codes, ".")
    frame, patterns = read_text_dates(frame, dates, guess=address.scheme == "sqlite")
    table = as_table(frame)
    return Table(table.frame, tuple(replace(a, written=patterns.get(a.name, "")) for a in table.attributes))
