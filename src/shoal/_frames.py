"""Frames at the door: whatever holds a table of columns becomes a frame that is in memory."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
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
        return pl.DataFrame(frame)
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
    return pl.DataFrame({name: array[name].tolist() for name in array.dtype.names})


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
