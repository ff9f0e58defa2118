"""Categories as small integers, fast and exact: what is counted, ranked and grouped."""

from __future__ import annotations

import datetime as dt
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._once import once
from shoal.errors import InvalidInput
from shoal.table import Table

Codes = NDArray[np.intp]


@once
def categorise(table: Table, name: str) -> tuple[Codes, tuple[Any, ...]]:
    """A code per record (-1 where missing) and the categories in order: given, or sorted.

    Categories beyond a given order, as a masked column may hold, come last.

    >>> from shoal import as_table
    >>> categorise(as_table({"town": ["b", None, "a"]}), "town")
    (array([ 1, -1,  0]), ('a', 'b'))
    """
    series = _as_polars(table, name)
    if series is None:
        codes, found = _code_objects(name, table.cells(name).tolist())
    else:
        codes, found = _code_text(series) if series.dtype == pl.String else _code_numbers(series)
    order = table.attribute(name).order if table.attribute(name).kind != "numeric" else ()
    if not order:
        return codes, found
    known = set(order)
    categories = order + tuple(value for value in found if value not in known)
    position = {category: code for code, category in enumerate(categories)}
    return np.array([position[value] for value in found] + [-1], dtype=np.intp)[codes], categories


def _code_objects(name: str, values: list[Any]) -> tuple[Codes, tuple[Any, ...]]:
    """Whatever values, exactly: decimals, or numbers and text in one column."""
    try:
        found = set(values) - {None}
    except TypeError:  # lists and the like
        raise InvalidInput(
            f"Column {name!r} holds values that are no numbers, texts, truth values, dates or times; "
            "leave it out or make them text."
        ) from None
    try:
        categories = tuple(sorted(found))
    except TypeError:
        categories = tuple(sorted(found, key=lambda value: (type(value).__name__, str(value))))
    code: dict[Any, int] = {category: position for position, category in enumerate(categories)} | {None: -1}
    return np.fromiter((code[value] for value in values), dtype=np.intp, count=len(values)), categories


def _as_polars(table: Table, name: str) -> pl.Series | None:
    """The column as a polars series of text, numbers, dates or booleans; None if it is something else."""
    series = nw.from_native(table.frame, eager_only=True)[name]
    try:
        values: pl.Series = series.to_polars()
    except Exception:  # every library has its own word for a column it cannot convert
        return None
    dtype = values.dtype
    if dtype in (pl.Categorical, pl.Enum, pl.Null):  # a column of type Null has no value at all
        return values.cast(pl.String)
    plain = dtype.is_integer() or dtype.is_float() or dtype.is_temporal() or dtype in (pl.String, pl.Boolean)
    return values if plain else None


# Of polars only what runs in one thread: its thread pool does not survive a fork, and a measure run by a pool
# of processes would wait forever. So no sort, fill_null or fill_nan below.


def _code_text(series: pl.Series) -> tuple[Codes, tuple[Any, ...]]:
    seen = series.drop_nulls()
    found = sorted(seen.unique().to_list())
    codes = np.full(len(series), -1, dtype=np.intp)
    codes[~series.is_null().to_numpy()] = seen.cast(pl.Enum(found)).to_physical().to_numpy()
    return codes, tuple(found)


def _code_numbers(series: pl.Series) -> tuple[Codes, tuple[Any, ...]]:
    """Numbers, dates and booleans: rank the distinct values; small whole numbers by counting."""
    seen = ~series.is_null().to_numpy()
    present = series.drop_nulls()
    values = (present.cast(pl.Int8) if series.dtype == pl.Boolean else present.to_physical()).to_numpy()
    if values.dtype.kind == "f":
        real = ~np.isnan(values)
        seen[seen], values = real, values[real]
    codes = np.full(len(series), -1, dtype=np.intp)
    first, codes[seen] = _ranks(values)
    rows = np.flatnonzero(seen)[first]
    found = series.gather(rows).to_list()
    return codes, tuple(map(_apart, found) if series.dtype.is_temporal() else found)


def _apart(value: Any) -> Any:
    """A moment with its own offset: Python takes those of the hour a clock shows twice for equal."""
    aware = isinstance(value, dt.datetime) and value.tzinfo is not None
    return value.astimezone(dt.timezone(value.utcoffset())) if aware else value


def _ranks(values: NDArray[Any]) -> tuple[Codes, Codes]:
    """Where every distinct value, in order, is found, and the rank of every value."""
    if len(values) and values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high - low <= 4 * len(values) + 1000:
            wide = values if values.dtype == np.uint64 else values.astype(np.int64)  # int8 would overflow
            offsets = (wide - wide.dtype.type(low)).astype(np.intp)
            place = np.full(high - low + 1, -1, dtype=np.intp)
            place[offsets] = np.arange(len(values))
            return place[place >= 0], (np.cumsum(place >= 0) - 1)[offsets]
    _, first, ranks = np.unique(values, return_index=True, return_inverse=True)
    return first, ranks.reshape(-1)
