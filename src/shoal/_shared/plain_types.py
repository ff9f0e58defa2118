"""Column types that only one library knows: made plain at the door, or refused in a sentence."""

from __future__ import annotations

import warnings
from typing import Any

import narwhals as nw
import numpy as np

from shoal.errors import InputWarning, InvalidInput


def plain_types(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """The frame with plain columns: intervals and periods are text, whole numbers of 128 bits have 64.

    Sparse columns of pandas become dense, what Arrow lays out in its own way plain, and moments are cut to
    the microsecond, with a warning.

    >>> import pandas as pd
    >>> frame = nw.from_native(pd.DataFrame({"age": pd.cut([20, 70], [0, 65, 99])}), eager_only=True)
    >>> plain_types(frame)["age"].to_list()
    ['(0, 65]', '(65, 99]']
    """
    if frame.implementation.is_pandas():
        frame = _of_pandas(frame)
    elif frame.implementation.is_pyarrow():
        frame = _of_arrow(frame)
    changed = [plain for name in frame.columns if (plain := _shorter(frame[name])) is not None]
    return frame.with_columns(*changed) if changed else frame


def _shorter(series: nw.Series[Any]) -> nw.Series[Any] | None:
    """Numbers and moments in a size that numpy and Python have, too; None if they are so already."""
    dtype = series.dtype
    if dtype in (nw.Int128(), nw.UInt128()):
        try:
            return series.cast(nw.Int64())
        except Exception:  # its message quotes the numbers
            raise _too_long(series.name) from None
    if isinstance(dtype, nw.Datetime) and dtype.time_unit == "ns":
        if ((series.dt.nanosecond() % 1000).fill_null(0) != 0).any():
            _say_cut(series.name)
            return series.dt.truncate("1us").cast(nw.Datetime("us", dtype.time_zone))
    elif dtype == nw.Time():
        clock = series.to_polars()
        if (clock.to_physical() % 1000 != 0).any():
            _say_cut(series.name)
            return nw.new_series(series.name, clock.to_list(), backend=series.implementation)
    return None


def _say_cut(name: str) -> None:
    warnings.warn(
        f"Column {name!r} has moments finer than a microsecond; they are cut to it.",
        InputWarning,
        stacklevel=2,
    )


def _too_long(name: str) -> InvalidInput:
    return InvalidInput(
        f"Column {name!r} has numbers of more than 64 bits; make them decimals of 38 digits, float64 or text."
    )


def _of_pandas(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    pandas: Any = frame.implementation.to_native_namespace()
    native = frame.to_native()
    changed: dict[str, Any] = {}
    for name, dtype in native.dtypes.items():
        column, categories = native[name], getattr(getattr(dtype, "categories", None), "dtype", None)
        if isinstance(dtype, pandas.IntervalDtype | pandas.PeriodDtype):
            texts = [None if gone else str(value) for value, gone in zip(column, column.isna(), strict=True)]
            changed[name] = pandas.Series(texts, index=column.index, dtype=object)
        elif isinstance(categories, pandas.IntervalDtype | pandas.PeriodDtype):
            changed[name] = column.cat.rename_categories([str(value) for value in dtype.categories])
        elif isinstance(dtype, pandas.SparseDtype):
            changed[name] = column.sparse.to_dense()
        elif dtype == np.longdouble and dtype != np.float64:
            raise _too_long(name)
        elif isinstance(dtype, pandas.ArrowDtype):
            plain = _arrow_type(name, dtype.pyarrow_dtype)
            if plain is not None:
                changed[name] = column.astype(pandas.ArrowDtype(plain))
    return nw.from_native(native.assign(**changed), eager_only=True) if changed else frame


def _of_arrow(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    native = frame.to_native()
    for place, field in enumerate(native.schema):
        plain = _arrow_type(field.name, field.type)
        if plain is not None:
            column = native.column(place)
            try:
                whole = _decoded(column) if str(field.type).startswith("run_end") else column
                native = native.set_column(place, field.name, whole.cast(plain))
            except Exception:  # its message quotes a number
                raise _too_long(field.name) from None
    return nw.from_native(native, eager_only=True)


def _decoded(column: Any) -> Any:
    import pyarrow
    import pyarrow.compute

    return pyarrow.chunked_array([pyarrow.compute.run_end_decode(chunk) for chunk in column.chunks])


def _arrow_type(name: str, dtype: Any) -> Any:
    """The plain type in place of one that other libraries cannot take, None if it is plain."""
    import pyarrow

    if pyarrow.types.is_run_end_encoded(dtype):
        return _arrow_type(name, dtype.value_type) or dtype.value_type
    if pyarrow.types.is_decimal256(dtype):
        if dtype.scale > 38:
            raise _too_long(name)
        return pyarrow.decimal128(38, dtype.scale)
    if pyarrow.types.is_date64(dtype):
        return pyarrow.date32()
    views = {"string_view": pyarrow.large_string(), "binary_view": pyarrow.large_binary()}
    return views.get(str(dtype))
