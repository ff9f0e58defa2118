"""Layouts: where each column of a fixed-width file stands, as a layout file or mu-Argus's metadata says."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.types import Kind, Role

COLUMNS = ("name", "start", "width", "decimals", "missing")


@dataclass(frozen=True)
class Field:
    """One column of a text file: where it stands, how wide it is, and what its metadata say.

    `start` counts characters from 0; None in a file with a separator. `decimals` is None where nothing
    is said, `missing` are the texts that mean missing, the first of which is written.
    """

    name: str
    start: int | None
    width: int
    decimals: int | None = None
    missing: tuple[str, ...] = ()
    kind: Kind | None = None
    role: Role = "other"
    importance: float = 1.0
    labels: dict[str, str] = field(default_factory=dict, hash=False)
    words: tuple[str, ...] = ()  # the lines of mu-Argus's metadata, written as they were read

    @property
    def end(self) -> int:
        """The first position after the column."""
        return (self.start or 0) + self.width


@dataclass(frozen=True)
class Layout:
    """The columns of a text file in the order of the file; `separator` where it is no fixed-width file."""

    fields: tuple[Field, ...]
    separator: str | None = None

    @property
    def width(self) -> int:
        """Length of a line."""
        return max(column.end for column in self.fields)


def read_layout(path: Path) -> Layout:
    """A layout from a csv file with the columns name, start (from 1), width, decimals and missing."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise InvalidInput(f"The layout {path.name!r} cannot be read as UTF-8 text; save it so.") from error
    separator = ";" if ";" in text.partition("\n")[0] else ","
    rows = [row for row in csv.reader(text.splitlines(), delimiter=separator) if any(map(str.strip, row))]
    header = [name.strip().lower() for name in rows[0]] if rows else []
    if not {"name", "start", "width"} <= set(header):
        raise InvalidInput(f"The layout {path.name!r} needs a header with name, start and width.")
    check_names(header, COLUMNS, what="column of a layout")
    cells = [dict(zip(header, map(str.strip, row), strict=False)) for row in rows[1:]]
    return checked(Layout(tuple(_field(path, line, row) for line, row in enumerate(cells, 2))), path)


def _field(path: Path, line: int, row: dict[str, str]) -> Field:
    try:
        start, width = int(row["start"]) - 1, int(row["width"])
        decimals = int(row["decimals"]) if row.get("decimals") else None
    except (KeyError, ValueError):
        raise InvalidInput(
            f"Line {line} of the layout {path.name!r} needs whole numbers for start, width and decimals."
        ) from None
    missing = tuple(row.get("missing", "").split())
    return Field(row["name"], start, width, decimals, missing, None if decimals is None else "numeric")


def checked(layout: Layout, path: Path) -> Layout:
    """The layout, if its columns have names of their own, widths, and do not overlap."""
    names = [column.name for column in layout.fields]
    if not names:
        raise InvalidInput(f"The layout {path.name!r} names no column; add a line for each.")
    check_names(names, names)
    placed = sorted((c for c in layout.fields if c.start is not None), key=lambda c: c.start or 0)
    for column in layout.fields:
        if column.width < 1 or (column.start is not None and column.start < 0):
            raise InvalidInput(f"Column {column.name!r} of the layout needs a start and a width from 1.")
    for before, after in pairwise(placed):
        if after.start is not None and before.end > after.start:
            raise InvalidInput(
                f"Columns {before.name!r} and {after.name!r} of the layout overlap; mend start or width."
            )
    return layout
