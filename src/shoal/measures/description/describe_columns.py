"""Facts about every column of a file: what a person looks at before saying what it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from shoal._check import check_count, check_names
from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.table import Table
from shoal.types import Kind, Role


@dataclass(frozen=True)
class ColumnFacts:
    """One column: what it holds. `top` are its most frequent values with their records, in words of the file.

    `lowest`, `highest` and `mean` are None where the values have no order (or no mean).
    """

    name: str
    type: str
    kind: Kind
    role: Role
    label: str
    distinct: int
    missing: int
    lowest: Any = None
    highest: Any = None
    mean: float | None = None
    top: tuple[tuple[Any, int], ...] = ()


@takes_frames
def describe_columns(
    table: Table, *, top: int = 5, columns: Iterable[str] | str | None = None
) -> tuple[ColumnFacts, ...]:
    """Say of every column its type, kind, role, gaps, limits and most frequent values.

    Parameters
    ----------
    table
        The file.
    top
        How many of the most frequent values to show.
    columns
        The columns to describe; all if not given.

    Returns
    -------
    tuple of ColumnFacts
        In the order of the table. They hold values of the file: for the eyes of those who may see it.

    Notes
    -----
    Values with the same frequency come in the order of the column. Time O(n) a column of text, O(n log n) of
    broken numbers.

    References
    ----------
    None: these are counts.

    Examples
    --------
    >>> age, town = describe_columns({"age": [30, 41, None], "town": ["Vigo", "Lugo", "Vigo"]}, top=1)
    >>> age.distinct, age.missing, age.lowest, age.highest, age.mean
    (2, 1, 30, 41, 35.5)
    >>> town.type, town.top
    ('text', (('Vigo', 2),))
    """
    check_count("top", top)
    names = table.names() if columns is None else check_names(columns, table.names())
    return tuple(_facts(table, name, top) for name in names)


def _facts(table: Table, name: str, top: int) -> ColumnFacts:
    codes, categories = categorise(table, name)
    attribute = table.attribute(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    present = np.flatnonzero(counts)
    ordered = attribute.kind != "nominal" and len(present) > 0
    often = present[np.argsort(-counts[present], kind="stable")][:top]
    return ColumnFacts(
        name,
        _type(table, name),
        attribute.kind,
        attribute.role,
        attribute.label,
        len(present),
        int((codes < 0).sum()),
        categories[present[0]] if ordered else None,
        categories[present[-1]] if ordered else None,
        _mean(table, name) if attribute.kind == "numeric" and len(present) else None,
        tuple((categories[code], int(counts[code])) for code in often),
    )


def _mean(table: Table, name: str) -> float | None:
    values = np.asarray(table.column(name), dtype=np.float64)
    return float(values[np.isfinite(values)].mean()) if np.isfinite(values).any() else None


def _type(table: Table, name: str) -> str:
    """The type of the values, as people call it."""
    dtype = nw.from_native(table.frame, eager_only=True)[name].dtype
    if dtype.is_integer():
        return "whole numbers"
    if dtype.is_numeric():
        return "whole numbers" if table.is_integer(name) else "numbers"
    if dtype.is_temporal():
        return "dates" if dtype == nw.Date else "times"
    return "yes or no" if dtype == nw.Boolean else "text"
