"""One sample of the source: from it come scales and cuts, whichever engine works afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from shoal.distributed.memory_budget import records_held
from shoal.distributed.shards.kd_cuts import mixed
from shoal.distributed.shards.shard_keys import ROW
from shoal.errors import InvalidInput
from shoal.io.infer import check_type, is_beyond
from shoal.table import Table

SAMPLE_RECORDS = 200_000  # records that are shown of files of any size, if memory holds so many
FEW = 1000  # records that tell how wide all are
BATCH = 2_000_000  # record numbers looked at together; no measurement on record


def sample_rows(records: int, size: int, secret: int) -> np.ndarray:
    """The numbers of sampled records, in order: those whose mixed number is among the smallest.

    >>> sample_rows(5, 9, 1).tolist()
    [0, 1, 2, 3, 4]
    """
    if records <= size:
        return np.arange(records)
    limit = _limit(records, size)
    found = []
    for start in range(0, records, BATCH):
        rows = np.arange(start, min(start + BATCH, records))
        found.append(rows[mixed(rows, secret) < limit])
    return np.concatenate(found)


def _limit(records: int, size: int) -> np.uint64:
    return np.uint64(int(size / records * (2**64 - 1)))


def only_sampled(frame: pl.LazyFrame, records: int, size: int, secret: int) -> pl.LazyFrame:
    """The sampled records of a numbered frame; a join with their numbers would hold the whole of it."""
    if records <= size:
        return frame
    limit = _limit(records, size)

    def chosen(rows: pl.Series) -> pl.Series:
        return pl.Series(mixed(rows.to_numpy(), secret) < limit)

    return frame.filter(pl.col(ROW).map_batches(chosen, return_dtype=pl.Boolean, is_elementwise=True))


def sample_size(paths: Sequence[Path], columns: Sequence[str], bytes_there: int) -> int:
    """How many records of parquet files are sampled."""
    few = pl.scan_parquet(paths[0], glob=False).select(columns).head(FEW).collect()
    return records_held(few, SAMPLE_RECORDS, bytes_there)


def sampled(
    paths: Sequence[Path],
    columns: Sequence[str],
    records: int,
    *,
    secret: int,
    size: int,
    numbered: bool = False,
) -> pl.DataFrame:
    """About so many records of parquet files with their numbers, in the order of the source.

    Numbers are those in the source; files that do not hold them (`numbered`) are the source.
    """
    frame = pl.scan_parquet(list(paths), glob=False, row_index_name=None if numbered else ROW)
    frame = frame.select(pl.col(ROW).cast(pl.Int64), *columns)
    return only_sampled(frame, records, size, secret).collect(engine="streaming").sort(ROW)


def columns_with_gaps(paths: Sequence[Path], columns: Sequence[str]) -> list[str]:
    """The columns in which a cell of the whole source is missing."""
    frame = pl.scan_parquet(list(paths), glob=False).select(columns)
    floats = [name for name, dtype in frame.collect_schema().items() if dtype.is_float()]
    frame = frame.with_columns(pl.col(floats).fill_nan(None)) if floats else frame
    found = frame.select(pl.all().null_count()).collect(engine="streaming").row(0, named=True)
    return [name for name, count in found.items() if count]


def check_values(frame: pl.LazyFrame, sample: Table) -> None:
    """Refuse, before long work, types that no method has, and values of the whole that no group can hold."""
    for column in sample.frame:
        check_type(column)
    wrong = []
    for name, dtype in sample.frame.schema.items():
        if dtype.is_float() and name in sample.names("quasi"):
            wrong.append(pl.col(name).is_infinite().any())
        elif isinstance(dtype, pl.Date | pl.Datetime):
            wrong.append(is_beyond(pl.col(name), dtype).any())
    found = frame.select(wrong).collect(engine="streaming").row(0, named=True) if wrong else {}
    for name in (name for name, odd in found.items() if odd):
        is_date = sample.frame[name].dtype.is_temporal()
        what = "a date outside the years 1 to 9999" if is_date else "an infinite number"
        raise InvalidInput(f"Column {name!r} has {what}; replace it, or make it missing.")
