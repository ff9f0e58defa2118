"""What is done to one shard: functions of (records, number of the shard) that travel to every worker.

The records come sorted by their number in the source, and what is drawn depends on (secret, shard) alone: a
repeated task, or another engine, gives the same records.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from shoal._shared.options import with_known_options
from shoal.distributed.shards.column_scales import ColumnScale, encode_frame
from shoal.distributed.shards.kd_cuts import Cuts
from shoal.distributed.shards.shard_keys import GROUP, KEY, NEXT, ROW
from shoal.errors import Infeasible
from shoal.io import frame_to_release
from shoal.masking import aggregate, group_constraint
from shoal.masking.microaggregation.merge_groups import merge_groups
from shoal.partition.labels import assign_to_nearest, means, relabel
from shoal.partition.local_search import local_search
from shoal.table import Attribute, Table, as_table
from shoal.types import Labels, Matrix, Partitioner
from shoal.workflow.registry import STEPS, bind_method

Schema = Mapping[str, pl.DataType]
LABELS, VALUE, LABEL = "labels found", "value", "label"
OWN = (ROW, GROUP, NEXT, KEY)


@dataclass(frozen=True)
class RunSteps:
    """Steps that need no other record than those of the shard; the last ones also shuffle for release."""

    steps: Sequence[Mapping[str, Any]]
    attributes: tuple[Attribute, ...]
    schema: Schema
    secret: int
    final: bool = False

    def __call__(self, frame: pl.DataFrame, shard: int) -> pl.DataFrame:
        """The records after the steps."""
        streams = np.random.default_rng([self.secret, shard]).spawn(len(self.steps) + 1)
        table = as_shard(frame, self.attributes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they were said once, about the sample
            for step, stream in zip(self.steps, streams, strict=False):
                table = stepped(step, table, stream)
        if self.final:
            return typed(frame_to_release(table), self.schema)[streams[-1].permutation(len(frame))]
        return typed(table.frame, self.schema).with_columns(frame[ROW])


@dataclass(frozen=True)
class Grouping:
    """What microaggregation does in every shard: how records are compared, and the options of the step."""

    k: int
    partition: Partitioner
    scales: tuple[ColumnScale, ...]
    attributes: tuple[Attribute, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """The columns it changes."""
        return [scale.name for scale in self.scales]

    def groups(self, X: Matrix) -> Labels:
        """The groups of the records of one shard."""
        return relabel(with_known_options(self.partition, rng=np.random.default_rng(0))(X, self.k))


@dataclass(frozen=True)
class GroupShard:
    """First groups, inside the shards of the first plan; whole groups go on to the shards of the second."""

    grouping: Grouping
    cuts: Cuts

    def __call__(self, frame: pl.DataFrame, shard: int) -> pl.DataFrame:
        """The records with their group and their next shard; too few of them go on alone."""
        X, rows = encode_frame(self.grouping.scales, frame), frame[ROW].to_numpy()
        if len(X) < self.grouping.k:
            group, following = np.full(len(X), -1), self.cuts.shards(X, rows)
        else:
            labels = self.grouping.groups(X)
            first = rows[np.unique(labels, return_index=True)[1]]
            following = self.cuts.shards(means(X, labels), first)[labels]
            group = labels + (shard << 32)
        return frame.drop(KEY, strict=False).with_columns(
            pl.Series(GROUP, group, dtype=pl.Int64), pl.Series(NEXT, following, dtype=pl.Int32)
        )


@dataclass(frozen=True)
class AggregateShard:
    """The border round: groups are improved across the first cuts, then released as their centres."""

    grouping: Grouping
    schema: Schema

    def __call__(self, frame: pl.DataFrame, shard: int) -> pl.DataFrame:
        """The records with the centres of their groups."""
        X, table = encode_frame(self.grouping.scales, frame), as_shard(frame, self.grouping.attributes)
        options = dict(self.grouping.options)
        wanted = {name: options.pop(name, None) for name in ("l_diversity", "confidential", "promise")}
        labels = self._labels(X, frame)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if wanted["l_diversity"] is not None or wanted["promise"]:
                constraint = group_constraint(table, **wanted)
                if constraint is not None:
                    labels = merge_groups(X, labels, np.zeros(len(X), dtype=np.intp), constraint)
            masked = aggregate(table, labels, columns=self.grouping.columns, **options)
        return typed(masked.frame, self.schema).with_columns(frame[ROW])

    def _labels(self, X: Matrix, frame: pl.DataFrame) -> Labels:
        if len(X) < self.grouping.k:
            raise Infeasible(
                f"{len(X)} records cannot make groups of k = {self.grouping.k}; give more memory, so that "
                "shards are larger."
            )
        if GROUP not in frame.columns:
            return self.grouping.groups(X)
        group = frame[GROUP].to_numpy()
        if (group < 0).all():
            return self.grouping.groups(X)
        labels = np.where(group < 0, -1, np.unique(group, return_inverse=True)[1].reshape(-1))
        if (group < 0).any():
            labels = assign_to_nearest(X, relabel_known(labels))
        return local_search(X, self.grouping.k, start=relabel(labels))


def relabel_known(labels: Labels) -> Labels:
    """Labels 0..g-1 for those that have one, -1 for the others.

    >>> relabel_known(np.array([-1, 5, 3, 5])).tolist()
    [-1, 1, 0, 1]
    """
    known = labels >= 0
    found = np.full(len(labels), -1, dtype=np.intp)
    found[known] = np.unique(labels[known], return_inverse=True)[1].reshape(-1)
    return found


def stepped(step: Mapping[str, Any], table: Table, rng: int | np.random.Generator) -> Table:
    """The table after one step of a recipe, or after the labels that a search has found."""
    if step["method"] == LABELS:
        return labelled(table, step["labels"])
    masked: Table = with_known_options(bind_method(present(step, table), STEPS), rng=rng)(table)
    return masked


def labelled(table: Table, labels: Mapping[str, pl.DataFrame]) -> Table:
    """Labels in place of values, by columns of pairs.

    >>> pairs = pl.DataFrame({VALUE: [3, None], LABEL: ["[0, 5)", "*"]})
    >>> labelled(as_table({"age": [3, 3, None]}), {"age": pairs}).frame["age"].to_list()
    ['[0, 5)', '[0, 5)', '*']
    """
    found = {
        name: table.frame.select(pl.col(name).alias(VALUE)).join(
            pairs, on=VALUE, how="left", nulls_equal=True, maintain_order="left"
        )[LABEL]
        for name, pairs in labels.items()
    }
    return as_table(table.assign(**found), kinds=dict.fromkeys(labels, "nominal"))


def as_shard(frame: pl.DataFrame, attributes: tuple[Attribute, ...]) -> Table:
    """The columns of a shard with the kinds and roles the whole file has."""
    return Table(plain(frame.select(a.name for a in attributes)), attributes)


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """NaN is missing, and -0.0 is 0.0, as wherever a file is read.

    >>> plain(pl.DataFrame({"x": [-0.0, float("nan")]}))["x"].to_list()
    [0.0, None]
    """
    return frame.with_columns(plain_floats(dict(frame.schema)))


def plain_floats(schema: Schema) -> list[pl.Expr]:
    """The columns of floats, NaN missing and no -0.0; polars takes x + 0.0 for x."""
    return [
        pl.when(pl.col(name) == 0).then(pl.lit(0.0, dtype)).otherwise(pl.col(name).fill_nan(None)).alias(name)
        for name, dtype in schema.items()
        if dtype.is_float()
    ]


def typed(frame: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    """The columns in the types that all shards have: in one of them a column may be empty."""
    return frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def present(step: Mapping[str, Any], table: Table) -> Mapping[str, Any]:
    """The step without the categories this shard happens to lack, which a merge would refuse."""
    if step["method"] != "global_recode" or not step.get("merge"):
        return step
    merge: dict[str, dict[str, list[Any]]] = {}
    for name, groups in step["merge"].items():
        known = set(table.frame[name].cast(pl.String).unique().to_list())
        lists = {label: [m] if isinstance(m, str) else list(m) for label, m in groups.items()}
        merge[name] = {label: [m for m in ms if str(m) in known] for label, ms in lists.items()}
    return {**step, "merge": merge}
