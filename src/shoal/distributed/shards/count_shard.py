"""Counting classes in shards: every class lies whole in one of them, and a line of figures comes back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import narwhals as nw
import polars as pl
from polars import selectors

from shoal.distributed.count_files import comparable_frame, counted
from shoal.distributed.shards.shard_keys import KEY
from shoal.models.promise import Promise

LINE = "line"


@dataclass(frozen=True)
class ClassKey:
    """Records that look alike go to one shard."""

    keys: Sequence[str]
    count: int

    @property
    def columns(self) -> list[str]:
        """What the key is made of."""
        return list(self.keys)

    def __call__(self, frame: pl.DataFrame) -> pl.Series:
        """The shard of every record.

        >>> ClassKey(["a"], 1)(pl.DataFrame({"a": [3, 4]})).to_list()
        [0, 0]
        """
        texts = selectors.by_dtype(pl.Categorical, pl.Enum).cast(pl.String)
        one = frame.select(self.keys).with_columns(selectors.float().fill_nan(None), texts)
        return one.select((pl.struct(self.keys).hash(0) % self.count).cast(pl.Int32).alias(KEY)).to_series()


@dataclass(frozen=True)
class CountShard:
    """What `counted` says about one shard."""

    keys: Sequence[str]
    promise: Promise
    household: str | None

    def __call__(self, frame: pl.DataFrame, shard: int) -> pl.DataFrame:
        """A record with the line as text."""
        lazy, signs = comparable_frame(nw.from_native(frame.lazy()), self.keys)
        line = counted(lazy, [*self.keys, *signs], self.promise, self.household)
        return pl.DataFrame({LINE: [json.dumps(line)]})
