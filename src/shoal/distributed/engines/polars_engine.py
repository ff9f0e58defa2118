"""The engine at hand: polars writes every shard to the work folder, then one after the other is treated."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from shoal.distributed.engines.engine import Done, Piece, ShardFunction, run_shard
from shoal.distributed.shards.shard_keys import KEY, ROW, ShardKey
from shoal.errors import InvalidInput


class PolarsEngine:
    """Files larger than memory on one machine; nothing else is needed."""

    name = "polars"

    def frame(self, pieces: Sequence[Piece], columns: Sequence[str]) -> nw.LazyFrame[Any]:
        """Records as a lazy frame."""
        return nw.from_native(_numbered(pieces, columns).select(columns))

    def shards(
        self,
        pieces: Sequence[Piece],
        columns: Sequence[str],
        key: ShardKey,
        function: ShardFunction,
        folder: Path,
        done: Done,
    ) -> list[Path]:
        """One new file for every shard, through a partitioned sink that holds no shard in memory."""
        apart = folder / "apart"
        keyed = pl.struct(key.columns).map_batches(_Keyed(key), return_dtype=pl.Int32, is_elementwise=True)
        frame = _numbered(pieces, columns).with_columns(keyed.alias(KEY))
        frame.sink_parquet(pl.PartitionBy(apart, key=KEY, include_key=False), mkdir=True)
        for place in sorted(apart.iterdir(), key=_shard):
            whole = pl.read_parquet(sorted(place.iterdir()), glob=False, hive_partitioning=False)
            done(run_shard(function, _shard(place), whole, folder))
            shutil.rmtree(place)
        apart.rmdir()
        return sorted(folder.glob("*.parquet"))


class _Keyed:
    """The key of a batch of records, as polars hands it over."""

    def __init__(self, key: ShardKey) -> None:
        self.key = key

    def __call__(self, batch: pl.Series) -> pl.Series:
        return self.key(batch.struct.unnest())


def _numbered(pieces: Sequence[Piece], columns: Sequence[str]) -> pl.LazyFrame:
    """All pieces with the numbers of their records in the source."""
    paths = list(dict.fromkeys(piece.path for piece in pieces))
    if pieces[0].first is None:
        return pl.scan_parquet(paths, glob=False).select(*columns, ROW)
    frame = pl.scan_parquet(paths, glob=False, row_index_name=ROW)
    return frame.select(*columns, pl.col(ROW).cast(pl.Int64))


def _shard(place: Path) -> int:
    return int(place.name.rpartition("=")[2])


@contextmanager
def opened(scheduler: str | None, memory: int, folder: Path) -> Iterator[PolarsEngine]:
    """Nothing to open; there is no scheduler to ask."""
    if scheduler is not None:
        raise InvalidInput(
            "The engine polars works here and has no scheduler; name the engine, dask or spark."
        )
    yield PolarsEngine()
