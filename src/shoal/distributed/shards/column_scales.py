"""How records are compared in every shard alike: scales and categories are those of one sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal._check import check_choice, check_names, check_number
from shoal.encode.encode_gaps import GAP_DISTANCE
from shoal.encode.encode_table import SCALES, Scale
from shoal.errors import InvalidInput
from shoal.table import Table
from shoal.types import Matrix

MOST_CATEGORIES = 255  # of a nominal column; rarer ones count as one


@dataclass(frozen=True)
class ColumnScale:
    """One column: where its values begin, how wide they are spread, what a gap is, how much it counts."""

    name: str
    kind: str
    centre: float
    spread: float
    categories: pl.Series | None
    factor: float
    gaps: bool
    filled: Matrix
    apart: float

    def encode(self, column: pl.Series) -> Matrix:
        """The column as numbers with meaningful distances, complete."""
        block = _block(self, column)
        missing = np.isnan(block[:, 0])
        block = np.where(missing[:, None], self.filled, block)
        if self.gaps:
            block = np.column_stack([block, np.where(missing, self.apart, 0.0)])
        return block * self.factor


def column_scales(
    sample: Table,
    names: Sequence[str],
    *,
    scale: Scale = "zscore",
    weights: Mapping[str, float] | None = None,
    gaps: Sequence[str] = (),
) -> tuple[ColumnScale, ...]:
    """The scales of columns; a gap counts in those named in `gaps`, as in `shoal.encode.encode_gaps`.

    >>> from shoal import as_table
    >>> scales = column_scales(as_table(pl.DataFrame({"age": [20.0, 30, 40]})), ["age"])
    >>> encode_frame(scales, pl.DataFrame({"age": [20.0, 50.0]})).tolist()
    [[-1.0], [2.0]]
    """
    check_choice("scale", scale, SCALES)
    check_names(weights or {}, names)
    frame = sample.frame
    found = []
    for name in names:
        weight = check_number(f"weight of {name}", (weights or {}).get(name, 1.0), 0, 1e12)
        raw = _unfilled(sample, name, frame[name], scale, float(np.sqrt(weight)), name in gaps)
        block = _block(raw, frame[name])
        seen = block[~np.isnan(block[:, 0])]
        filled = seen.mean(axis=0) if len(seen) else np.zeros(block.shape[1])
        spread = float(np.sqrt(((seen - filled) ** 2).sum(axis=1).mean())) if len(seen) else 0.0
        found.append(ColumnScale(**{**vars(raw), "filled": filled, "apart": GAP_DISTANCE * (spread or 1.0)}))
    return tuple(found)


def encode_frame(scales: Sequence[ColumnScale], frame: pl.DataFrame) -> Matrix:
    """Records as a matrix without gaps."""
    return np.ascontiguousarray(np.hstack([scale.encode(frame[scale.name]) for scale in scales]))


def _unfilled(
    sample: Table, name: str, column: pl.Series, scale: Scale, factor: float, gaps: bool
) -> ColumnScale:
    kind, centre, spread, categories = sample.attribute(name).kind, 0.0, 1.0, None
    if kind == "numeric":
        values = sample.column(name)
        seen = values[np.isfinite(values)]
        if scale != "none" and len(seen) and np.ptp(seen) > 0:
            centre = float(seen.min() if scale == "range" else seen.mean())
            spread = float(np.ptp(seen) if scale == "range" else seen.std(ddof=1))
        elif scale != "none" and len(seen):
            centre = float(seen[0])
    elif kind == "ordinal":
        order = sample.attribute(name).order
        categories = pl.Series(list(order)) if order else _plain(column).drop_nulls().unique().sort()
        spread = float(max(len(categories), 1))
    else:
        counts = _plain(column).drop_nulls().rename("value").value_counts(name="count")
        common = counts.sort("count", "value", descending=[True, False]).head(MOST_CATEGORIES)
        categories = common["value"].sort()
    return ColumnScale(name, kind, centre, spread, categories, factor, gaps, np.zeros(1), 1.0)


def _plain(column: pl.Series) -> pl.Series:
    """Categories and truth values as texts."""
    if column.dtype in (pl.Categorical, pl.Enum, pl.Boolean, pl.Null):
        return column.cast(pl.String)
    return column


def _block(scale: ColumnScale, column: pl.Series) -> Matrix:
    """The column as numbers, NaN where missing."""
    if scale.kind == "numeric":
        values = column.cast(pl.Float64).to_numpy()
        if np.isinf(values).any():
            raise InvalidInput(f"Column {scale.name!r} has an infinite value; replace it or make it missing.")
        return np.asarray((values - scale.centre) / scale.spread)[:, None]
    assert scale.categories is not None
    column, categories = _plain(column), scale.categories
    missing = column.is_null().to_numpy()
    if scale.kind == "ordinal" and categories.is_sorted() and len(categories):
        codes = categories.search_sorted(column.fill_null(categories[0]), side="left").to_numpy()
        return np.where(missing, np.nan, codes / scale.spread)[:, None]
    codes = _codes(column, categories)
    if scale.kind == "ordinal":
        return np.where(missing, np.nan, codes / scale.spread)[:, None]
    block = np.zeros((len(column), len(categories) + 1))
    block[np.arange(len(column)), codes] = np.sqrt(0.5)
    block[missing] = np.nan
    return block


def _codes(column: pl.Series, categories: pl.Series) -> np.ndarray:
    """The place of every value among the categories; the last one for values they lack."""
    known = pl.DataFrame({"value": categories}).with_row_index("code")
    joined = pl.DataFrame({"value": column}).join(known, on="value", how="left", maintain_order="left")
    return joined["code"].fill_null(len(categories)).to_numpy().astype(np.intp)
