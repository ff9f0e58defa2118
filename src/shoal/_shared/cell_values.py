"""Cells of a frame's columns: which are missing, their exact values, new columns in the frame's library."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from shoal.errors import InvalidInput

FEW_VALUES = 20  # different whole numbers; so few are rather codes, ranks or grades than amounts
CODES_FROM = 100  # records; of fewer a count of different values says little
LOOKED_AT = 1000  # records of a column that are looked at before all of them
EXACT = 2**53  # whole numbers below survive as float64
LARGEST = 2**63 - 1  # of the whole numbers that are signed


def as_floats(series: nw.Series[Any]) -> NDArray[np.float64]:
    """The numbers of a column, NaN where missing."""
    try:
        return np.array(series.cast(nw.Float64()).to_numpy(), dtype=np.float64)
    except Exception:  # pyarrow refuses whole numbers that a float cannot hold to the last digit
        values = [np.nan if value is None else float(value) for value in exact_cells(series)]
    return np.array(values, dtype=np.float64)


def exact_cells(series: nw.Series[Any]) -> NDArray[Any]:
    """The values of a column as Python objects, None where missing."""
    values = np.empty(len(series), dtype=object)
    values[:] = series.to_list()
    values[is_missing(series)] = None
    return values


def is_missing(series: nw.Series[Any]) -> NDArray[np.bool_]:
    """Where a column has no value: null, None or NaN."""
    missing = series.is_null()
    if series.dtype.is_float():
        missing = missing | series.is_nan().fill_null(True)
    return np.asarray(missing.to_numpy(), dtype=bool)


def few_whole_numbers(series: nw.Series[Any]) -> bool:
    """Whether a column holds codes rather than amounts; pandas keeps whole numbers with gaps as floats."""
    if len(series) < CODES_FROM or series.dtype.is_decimal():
        return False
    whole = series.dtype.is_integer()
    if not whole and not is_missing(series).any():
        return False
    found: list[Any] = []
    for part in (series.head(LOOKED_AT), series):
        found = [value for value in part.unique().to_list() if not _is_gap(value)]
        if len(found) > FEW_VALUES or not all(whole or float(value).is_integer() for value in found):
            return False
    return bool(found)


def has_fractions(series: nw.Series[Any]) -> bool:
    """Whether any number of a column is not whole."""
    values = as_floats(series)
    return bool((values[np.isfinite(values)] % 1 != 0).any())


def same_values(one: nw.Series[Any], other: nw.Series[Any]) -> bool:
    """Whether two columns have equal values; missing ones are alike."""
    return equal_cells(exact_cells(one), exact_cells(other))


def equal_cells(one: Sequence[Any] | NDArray[Any], other: Sequence[Any] | NDArray[Any]) -> bool:
    """Whether all cells are equal; of the hour that a clock shows twice, `fold` says which one is meant."""
    pairs = zip(one, other, strict=True)
    return all(a == b and getattr(a, "fold", 0) == getattr(b, "fold", 0) for a, b in pairs)


def without_negative_zeros(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """The frame with 0.0 for -0.0: they are one number but two texts."""
    changed = []
    for name, dtype in frame.schema.items():
        if dtype.is_float():
            values = as_floats(frame[name])
            if (np.signbit(values) & (values == 0)).any():
                zeros = nw.new_series(name, values == 0, backend=frame.implementation)
                changed.append(frame[name].zip_with(~zeros, frame[name].abs()).alias(name))
    return frame.with_columns(*changed) if changed else frame


def new_series(frame: nw.DataFrame[Any], name: str, values: Any) -> nw.Series[Any]:
    """A series in the frame's own library; NaN becomes missing; the old type is kept where values fit it."""
    if len(values) != frame.shape[0]:
        raise InvalidInput(f"Column {name!r} needs {frame.shape[0]} values, got {len(values)}.")
    if nw.dependencies.is_polars_series(values):
        if frame.implementation.is_polars() and values.dtype == frame.to_native()[name].dtype:
            return nw.from_native(values.alias(name), series_only=True)
        values = values.to_list()
    if isinstance(values, np.ndarray) and values.dtype != object:
        series = nw.new_series(name, values, backend=frame.implementation)
        return series.fill_nan(None) if series.dtype.is_float() else series
    present = [None if _is_gap(value) else value for value in values]
    known = [value for value in present if value is not None]
    gone = frame[name].dtype.is_numeric() and not known  # stays a number
    if gone or any(isinstance(value, float) for value in known):  # with whole numbers among them, say
        return new_series(frame, name, np.array([np.nan if v is None else v for v in present], dtype=float))
    if known and all(isinstance(value, int | np.integer) and not isinstance(value, bool) for value in known):
        return _whole_numbers(frame, name, present, max(known), min(known))
    if known and all(isinstance(value, dt.datetime) and value.tzinfo is not None for value in known):
        present = [None if value is None else value.astimezone(dt.UTC) for value in present]
    truths = known and all(isinstance(value, bool | np.bool_) for value in known)
    if truths and None in present and frame.implementation.is_pandas() and frame[name].dtype == nw.Boolean():
        return _truths_with_gaps(frame, name, present)
    series = nw.new_series(name, present, backend=frame.implementation)
    return series if series.dtype.is_numeric() else _as_before(series, frame[name].dtype, known)


def _is_gap(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # the missing value of pandas is neither equal nor different
        return True


def _whole_numbers(
    frame: nw.DataFrame[Any], name: str, present: list[Any], high: int, low: int
) -> nw.Series[Any]:
    """Whole numbers, to the last digit: pandas would make floats of them where some are missing."""
    if low < -LARGEST - 1 or high > (LARGEST if low < 0 else 2 * LARGEST + 1):  # no whole type holds them
        return new_series(frame, name, np.array([np.nan if v is None else v for v in present], dtype=float))
    if frame.implementation.is_pandas() and None in present and max(high, -low) > EXACT:
        pandas = frame.implementation.to_native_namespace()
        exact = pandas.array(present, dtype="UInt64" if high > LARGEST else "Int64")
        native: nw.Series[Any] = nw.from_native(pandas.Series(exact, name=name), series_only=True)
        return native
    dtype = nw.UInt64() if high > LARGEST else None
    return nw.new_series(name, present, dtype=dtype, backend=frame.implementation)


def _truths_with_gaps(frame: nw.DataFrame[Any], name: str, present: list[Any]) -> nw.Series[Any]:
    """Truth values with gaps in pandas, which would make objects of them."""
    pandas, dtype = frame.implementation.to_native_namespace(), frame[name].to_native().dtype
    truths = pandas.array(
        present, dtype=dtype if str(dtype).startswith("bool") and str(dtype) != "bool" else "boolean"
    )
    native: nw.Series[Any] = nw.from_native(pandas.Series(truths, name=name), series_only=True)
    return native


def _as_before(series: nw.Series[Any], dtype: Any, known: list[Any]) -> nw.Series[Any]:
    if series.dtype == dtype or dtype.is_numeric():
        return series
    if isinstance(dtype, nw.Boolean) and not all(isinstance(value, bool | np.bool_) for value in known):
        return series  # to pandas every text is true
    try:
        before = series.cast(dtype)
    except Exception:  # every library raises its own error for a value that does not fit
        return series
    # pandas turns a category it does not know into a missing value without a word
    return before if before.null_count() == series.null_count() else series
