"""The menu of file formats: what extensions they have, how they are read, written and read back.

Another package adds a format by an entry point of the group "shoal.formats" that names a `Format`.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeAlias

import polars as pl

from shoal.errors import InputWarning, InvalidInput
from shoal.io.columnar import (
    arrow_cells,
    jsonl_cells,
    parquet_cells,
    read_arrow,
    read_jsonl,
    read_parquet,
    write_arrow,
    write_jsonl,
    write_parquet,
)
from shoal.io.csv import csv_cells, read_csv, write_csv
from shoal.io.fixed_width import FIXED_WIDTH, fixed_width_cells, read_fixed_width, write_fixed_width
from shoal.io.form import Form
from shoal.io.paths import CSV
from shoal.io.spreadsheet import read_spreadsheet, spreadsheet_cells, write_excel, write_ods
from shoal.io.statistical import holds_declared, read_statistical, statistical_cells, write_statistical
from shoal.table import Attribute, Table

Reader: TypeAlias = Callable[[Path, Form], Table]
Writer: TypeAlias = Callable[[pl.DataFrame, Mapping[str, Attribute], Path, Form], None]
Cells: TypeAlias = Callable[[Path, Form], pl.DataFrame]


@dataclass(frozen=True)
class Format:
    """A kind of file: its name, its extensions and what reads and writes it.

    `read` gives a table, `cells` the values as a stranger with the file finds them (texts in a text file),
    `write` a frame of plain types at a path; a format without it is only read. `loses` names what there is no
    place for: "labels of columns", "labels of values", "codes that mean missing".
    """

    name: str
    extensions: tuple[str, ...]
    read: Reader
    cells: Cells
    write: Writer | None = None
    loses: tuple[str, ...] = ()


COLUMNS, VALUES, CODES = "labels of columns", "labels of values", "codes that mean missing"
ALL = (COLUMNS, VALUES, CODES)
FORMATS: tuple[Format, ...] = (
    Format("text with a separator", CSV, read_csv, csv_cells, write_csv, ALL),
    Format("parquet", (".parquet",), read_parquet, parquet_cells, write_parquet, ALL),
    Format("Arrow", (".arrow", ".feather", ".ipc"), read_arrow, arrow_cells, write_arrow, ALL),
    Format(
        "JSON lines",
        (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst"),
        read_jsonl,
        jsonl_cells,
        write_jsonl,
        ALL,
    ),
    Format("Excel", (".xlsx",), read_spreadsheet, spreadsheet_cells, write_excel, ALL),
    Format("Excel, older", (".xls", ".xlsb", ".xlsm"), read_spreadsheet, spreadsheet_cells),
    Format("OpenDocument", (".ods",), read_spreadsheet, spreadsheet_cells, write_ods, ALL),
    Format(
        "fixed width", FIXED_WIDTH, read_fixed_width, fixed_width_cells, write_fixed_width, (COLUMNS, VALUES)
    ),
    Format("SPSS", (".sav", ".zsav"), read_statistical, statistical_cells, write_statistical),
    Format("Stata", (".dta",), read_statistical, statistical_cells, write_statistical, (CODES,)),
    Format(
        "SAS transport", (".xpt",), read_statistical, statistical_cells, write_statistical, (VALUES, CODES)
    ),
    Format("SAS", (".sas7bdat",), read_statistical, statistical_cells),
)


@functools.cache
def formats() -> tuple[Format, ...]:
    """The formats of shoal and those that other packages add."""
    added = (entry.load() for entry in entry_points(group="shoal.formats"))
    return (*FORMATS, *added)


def extension(path: Path) -> str:
    """The known extension of a file name, in lower case, with the .gz of a packed file.

    >>> extension(Path("People.CSV.gz"))
    '.csv.gz'
    """
    name = path.name.lower()
    known = [extension for format in formats() for extension in format.extensions]
    fitting = [ending for ending in known if name.endswith(ending)]
    if not fitting:
        raise InvalidInput(f"The extension of {path.name!r} is not known; known are {', '.join(known)}.")
    return max(fitting, key=len)


def format_of(path: Path) -> Format:
    """The format that the extension of a file name tells.

    >>> format_of(Path("people.feather")).name
    'Arrow'
    """
    return format_called(extension(path))


def format_called(ending: str) -> Format:
    """The format with this extension; one added by another package comes last."""
    return next(format for format in formats() if ending in format.extensions)


def writer_of(ending: str) -> Writer:
    """What writes files of this extension, or a sentence that they are only read."""
    writer = format_called(ending).write
    if writer is None:
        instead = {".sas7bdat": ".xpt, which SAS reads"}.get(ending, ".xlsx")
        raise InvalidInput(f"Files {ending} can be read but not written; write {instead}.")
    return writer


def warn_of_lost(
    what: str, loses: tuple[str, ...], frame: pl.DataFrame, known: Mapping[str, Attribute]
) -> None:
    """Say which labels and declarations of missing codes are not written: there is no place for them."""
    having: dict[str, list[str]] = {COLUMNS: [], VALUES: [], CODES: []}
    for column in frame:
        attribute = known.get(column.name)
        if attribute is None:
            continue
        if attribute.label:
            having[COLUMNS].append(column.name)
        if attribute.value_labels:
            having[VALUES].append(column.name)
        if attribute.missing_codes and holds_declared(column, attribute.missing_codes):
            having[CODES].append(column.name)
    lost = [f"{kind} ({', '.join(having[kind][:5])})" for kind in loses if having[kind]]
    if lost:
        warnings.warn(
            f"{what} has no place for {' and '.join(lost)}; they are not written, as a .sav would have them.",
            InputWarning,
            stacklevel=3,
        )
