"""Reading a file into a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import polars as pl

from shoal._options import renamed
from shoal.errors import InvalidInput
from shoal.io.csv import read_csv
from shoal.io.infer import Missing, blank_missing, check_type
from shoal.io.paths import CSV, STATISTICAL, existing_file, extension
from shoal.io.statistical import read_statistical
from shoal.table import Table, as_table
from shoal.types import Kind

PANDAS_INDEX = "__index_level_0__"


@renamed(missing="missing_codes")
def read_table(
    path: str | PathLike[str],
    *,
    roles: Mapping[str, Iterable[str] | str] | None = None,
    kinds: Mapping[str, Kind | Iterable[Any]] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing_codes: Missing = None,
) -> Table:
    """Read a file (csv, parquet, SPSS, Stata, SAS) as a `Table`; its extension tells the format.

    Parameters
    ----------
    path
        The file: .csv, .tsv, .tab or .txt (also with .gz), .parquet and, with ``pip install "shoal[stat]"``,
        .sav, .zsav, .dta, .sas7bdat and .xpt.
    roles, kinds
        As in `as_table`: column names by role, and kind by column name where the inferred one is wrong.
    separator, decimal, encoding
        How a csv file is written, where it should not be detected (see `detect_csv`). The encoding also
        holds for SPSS, Stata and SAS.
    missing_codes
        Further values that mean missing, for all columns (``[-999, "refused"]``) or by column
        (``{"income": [-9, -8]}``). No number is ever taken as missing unless named here.

    Returns
    -------
    Table
        With a polars frame. A file with a header and no records gives a table of 0 records.

    Notes
    -----
    In a csv file an empty cell, quoted or not, is missing. NA, NaN, N/A, null, None and a lone point are
    missing only where all other values of the column are numbers, truth values or dates; in a column of text
    they stay values (NA is Namibia). A column is numeric only if every value is a plain number: thousands
    marks are not guessed, and one padded zero (01234) or a whole number of more than 18 digits keeps it text.
    true/false become truth values, ISO dates become dates. An infinite number is refused. Blank lines are
    skipped. A first column without a name, as R and pandas write their row names, is called column_1 and is
    an identifier unless `roles` says otherwise, and so is the index that pandas writes into parquet.

    In files of SPSS, Stata and SAS a column with value labels is nominal, or what SPSS's measure says
    (a scale stays numeric if some of its values have no label); codes stay the values. SPSS's user-missing
    values, Stata's .a to .z and empty texts are read as missing.

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
    path = existing_file(path)
    kind_of_file = extension(path)
    if kind_of_file in CSV:
        numeric = [name for name, kind in (kinds or {}).items() if kind == "numeric"]
        frame, has_row_names = read_csv(
            path,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            missing=missing_codes,
            numeric=numeric,
        )
        table = _as_identifier(as_table(frame), frame.columns[0] if has_row_names else "")
    elif kind_of_file in STATISTICAL:
        table = read_statistical(path, kind_of_file, encoding)
        table = replace(table, frame=blank_missing(table.frame, missing_codes, "."))
    else:
        frame = blank_missing(_read_parquet(path), missing_codes, ".")
        table = _as_identifier(as_table(frame), PANDAS_INDEX)
    return as_table(table, roles=roles, kinds=kinds)


def _read_parquet(path: Path) -> pl.DataFrame:
    try:
        frame = pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InvalidInput(f"{path.name} is broken or no parquet file; export it again.") from error
    for column in frame:
        check_type(column)
    return frame.with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None))


def _as_identifier(table: Table, name: str) -> Table:
    """The table with this column, if there is one, as identifier: it numbers or names the records."""
    attributes = tuple(replace(a, role="identifier") if a.name == name else a for a in table.attributes)
    return replace(table, attributes=attributes)
