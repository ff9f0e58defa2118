"""The engine at hand: polars writes every shard to the work folder, then one after the other is treated."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from shoal.distributed.engines.engine import Done, Piece, ShardFunction, run_shard
from shoal.distributed.memory_budget import arrays_apart, records_held, room
from shoal.distributed.shards.shard_keys import KEY, ShardKey
from shoal.errors import InvalidInput

WHOLE = "whole"  # there when all records are in the folders of their shards
FEW = 1000  # records that tell how wide all are
AT_ONCE = 3  # times what is held to be treated: a sink holds what it parts twice, not six times, measured


@dataclass(frozen=True)
class PolarsEngine:
    """Files larger than memory on one machine; nothing else is needed."""

    room: int
    name: str = "polars"

    def frame(self, pieces: Sequence[Piece], columns: Sequence[str]) -> nw.LazyFrame[Any]:
        """Records as a lazy frame."""
        return nw.from_native(pl.concat([piece.scan(columns) for piece in pieces]).select(columns))

    def shards(
        self,
        pieces: Sequence[Piece],
        columns: Sequence[str],
        key: ShardKey,
        function: ShardFunction,
        folder: Path,
        done: Done,
    ) -> list[Path]:
        """One new file for every shard, through partitioned sinks.

        A sink holds what it parts until a file is large (all of it, if there are many shards): it is given no
        more at a time than memory holds.
        """
        apart = folder / "apart"
        if not (apart / WHOLE).exists():  # else an earlier try of this job came so far
            shutil.rmtree(apart, ignore_errors=True)
            self._part(pieces, columns, key, apart)
            (apart / WHOLE).touch()
        places: dict[int, list[Path]] = {}
        for place in apart.glob("*/*"):
            places.setdefault(_shard(place), []).append(place)
        for path in sorted(folder.glob("*.parquet")):  # whole: written, then named
            done(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())
            for place in places.pop(int(path.stem), []):
                shutil.rmtree(place)
        for shard in sorted(places):
            parts = sorted(path for place in places[shard] for path in place.iterdir())
            whole = pl.read_parquet(parts, glob=False, hive_partitioning=False)
            done(run_shard(function, shard, whole, folder))
            for place in places[shard]:
                shutil.rmtree(place)
        shutil.rmtree(apart, ignore_errors=True)
        return sorted(folder.glob("*.parquet"))

    def _part(self, pieces: Sequence[Piece], columns: Sequence[str], key: ShardKey, apart: Path) -> None:
        """All records in folders of their shards."""
        keyed = pl.struct(key.columns).map_batches(_Keyed(key), return_dtype=pl.Int32, is_elementwise=True)
        few = pieces[0].scan(columns).head(FEW).collect()
        most = records_held(few, sum(piece.records for piece in pieces), AT_ONCE * self.room)
        for number, batch in enumerate(_batches(pieces, most)):
            frame = pl.concat([piece.scan(columns) for piece in batch]).with_columns(keyed.alias(KEY))
            to = pl.PartitionBy(apart / f"{number}", key=KEY, include_key=False)
            frame.sink_parquet(to, mkdir=True)


class _Keyed:
    """The key of a batch of records, as polars hands it over."""

    def __init__(self, key: ShardKey) -> None:
        self.key = key

    def __call__(self, batch: pl.Series) -> pl.Series:
        return self.key(batch.struct.unnest())


def _batches(pieces: Sequence[Piece], most: int) -> Iterator[list[Piece]]:
    """Pieces one after the other, of so many records together; a larger one is cut."""
    batch: list[Piece] = []
    for part in chain.from_iterable(piece.cut(most) for piece in pieces):
        if batch and sum(own.records for own in batch) + part.records > most:
            yield batch
            batch = []
        batch.append(part)
    yield batch


def _shard(place: Path) -> int:
    return int(place.name.rpartition("=")[2])


@contextmanager
def opened(scheduler: str | None, memory: int, folder: Path) -> Iterator[PolarsEngine]:
    """Nothing to open; there is no scheduler to ask."""
    if scheduler is not None:
        raise InvalidInput(
            "The engine polars works here and has no scheduler; name the engine, dask or spark."
        )
    arrays_apart()
    yield PolarsEngine(room(memory))
