"""Local suppression in shards: only records below k move on to be suppressed, with some company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.distributed.shards.column_scales import ColumnScale
from shoal.distributed.shards.kd_cuts import Cuts, mixed
from shoal.distributed.shards.shard_functions import RunSteps, plain, typed
from shoal.distributed.shards.shard_keys import KEY, NEXT, ROW, cut_shards

COMPANY = 2  # times k: so many records of every class that has k are at hand, to look alike with others


@dataclass(frozen=True)
class MarkRare:
    """Whole classes are in a shard: small ones are marked, and a few records of every other one.

    Where the company that is marked is suppressed as well, k records of its class are left. Of other models
    nobody knows what is left: all records are marked.
    """

    keys: Sequence[str]
    k: int
    everything: bool = False

    def __call__(self, frame: pl.DataFrame, shard: int) -> pl.DataFrame:
        """The records with 1 (to be treated) or 0 in place of a shard."""
        size, place = pl.len().over(self.keys), pl.int_range(pl.len()).over(self.keys)
        wanted = (size < (COMPANY + 1) * self.k) | (place < COMPANY * self.k) | self.everything
        return plain(frame).with_columns(wanted.cast(pl.Int32).alias(NEXT))


@dataclass(frozen=True)
class RareKey:
    """Marked records go to the shards of their neighbours, the others to shards of their own."""

    scales: tuple[ColumnScale, ...]
    cuts: Cuts
    others: int

    @property
    def columns(self) -> list[str]:
        """What the key is made of."""
        return [ROW, NEXT, *(scale.name for scale in self.scales)]

    def __call__(self, frame: pl.DataFrame) -> pl.Series:
        """The shard of every record."""
        rows = frame[ROW].to_numpy()
        near = pl.Series(cut_shards(self.scales, self.cuts, frame))
        far = pl.Series((mixed(rows, 0) % self.others).astype("int32")) + self.cuts.count
        return pl.select(
            pl.when(frame[NEXT] == 1).then(near).otherwise(far).cast(pl.Int32).alias(KEY)
        ).to_series()


@dataclass(frozen=True)
class RunInSome:
    """The step in the first shards; records of the others stay as they are."""

    run: RunSteps
    first: int

    def __call__(self, frame: pl.DataFrame, shard: int) -> pl.DataFrame:
        """The records after the step."""
        if shard < self.first:
            return self.run(frame.drop(NEXT), shard)
        return typed(frame, self.run.schema).with_columns(frame[ROW])


def in_shard(step: Mapping[str, Any], shards: int) -> Mapping[str, Any]:
    """The step as it is done in one of so many shards: clusters of the whole file are parted among them.

    >>> in_shard({"method": "protect_clusters", "clusters": 12}, 5)
    {'method': 'protect_clusters', 'clusters': 3}
    """
    if step["method"] != "protect_clusters":
        return step
    return {**step, "clusters": -(-step["clusters"] // shards)}
