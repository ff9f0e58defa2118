"""Opening a file: what it holds, what its columns are, and some of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from shoal.encode.categories import categorise
from shoal.io import detect_csv
from shoal.studio.answers.desk import Desk
from shoal.table import Table
from shoal.types import Callback, Progress
from shoal.workflow.suggest_roles import suggest_roles

SHOWN = 24  # letters of a value that is shown in a summary
LOOKED_AT = 1000  # records that say whether a column holds words
TOP = 3  # most frequent values that are shown


def open_source(desk: Desk, tell: Callback, *, source: str, read: Mapping[str, Any]) -> dict[str, Any]:
    """Read a file: records, columns, and how it was taken to be written."""
    tell(Progress(0.0, "reading the file"))
    table = desk.read(source, read)
    path = Path(source)
    form: dict[str, Any] = {}
    if path.suffix.lower() in (".csv", ".tsv", ".tab", ".txt"):
        known = {name: read.get(name) for name in ("separator", "decimal", "encoding")}
        form = asdict(detect_csv(path, **known))
    return {
        "records": len(table),
        "names": table.names(),
        "kinds": {a.name: a.kind for a in table.attributes},
        "roles": {a.name: a.role for a in table.attributes},
        "form": form,
    }


def look_at_columns(
    desk: Desk, tell: Callback, *, source: str, read: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """One mapping per column: kind, suggested role and why, different values, missing cells, a summary."""
    table = desk.read(source, read)
    tell(Progress(0.1, "looking at the columns"))
    found, some = [], table.take(np.arange(min(len(table), LOOKED_AT)))
    for at, suggestion in enumerate(suggest_roles(table)):
        tell(Progress(0.5 + 0.5 * at / len(table.names()), "looking at the columns"))
        facts = asdict(suggestion)
        attribute = table.attribute(suggestion.name)
        own = attribute.role if attribute.role != "other" else suggestion.role  # what the file itself says
        found.append(
            facts
            | {"kind": attribute.kind, "role": own, "label": attribute.label}
            | {
                "summary": summary_of(table, suggestion.name),
                "words": any(isinstance(cell, str) for cell in some.cells(suggestion.name)),
            }
        )
    return found


def summary_of(table: Table, name: str) -> str:
    """The range of a column of numbers, the most frequent values of another.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 41], "town": ["b", "b"]})
    >>> summary_of(table, "age"), summary_of(table, "town")
    ('30 to 41', 'b (2)')
    """
    if table.attribute(name).kind == "numeric":
        values = table.column(name)
        values = values[~np.isnan(values)]
        return f"{values.min():,.6g} to {values.max():,.6g}" if len(values) else "all missing"
    codes, categories = categorise(table, name)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    most = np.argsort(-counts, kind="stable")[:TOP]
    if len(counts) and counts.max() == 1:
        return "every value once"
    return ", ".join(f"{_short(categories[at])} ({counts[at]:,})" for at in most) or "all missing"


def show_rows(
    desk: Desk, tell: Callback, *, source: str, read: Mapping[str, Any], first: int, count: int
) -> list[list[str]]:
    """Some rows as texts, in the order of the file."""
    table = desk.read(source, read)
    rows = np.arange(max(first, 0), min(max(first, 0) + count, len(table)))
    part = table.take(rows)
    columns = [["" if value is None else str(value) for value in part.cells(name)] for name in part.names()]
    return [list(row) for row in zip(*columns, strict=True)]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
