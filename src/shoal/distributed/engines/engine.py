"""What every engine gives: all records of one shard together, to one function, however often it is tried."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import narwhals as nw
import polars as pl

from shoal.distributed.shards.shard_keys import KEY, ROW, ShardKey
from shoal.errors import ShoalError

ShardFunction = Callable[[pl.DataFrame, int], pl.DataFrame]
Done = Callable[[int], None]  # called with the number of records of every shard that is done

PIECE_RECORDS = 500_000  # records an engine reads at a time; no measurement on record


class ShardFailed(ShoalError):
    """A shard could not be treated or written, however often it was tried."""


@dataclass(frozen=True)
class Piece:
    """Some records of a parquet file, and the number in the source of its first one (None: they know it)."""

    path: Path
    start: int
    records: int
    first: int | None

    def scan(self, columns: Sequence[str]) -> pl.LazyFrame:
        """Its records with their numbers in the source."""
        if self.first is None:
            lazy = pl.scan_parquet(self.path, glob=False).slice(self.start, self.records)
            return lazy.select(*columns, ROW)
        offset = self.first - self.start
        lazy = pl.scan_parquet(self.path, glob=False, row_index_name=ROW, row_index_offset=offset)
        return lazy.slice(self.start, self.records).select(*columns, pl.col(ROW).cast(pl.Int64))

    def cut(self, most: int) -> Iterator[Piece]:
        """The same records in pieces of at most so many.

        >>> [part.first for part in Piece(Path("a"), 0, 5, 7).cut(3)]
        [7, 10]
        """
        for start in range(0, self.records, most):
            first = None if self.first is None else self.first + start
            yield Piece(self.path, self.start + start, min(most, self.records - start), first)

    def read(self, columns: Sequence[str]) -> pl.DataFrame:
        """The same, in memory."""
        return self.scan(columns).collect()


class Engine(Protocol):
    """One entry of the menu ENGINES."""

    @property
    def name(self) -> str:
        """As on the menu."""

    def frame(self, pieces: Sequence[Piece], columns: Sequence[str]) -> nw.LazyFrame[Any] | None:
        """Records as a lazy frame of the engine, to group by; None: group in shards instead."""

    def shards(
        self,
        pieces: Sequence[Piece],
        columns: Sequence[str],
        key: ShardKey,
        function: ShardFunction,
        folder: Path,
        done: Done,
    ) -> list[Path]:
        """One new parquet file in `folder` for every shard of the records: what the function makes of it."""


def pieces_of(paths: Sequence[Path], counts: Sequence[int], *, numbered: bool) -> list[Piece]:
    """Files in pieces of a size that no engine chooses; `numbered` files hold the numbers of their records.

    Workers may stand in other folders, so that names are absolute.

    >>> [piece.first for piece in pieces_of([Path("a"), Path("b")], [600_000, 10], numbered=False)]
    [0, 500000, 600000]
    """
    found, first = [], 0
    for path, count in zip(paths, counts, strict=True):
        for start in range(0, count, PIECE_RECORDS):
            size = min(PIECE_RECORDS, count - start)
            found.append(Piece(path.absolute(), start, size, None if numbered else first + start))
        first += count
    return found


def run_shard(function: ShardFunction, shard: int, frame: pl.DataFrame, folder: Path) -> int:
    """Treat one shard and write it whole: a second try of the same task writes the same bytes again."""
    try:
        result = function(frame.drop(KEY, strict=False).sort(ROW), shard)
    except ShoalError as error:
        raise type(error)(f"Shard {shard}: {error}") from None
    except Exception as error:  # its words could quote a value
        raise ShardFailed(f"Shard {shard} could not be treated ({type(error).__name__}).") from None
    target = folder / f"{shard:08d}.parquet"
    temporary = folder / f".{shard:08d}-{secrets.token_hex(4)}.tmp"
    try:
        result.write_parquet(temporary)
        os.replace(temporary, target)
    except Exception as error:
        raise ShardFailed(f"Shard {shard} could not be written: {why_not_written(error)}.") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return frame.height


def why_not_written(error: BaseException) -> str:
    """A full disk is worth a sentence of its own; polars has no error number for it.

    >>> why_not_written(OSError(28, "No space left on device"))
    'the disk is full; free some space, about three times the source'
    """
    if getattr(error, "errno", None) == errno.ENOSPC or "os error 28" in str(error).lower():
        return "the disk is full; free some space, about three times the source"
    return os.strerror(code) if (code := getattr(error, "errno", None)) else type(error).__name__
