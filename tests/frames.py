"""The same small file in every frame library."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa

LIBRARIES = {
    "polars": pl.DataFrame,
    "pandas": pd.DataFrame,
    "pandas, odd index": lambda columns: pd.DataFrame(columns, index=[7] * len(next(iter(columns.values())))),
    "pyarrow": pa.table,
}


def to_lists(frame) -> dict[str, list]:
    """Columns as plain lists, missing as None."""
    if isinstance(frame, pd.DataFrame):
        return {name: [None if pd.isna(v) else v for v in frame[name].tolist()] for name in frame.columns}
    return frame.to_pydict() if isinstance(frame, pa.Table) else frame.to_dict(as_series=False)
