"""Frames at the door: whatever holds a table of columns becomes a frame that is in memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from shoal.errors import InputWarning, InvalidInput


def eager_frame(frame: Any) -> Any:
    """The frame as one of pandas, polars or pyarrow with all its records in memory.

    These three stay what they are; record batches of pyarrow become its table; dicts of columns, numpy arrays
    with named fields, lazy frames (collected, and said so) and whatever speaks Arrow become a polars frame.

    >>> eager_frame(np.array([(30, "a"), (41, "b")], dtype=[("age", "i8"), ("town", "U1")]))["age"].to_list()
    [30, 41]
    """
    if isinstance(frame, Mapping):
        return _from_columns(frame)
    if isinstance(frame, np.ndarray):
        return _from_array(frame)
    if type(frame).__module__.partition(".")[0] == "pyarrow":
        return _from_pyarrow(frame)
    if nw.dependencies.is_into_dataframe(frame) or nw.dependencies.is_into_series(frame):
        return frame
    lazy = nw.from_native(frame, pass_through=True)
    if isinstance(lazy, nw.LazyFrame):
        return _collected(lazy)
    return _from_arrow(frame) if hasattr(frame, "__arrow_c_stream__") else frame


def _collected(lazy: nw.LazyFrame[Any]) -> pl.DataFrame:
    name = type(lazy.to_native()).__name__
    try:
        frame: pl.DataFrame = lazy.collect("polars").to_native()
    except Exception as error:  # every engine has its own; their messages may quote a value
        raise InvalidInput(f"The {name} could not be computed; collect it first to see why.") from error
    warnings.warn(
        f"The {name} was collected: its {frame.height} records are in memory now.",
        InputWarning,
        stacklevel=4,
    )
    return frame


def _from_array(array: np.ndarray[Any, Any]) -> pl.DataFrame:
    if array.dtype.names is None:
        raise InvalidInput(
            f"A numpy array of {array.ndim} dimensions has no column names; "
            "write as_table(dict(zip(names, X.T)))."
        )
    return _from_columns({name: array[name].tolist() for name in array.dtype.names})


def _from_columns(columns: Mapping[Any, Any]) -> pl.DataFrame:
    """The columns of a dict as a frame; what polars says of those it cannot take may quote a value."""
    check_column_names(columns)
    series = [_column(name, values) for name, values in columns.items()]
    sizes = {column.name: len(column) for column in series}
    if len(set(sizes.values())) > 1:
        short, long = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        raise InvalidInput(
            f"Column {short!r} has {sizes[short]} values and column {long!r} {sizes[long]}; "
            "give every column one value a record."
        )
    return pl.DataFrame(series)


def _column(name: str, values: Any) -> pl.Series:
    try:
        return pl.DataFrame({name: _numbers(values)}).to_series()
    except Exception:
        raise InvalidInput(
            f"Column {name!r} cannot be read: it mixes types, such as numbers and text, or is no list; "
            "give a list of one type."
        ) from None


def _numbers(values: Any) -> Any:
    """Whole numbers among decimal ones as decimal ones: polars does not take both for one type."""
    if not isinstance(values, list) or {type(value) for value in values} - {type(None)} != {int, float}:
        return values
    floats = [None if value is None else float(value) for value in values]
    same = all(a is None or a == b or a != a for a, b in zip(values, floats, strict=True))  # nan, and digits
    return floats if same else values


def check_column_names(names: Iterable[Any]) -> None:
    """Refuse names that are no text, and those that polars takes for a pattern of names."""
    names = list(names)
    if not all(isinstance(name, str) for name in names):
        raise InvalidInput("Column names must be text; write frame.columns = frame.columns.astype(str).")
    if any(name.startswith("^") and name.endswith("$") for name in names):
        raise InvalidInput("A column name from ^ to $ would be read as a pattern; rename the column.")


def _from_pyarrow(frame: Any) -> Any:
    """One table of record batches, so that what was of pyarrow stays so."""
    import pyarrow

    if isinstance(frame, pyarrow.RecordBatchReader):
        return frame.read_all()
    return pyarrow.Table.from_batches([frame]) if isinstance(frame, pyarrow.RecordBatch) else frame


def _from_arrow(frame: Any) -> pl.DataFrame:
    try:
        return pl.DataFrame(frame)
    except Exception as error:  # its message may quote a value
        raise InvalidInput(
            f"The Arrow columns of {type(frame).__name__} cannot be read; give a frame of pandas or polars."
        ) from error
