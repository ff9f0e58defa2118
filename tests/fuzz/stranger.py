"""An independent count: a stranger opens the written file, and counts lines that look the same, as text."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any


def rows_of(path: Path, separator: str) -> list[dict[str, str]]:
    """The cells of a file as texts, by another reader than shoal's where there is one."""
    ending = path.suffix
    if ending in (".csv", ".tsv"):
        text = path.read_bytes().decode()
        return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    if ending == ".jsonl":
        return _texts([json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line])
    if ending == ".parquet":
        import pyarrow.parquet

        return _texts(pyarrow.parquet.read_table(path).to_pylist())
    if ending == ".arrow":
        import pyarrow.feather

        return _texts(pyarrow.feather.read_table(path).to_pylist())
    if ending == ".xlsx":
        import fastexcel

        return _texts(fastexcel.read_excel(path).load_sheet(0, dtypes="string").to_polars().to_dicts())
    import pyreadstat

    read = {".dta": pyreadstat.read_dta, ".sav": pyreadstat.read_sav, ".xpt": pyreadstat.read_xport}[ending]
    columns, _ = read(str(path), output_format="dict")
    return _texts([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def _texts(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{name: _text(value) for name, value in row.items()} for row in rows]


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    # of the hour that a clock shows twice, the offset says which one is meant
    return value.isoformat() if hasattr(value, "isoformat") else repr(value)


def smallest_class(rows: list[dict[str, str]], key: list[str]) -> int:
    """How many records look like the rarest one."""
    return min(Counter(tuple(row[name] for name in key) for row in rows).values())


def fewest_values(rows: list[dict[str, str]], key: list[str], hidden: str) -> int:
    """How many different confidential values the poorest class has; a gap is none."""
    found: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in key), set()).update({row[hidden]} - {""})
    return min(len(values) for values in found.values())
