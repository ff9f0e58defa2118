"""Random small tables of every kind and type, with the cells that other programs get wrong."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st

from shoal import Table, as_table

BERLIN = ZoneInfo("Europe/Berlin")
HOUR = dt.datetime(2024, 10, 27, 0, 30, tzinfo=dt.UTC)  # 02:30 in Berlin, and an hour later 02:30 again
TOP = 2**64 - 1

# kind of column: the values its cells are drawn from (None: a gap), how sure a gap is among them
POOLS: dict[str, list[Any]] = {
    "whole": [1, 2, 3, 4, 100, -7, None],
    "whole, no gaps": [0, 1, 2, 3, 10],
    "int8": [1, 2, -128, 127, None],
    "uint8": [0, 1, 255, None],
    "uint64": [TOP, TOP - 1, 2**63, 2**53 + 1, 0, None],
    "long": [2**53 + 1, 2**53 + 2, -(2**62), 7, None],
    "float": [0.0, -0.0, 0.1, 0.1 + 0.2, 0.3, 1.0, -1.5, None],
    "huge": [1e308, -1e308, 1.7e308, 1e300, 0.0, None],
    "tiny": [5e-324, -5e-324, 1e-308, 0.0, -0.0, None],
    "offset": [1e15 + 1, 1e15 + 2, 1e15 + 3.5, None],
    "nan": [float("nan"), 1.0, 2.0, -0.0, 0.0],
    "constant": [7],
    "no value": [None],
    "bool": [True, False, None],
    "text": ["a", "b", "c", "dd", None],
    "number texts": ["1", "01", "001", "1.0", "+1", "1e0", None],
    "look-alikes": ["é", "e\u0301", "a", "a ", " a", "\u0430", "A", None],
    "odd texts": ["NA", "nan", "null", "", "None", "-", '"', "a,b", "a;b", "x\ny", "'", "=1+1", None],
    "long texts": ["x" * 300, "x" * 300 + "y", "confidential-token-71", None],
    "category": ["low", "mid", "high", None],
    "date": [dt.date(2024, 2, 29), dt.date(1899, 12, 31), dt.date(2024, 3, 1), None],
    "moment": [
        dt.datetime(2024, 1, 1, 12),
        dt.datetime(2024, 1, 1, 12, 0, 0, 1),
        dt.datetime(1960, 1, 1),
        None,
    ],
    "zone": [HOUR, HOUR + dt.timedelta(hours=1), HOUR + dt.timedelta(days=90), None],
    "time": [dt.time(1, 2, 3), dt.time(23, 59, 59), None],
    "decimal": [Decimal("1.50"), Decimal("2.25"), Decimal("-0.01"), Decimal("100.00"), None],
    "small float": [0.1, 0.2, 16777217.0, -0.0, None],
    "list": [[1, 2], [3], [], None],
    "home": [1, 2, 3, 4, 5, 6, 7],
    "weights": [1.5, 2.0, 10.0, 0.5],
}
ADDED = ("home", "weights")  # only with their roles
# a column of lists is refused, so that it is drawn seldom
KINDS = [kind for kind in sorted(POOLS) if kind not in (*ADDED, "list")] * 8 + ["list"]
POLARS: dict[str, Any] = {
    "whole": pl.Int64, "whole, no gaps": pl.Int32, "int8": pl.Int8, "uint8": pl.UInt8, "uint64": pl.UInt64,
    "long": pl.Int64, "float": pl.Float64, "huge": pl.Float64, "tiny": pl.Float64, "offset": pl.Float64,
    "nan": pl.Float64, "constant": pl.Int64, "no value": pl.Float64, "bool": pl.Boolean, "text": pl.String,
    "number texts": pl.String, "look-alikes": pl.String, "odd texts": pl.String, "long texts": pl.String,
    "category": pl.Enum(["low", "mid", "high"]), "date": pl.Date, "moment": pl.Datetime("us"),
    "zone": pl.Datetime("us", "Europe/Berlin"), "time": pl.Time, "decimal": pl.Decimal(20, 2),
    "small float": pl.Float32, "list": pl.List(pl.Int64), "home": pl.Int64, "weights": pl.Float64,
}  # fmt: skip
PANDAS: dict[str, str] = {
    "whole": "Int64", "whole, no gaps": "int64", "int8": "Int8", "uint8": "UInt8", "uint64": "UInt64",
    "long": "Int64", "bool": "boolean", "text": "string", "category": "category", "float": "Float64",
}  # fmt: skip


TWICE = (
    "pyarrow",
    "pandas",
    "pandas, nullable",
    "pandas on arrow",
)  # libraries whose frames may hold a name twice
NAMES = [
    "a b", "\u00e9", "e\u0301", "A", "a", " ", "_", "1", "row", "index", "count", "len", "literal", "a,b",
    "a;b", 'a"b', "a\nb", "a.b", "^a$", "x" * 70, "class", "select", "\U0001f41f", "-", "=1",
]  # fmt: skip


@dataclass(frozen=True)
class Odd:
    """One table to try: kinds of columns, which value of the pool every cell is, the library of the frame."""

    kinds: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    library: str
    names: tuple[str, ...]

    def columns(self) -> dict[str, list[Any]]:
        """The values by place, as Python objects."""
        return {
            str(place): [POOLS[kind][cell % len(POOLS[kind])] for cell in cells]
            for place, (kind, cells) in enumerate(zip(self.kinds, self.cells, strict=True))
        }

    def frame(self) -> Any:
        """The frame in its library."""
        frame = LIBRARIES[self.library](self.columns(), self.kinds)
        if self.library == "pyarrow":
            return frame.rename_columns(list(self.names))
        if self.library == "dict":
            return dict(zip(self.names, frame.values(), strict=True))
        frame.columns = list(self.names)
        return frame

    def table(self, roles: dict[str, list[str]]) -> Table:
        """The table with these roles."""
        return as_table(self.frame(), roles=roles)


def _polars(columns: dict[str, list[Any]], kinds: tuple[str, ...]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            pl.Series(name, values, dtype=pl.Datetime("us", "UTC")).dt.convert_time_zone("Europe/Berlin")
            if kind == "zone"
            else pl.Series(name, values, dtype=POLARS[kind])
            for (name, values), kind in zip(columns.items(), kinds, strict=True)
        ]
    )


def _arrow(columns: dict[str, list[Any]], kinds: tuple[str, ...]) -> pa.Table:
    return _polars(columns, kinds).to_arrow()


def _dict(columns: dict[str, list[Any]], kinds: tuple[str, ...]) -> dict[str, list[Any]]:
    return {name: column.to_list() for name, column in _polars(columns, kinds).to_dict().items()}


def _pandas_on_arrow(columns: dict[str, list[Any]], kinds: tuple[str, ...]) -> pd.DataFrame:
    frame = _arrow(columns, kinds).to_pandas(types_mapper=pd.ArrowDtype)
    frame.index = range(3, 3 + len(frame))
    return frame


def _pandas(columns: dict[str, list[Any]], kinds: tuple[str, ...], nullable: bool) -> pd.DataFrame:
    series = {}
    for (name, values), kind in zip(columns.items(), kinds, strict=True):
        if kind == "zone":
            series[name] = pd.Series(pd.to_datetime(values, utc=True)).dt.tz_convert("Europe/Berlin")
        elif kind in ("date", "time", "decimal", "list"):
            series[name] = pd.Series(values, dtype=object)
        elif nullable and kind in PANDAS:
            series[name] = pd.Series(values, dtype=PANDAS[kind])
        else:
            series[name] = pd.Series(values)
    frame = pd.DataFrame(series)
    frame.index = range(3, 3 + len(frame))  # given at once, it would pick rows
    return frame


LIBRARIES: dict[str, Callable[[dict[str, list[Any]], tuple[str, ...]], Any]] = {
    "polars": _polars,
    "pyarrow": _arrow,
    "dict": _dict,
    "pandas": partial(_pandas, nullable=False),
    "pandas on arrow": _pandas_on_arrow,
    "pandas, nullable": partial(_pandas, nullable=True),
}


@st.composite
def odd_tables(draw: st.DrawFn, *, most_columns: int = 4, most_rows: int = 12) -> Odd:
    """A table of 2 to 12 records, seldom more; few values, so that classes form, break and mix with gaps."""
    count = draw(st.integers(1, most_columns))
    fewest, most = draw(st.sampled_from([(2, 3), (13, 60)] + [(4, most_rows)] * 38))
    rows = draw(st.integers(fewest, most))
    kinds = tuple(draw(st.sampled_from(KINDS)) for _ in range(count))
    cell = st.integers(0, 12)
    cells = tuple(tuple(draw(st.lists(cell, min_size=rows, max_size=rows))) for _ in kinds)
    library = draw(st.sampled_from(sorted(LIBRARIES)))
    return Odd(kinds, cells, library, draw(_names(count, library)))


@st.composite
def _names(draw: st.DrawFn, count: int, library: str) -> tuple[str, ...]:
    """Mostly plain names; some that formats or programs get wrong, and seldom one twice."""
    seldom = draw(st.integers(0, 39))
    if seldom == 0 and library in TWICE:
        return tuple(["c0"] * count)
    if seldom <= 6:
        return tuple(draw(st.lists(st.sampled_from(NAMES), min_size=count, max_size=count, unique=True)))
    return tuple(f"c{number}" for number in range(count))


def as_seen(values: np.ndarray) -> list[str]:
    """What a stranger reads."""
    return ["" if value is None else repr(value) for value in values]
