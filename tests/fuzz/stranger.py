"""An independent count: a stranger opens the written file, and counts lines that look the same, as text."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl

PLACE = re.compile(r'"?(.*?)"? (\d+) (\d+)')  # of a column in a line: name, first character, width


def rows_of(path: Path, separator: str) -> list[dict[str, str]]:
    """The cells of a file as texts, by another reader than shoal's where there is one."""
    ending = path.suffix
    if ".csv" in path.suffixes or ending == ".tsv":
        text = _unpacked(path)
        return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    if {".jsonl", ".ndjson"} & set(path.suffixes):
        return _texts([json.loads(line) for line in _unpacked(path).split("\n") if line])
    if ending == ".asc":
        return _fixed_width(path)
    if ending == ".parquet":
        import pyarrow.parquet

        return _texts(pyarrow.parquet.read_table(path).to_pylist())
    if ending in (".sqlite", ".duckdb"):
        return _texts(_database(path))
    if ending in (".arrow", ".feather", ".ipc"):
        import pyarrow.feather

        return _texts(pyarrow.feather.read_table(path).to_pylist())
    if ending in (".xlsx", ".ods"):
        import fastexcel

        book = fastexcel.read_excel(path)
        texts = book.load_sheet(0, dtypes="string").to_polars()
        # as text this reader leaves the cells of times empty
        times = [c for c in book.load_sheet(0).to_polars() if c.dtype == pl.Duration and c.name in texts]
        return _texts(texts.with_columns(times).to_dicts())
    import pyreadstat

    readers = {".dta": pyreadstat.read_dta, ".xpt": pyreadstat.read_xport}
    read = readers.get(ending, pyreadstat.read_sav)
    columns, _ = read(str(path), output_format="dict")
    return _texts([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def _database(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".duckdb":
        import duckdb

        with duckdb.connect(path) as connection:
            rows: list[dict[str, Any]] = connection.sql("SELECT * FROM safe").to_arrow_table().to_pylist()
            return rows
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute("SELECT * FROM safe")]


def _unpacked(path: Path) -> str:
    packed = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(packed).decode()
    if path.suffix == ".zst":
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj().decompress(packed).decode()
    return packed.decode()


def _fixed_width(path: Path) -> list[dict[str, str]]:
    """Cells by the places that the layout beside the file names; only blanks are a gap."""
    lines = path.with_suffix(".rda").read_text(encoding="utf-8").split("\n")
    places = [PLACE.fullmatch(line) for line in lines if line and not line.startswith("  ")]
    columns = {found[1].replace('""', '"'): (int(found[2]) - 1, int(found[3])) for found in places if found}
    assert len(columns) == len(places), "a line of the layout cannot be read"
    records = path.read_text(encoding="utf-8").split("\n")[:-1]
    cut = [{name: record[at : at + wide] for name, (at, wide) in columns.items()} for record in records]
    return [{name: cell if cell.strip() else "" for name, cell in row.items()} for row in cut]


def _texts(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{name: _text(value) for name, value in row.items()} for row in rows]


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    # of the hour that a clock shows twice, the offset says which one is meant
    return value.isoformat() if hasattr(value, "isoformat") else repr(value)


def smallest_class(rows: list[dict[str, str]], key: list[str], household: str | None = None) -> int:
    """How many records look like the rarest one, or how many households are in its class."""
    if household is None:
        return min(Counter(tuple(row[name] for name in key) for row in rows).values())
    homes: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        homes.setdefault(tuple(row[name] for name in key), set()).add(row[household])
    return min(len(found) for found in homes.values())


def _counts(rows: list[dict[str, str]], key: list[str], hidden: str) -> list[Counter[str]]:
    """How often every confidential value is in every class; an empty text is a gap, as csv has it."""
    classes: dict[tuple[str, ...], Counter[str]] = {}
    for row in rows:
        value = "" if row[hidden] == "''" else row[hidden]
        classes.setdefault(tuple(row[name] for name in key), Counter())[value] += 1
    return list(classes.values())


def largest_distance(rows: list[dict[str, str]], key: list[str], hidden: str) -> float:
    """Half the sum of the differences between the shares in a class and in the file, the worst class."""
    classes = _counts(rows, key, hidden)
    every = sum(classes, Counter[str]())
    return max(
        sum(abs(found[value] / found.total() - count / len(rows)) for value, count in every.items()) / 2
        for found in classes
    )


def fewest_values(rows: list[dict[str, str]], key: list[str], hidden: str) -> int:
    """How many different confidential values the poorest class has; a gap is none."""
    return min(len(found.keys() - {""}) for found in _counts(rows, key, hidden))
