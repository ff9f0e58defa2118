"""Numbers and categories in place of coarser cells, for the measures that need values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from shoal.encode.categories import Codes
from shoal.measures.coded_pair import code_pair
from shoal.measures.column_covers import ColumnCovers, column_covers
from shoal.measures.compared_columns import became_text
from shoal.table import Table, as_table
from shoal.types import Matrix


def with_numbers(original: Table, masked: Table, names: Iterable[str]) -> Table:
    """The masked table with the middle of its cover in every cell of numbers that became text.

    A cell that says nothing, be it suppressed or as coarse as can be, is missing. The table itself comes back
    where no column became text.

    >>> from shoal import as_table
    >>> before, after = as_table({"age": [20, 24, 40]}), as_table({"age": ["[20, 24]", "[20, 24]", "*"]})
    >>> with_numbers(before, after, ["age"]).frame["age"].to_list()
    [22.0, 22.0, None]
    """
    text = [name for name in names if became_text(original, masked, name)]
    if not text:
        return masked
    middles = {name: released_numbers(column_covers(original, masked, name)) for name in text}
    return as_table(masked.assign(**middles), kinds=dict.fromkeys(text, "numeric"))


def with_values(original: Table, masked: Table, names: Iterable[str], rng: np.random.Generator) -> Table:
    """The masked table with a value in every cell: middles for numbers, a draw from its cover for a category.

    >>> from shoal import as_table
    >>> before = as_table({"town": ["a", "b", "c"]})
    >>> after = as_table({"town": ["{a, b}", "b", "c"]})
    >>> with_values(before, after, ["town"], np.random.default_rng(1)).frame["town"].to_list()
    ['b', 'b', 'c']
    """
    names = list(names)
    drawn: dict[str, Any] = {}
    for name in names:
        if original.attribute(name).kind == "numeric":
            continue
        before, _, categories = code_pair(original, masked, name)
        column = (
            column_covers(original, masked, name) if len(categories) > before.max(initial=-1) + 1 else None
        )
        if column is not None and column.generalised:
            drawn[name] = _values_at(column.covers.domain.values, drawn_codes(column, rng))
    filled = masked.assign(**drawn) if drawn else masked
    return with_numbers(original, filled, names)


def _values_at(values: Sequence[Any], places: Codes) -> Any:
    """The values at these places, missing where there is none; text stays in one piece of memory."""
    if set(map(type, values)) == {str}:
        places = np.where((places < 0) | (places > len(values)), len(values), places)
        return pl.Series([*values, None], dtype=pl.String).gather(places)
    found = np.empty(len(values) + 2, dtype=object)
    found[:-2] = values
    return found[places]


def released_numbers(column: ColumnCovers) -> Matrix:
    """The middle of every record's cover, NaN where it says nothing."""
    return column.covers.centres[column.cells]


def drawn_codes(column: ColumnCovers, rng: np.random.Generator, rows: Codes | None = None) -> Codes:
    """For every record, or these, a position of the domain drawn from its cover, -1 where it says nothing.

    A cell whose cover holds no value of the domain is given the number after the last one.
    """
    covers = column.covers
    _, positions = covers.pairs()
    starts = np.concatenate([[0], np.cumsum(covers.counts)])
    cells = column.cells if rows is None else column.cells[rows]
    sizes = covers.counts[cells]
    offsets = np.floor(rng.random(len(cells)) * sizes).astype(np.intp)
    places = np.minimum(starts[cells] + offsets, max(len(positions) - 1, 0))
    drawn = positions[places] if len(positions) else np.zeros(len(places), dtype=np.intp)
    drawn = np.where(sizes > 0, drawn, len(covers.domain.values))
    return np.where(covers.everything[cells], -1, drawn)
