"""Which shard a record goes to: values that travel to every worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.distributed.shards.column_scales import ColumnScale, encode_frame
from shoal.distributed.shards.kd_cuts import Cuts, mixed

NUMBERS = 500_000  # encoded at one time: 4 MB, and some copies
ROW, GROUP, NEXT, KEY = "__shoal_row", "__shoal_group", "__shoal_next", "__shoal_key"


@dataclass(frozen=True)
class RandomKey:
    """Shards by chance: where a record lies in the source tells nothing about where it goes."""

    secret: int
    count: int

    @property
    def columns(self) -> list[str]:
        """What the key is made of."""
        return [ROW]

    def __call__(self, frame: pl.DataFrame) -> pl.Series:
        """The shard of every record.

        >>> RandomKey(7, 1)(pl.DataFrame({ROW: [0, 1]})).to_list()
        [0, 0]
        """
        rows = frame[ROW].to_numpy()
        return pl.Series(KEY, (mixed(rows, self.secret) % self.count).astype("int32"))


@dataclass(frozen=True)
class CutKey:
    """Shards of neighbours, by the cuts of a plan."""

    scales: tuple[ColumnScale, ...]
    cuts: Cuts

    @property
    def columns(self) -> list[str]:
        """What the key is made of."""
        return [ROW, *(scale.name for scale in self.scales)]

    def __call__(self, frame: pl.DataFrame) -> pl.Series:
        """The shard of every record."""
        return pl.Series(KEY, cut_shards(self.scales, self.cuts, frame))


def cut_shards(scales: Sequence[ColumnScale], cuts: Cuts, frame: pl.DataFrame) -> NDArray[np.int32]:
    """The shard of every record, some at a time: encoded, a column of names is hundreds of numbers."""
    size = max(NUMBERS // max(encode_frame(scales, frame.head(0)).shape[1], 1), 1)
    parts = [cuts.shards(encode_frame(scales, own), own[ROW].to_numpy()) for own in frame.iter_slices(size)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int32)


@dataclass(frozen=True)
class ColumnKey:
    """The shard that an earlier step has written beside every record."""

    name: str

    @property
    def columns(self) -> list[str]:
        """What the key is made of."""
        return [self.name]

    def __call__(self, frame: pl.DataFrame) -> pl.Series:
        """The shard of every record.

        >>> ColumnKey("a")(pl.DataFrame({"a": [3]})).to_list()
        [3]
        """
        return frame[self.name].cast(pl.Int32).rename(KEY)


class ShardKey(Protocol):
    """Where every record goes."""

    @property
    def columns(self) -> list[str]:
        """What the key is made of."""

    def __call__(self, frame: pl.DataFrame) -> pl.Series:
        """The shard of every record."""
