"""A table or a query of a database as parquet in the work folder: read in batches, never held as a whole."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

import polars as pl

from shoal.distributed.rate import Stopped
from shoal.distributed.sources.source_files import Source, SourceFiles, source_files
from shoal.distributed.work_folder import full_disk_said
from shoal.errors import InvalidInput
from shoal.io import Address, source_of
from shoal.io.database import read_in_batches
from shoal.types import Callback, Progress

PART_RECORDS = 500_000  # of a file; no measurement on record
PART_BYTES = 128 * 2**20  # of a file, in memory: some columns are long texts


def database_of(source: Source, table: str | None = None, query: str | None = None) -> Address | None:
    """The table or query that is meant, if it is one of a database; None: files.

    >>> database_of("big/*.parquet"), database_of("postgresql:///register", table="persons")
    (None, postgresql:///register table persons)
    """
    if isinstance(source, str | os.PathLike | Address):
        place = source_of(source, table, query)
        return place if isinstance(place, Address) else None
    if table is not None or query is not None:
        raise InvalidInput("A table or a query is part of a database; give its address, or leave them out.")
    return None


def unloaded(
    address: Address, folder: Path, *, only: Collection[str] | None = None, callback: Callback | None = None
) -> SourceFiles:
    """All records of an answer in parquet files of this folder; `only` some of its columns if it has them."""
    return gathered(read_in_batches(address), folder, only=only, callback=callback)


def gathered(
    batches: Iterable[pl.DataFrame],
    folder: Path,
    *,
    only: Collection[str] | None = None,
    callback: Callback | None = None,
) -> SourceFiles:
    """Batches of records in parquet files of this folder."""
    held: list[pl.DataFrame] = []
    paths: list[Path] = []
    records = size = 0
    for batch in batches:
        names = [name for name in batch.columns if only is None or name in only]
        part = batch.select(names or batch.columns[:1])
        held.append(part.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String)))
        records, size = records + part.height, size + int(part.estimated_size())
        if sum(frame.height for frame in held) >= PART_RECORDS or size >= PART_BYTES:
            paths.append(_written(held, folder, len(paths)))
            held, size = [], 0
            if callback is not None and callback(Progress(0.0, f"{records:,} records read")):
                raise Stopped(f"Stopped after {records:,} records were read; nothing is left of it.")
    if held:
        paths.append(_written(held, folder, len(paths)))
    return source_files(paths)


def _written(frames: list[pl.DataFrame], folder: Path, place: int) -> Path:
    path = folder / f"query-{place:06d}.parquet"
    with full_disk_said():
        pl.concat(frames, how="vertical").write_parquet(path)
    return path
