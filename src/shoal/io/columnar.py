"""Files that hold columns or records with their types: parquet, Arrow and JSON lines."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InvalidInput
from shoal.io.dates import read_text_dates, written_dates
from shoal.io.form import Form
from shoal.io.infer import blank_missing, check_type
from shoal.io.packed import packing, unpacked
from shoal.table import Attribute, Table, as_table

PANDAS_INDEX = "__index_level_0__"


def read_parquet(path: Path, form: Form) -> Table:
    """A parquet file as a table; the index of pandas is an identifier."""
    return _described(parquet_cells(path, form), form)


def parquet_cells(path: Path, form: Form) -> pl.DataFrame:
    """The columns of a parquet file as they are."""
    return _opened(path, "parquet", lambda: pl.read_parquet(path, glob=False))


def write_parquet(frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, form: Form) -> None:
    """Write the columns with their types and nothing else."""
    with path.open("wb") as stream:
        frame.write_parquet(stream)


def read_arrow(path: Path, form: Form) -> Table:
    """An Arrow file (Feather) as a table, of the file or the stream format."""
    return _described(arrow_cells(path, form), form)


def arrow_cells(path: Path, form: Form) -> pl.DataFrame:
    """The columns of an Arrow file as they are."""
    raw = path.read_bytes()
    read = pl.read_ipc if raw.startswith(b"ARROW1") else pl.read_ipc_stream
    return _opened(path, "Arrow", lambda: read(io.BytesIO(raw)))


def write_arrow(frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, form: Form) -> None:
    """Write the columns with their types and nothing else, in the file format, as Feather reads it."""
    with path.open("wb") as stream:
        frame.write_ipc(stream, compression="lz4", compat_level=pl.CompatLevel.oldest())


def read_jsonl(path: Path, form: Form) -> Table:
    """A file of JSON lines as a table; texts that all are dates become dates."""
    return _described(jsonl_cells(path, form), form, guess=True)


def jsonl_cells(path: Path, form: Form) -> pl.DataFrame:
    """The columns of a file of JSON lines; a key that a line lacks is missing there."""
    raw = unpacked(path).removeprefix(b"\xef\xbb\xbf")
    if not raw.strip():
        raise InvalidInput(f"{path.name} is empty; at least one line with a record is needed.")
    return _opened(path, "JSON lines", lambda: pl.read_ndjson(raw, infer_schema_length=None))


def write_jsonl(frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, form: Form) -> None:
    """Write one JSON object per record; missing is null."""
    frame = written_dates(frame, {name: a.written for name, a in attributes.items()} | dict(form.dates))
    if frame.is_empty():
        raise InvalidInput("A file of JSON lines cannot hold a table of 0 records; write csv or parquet.")
    with path.open("wb") as stream, packing(stream, form.extension) as packed:
        packed.write(frame.write_ndjson().encode())


def _opened(path: Path, what: str, read: Callable[[], Any]) -> pl.DataFrame:
    try:
        frame: pl.DataFrame = read()
    except (pl.exceptions.PolarsError, OSError, pl.exceptions.PanicException) as error:
        raise InvalidInput(f"{path.name} is broken or no {what} file; export it again.") from error
    return frame


def _described(frame: pl.DataFrame, form: Form, *, guess: bool = False) -> Table:
    for column in frame:
        check_type(column)
    frame, patterns = read_text_dates(frame, form.dates, guess=guess)
    frame = frame.with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None))
    table = as_table(blank_missing(frame, form.missing_codes, "."))
    described = (replace(a, written=patterns.get(a.name, "")) for a in table.attributes)
    return Table(
        table.frame, tuple(replace(a, role="identifier") if a.name == PANDAS_INDEX else a for a in described)
    )
