"""How many records of files larger than memory an intruder finds again: some targets among all records."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from shoal.distributed.sample_files import only_sampled, sample_rows
from shoal.distributed.shards.shard_keys import ROW
from shoal.distributed.steps_at_scale import Stage
from shoal.errors import NotApplicable
from shoal.measures.record_linkage import Points, rivals_of
from shoal.measures.risk.cover_linkage import TARGETS, Linkage, chances_of
from shoal.table import Table
from shoal.types import Matrix

COMPARABLE = ("microaggregate", "add_noise", "pram", "rank_swap", "shuffle")  # leave values of the same kind
MISSING = "\0missing"  # a name of its own


@dataclass(frozen=True)
class Compared:
    """One column: numbers in deviations, ranks as shares of the ranks, names as codes."""

    name: str
    kind: str
    dtype: pl.DataType
    mean: float = 0.0
    deviation: float = 0.0
    values: pl.Series | None = None

    def numbers(self, column: pl.Series) -> Matrix:
        """The column as numbers; distances of names say nothing but equal or not."""
        if self.kind == "numeric":
            found = column.to_physical().cast(pl.Float64).fill_nan(None).fill_null(self.mean).to_numpy()
            return (found - self.mean) / self.deviation if self.deviation else 1.0 * (found != self.mean)
        assert self.values is not None
        known = pl.DataFrame({"value": self.values}).with_row_index("code")
        names = pl.DataFrame({"value": _names(column, self.kind == "nominal")})
        codes = names.join(known, on="value", how="left", maintain_order="left")["code"].cast(pl.Float64)
        if self.kind == "nominal":
            return codes.fill_null(
                len(self.values)
            ).to_numpy()  # a value that no original has is equal to none
        return (codes / len(self.values)).fill_null(self.mean).to_numpy()


@dataclass(frozen=True)
class Targets:
    """Records an intruder looks for, drawn at random, as they were before anything was done to them."""

    columns: tuple[Compared, ...]
    rows: np.ndarray
    X: Matrix

    def linked(self, paths: Sequence[Path], records: int) -> Linkage:
        """Look for each among all masked records, in files that hold the numbers of their records."""
        names, nominal = [c.name for c in self.columns], np.array([c.kind == "nominal" for c in self.columns])
        wanted = pl.col(ROW).is_in(self.rows)  # a join would hold all the files
        frame = pl.scan_parquet(list(paths), glob=False).select(ROW, *names)
        own = frame.filter(wanted).collect(engine="streaming").sort(ROW)
        Y, weight, at = _points(self.columns, own), np.ones(len(names)), np.arange(len(self.rows))
        among = rivals_of(Points(self.X, Y, nominal), weight, at)
        total, found = among.copy(), among > 0
        for path in paths:  # the targets' own records are beside every file, as nearest ones to be beaten
            part = pl.scan_parquet(path, glob=False).select(ROW, *names).filter(~wanted)
            others = _points(self.columns, part.collect())
            both = Points(np.vstack([self.X, others]), np.vstack([Y, others]), nominal)
            rivals = rivals_of(both, weight, at)
            found &= rivals > 0
            total += rivals - among
        chances = chances_of(np.where(found, total, 0), "expected")
        percent = 100 * float(chances.mean())
        low, high = (percent, percent) if len(at) == records else _interval(percent, len(at))
        return Linkage(percent, low, high, self.rows, chances, total)

    def check_types(self, schema: Mapping[str, pl.DataType]) -> None:
        """Refuse, before records move, columns whose values will be of another type."""
        for column in self.columns:
            before, after = column.dtype, schema[column.name]
            numbers = column.kind == "numeric" and before.is_numeric() and after.is_numeric()
            texts = {before, after} <= {pl.String, pl.Categorical, pl.Enum}
            if before != after and not numbers and not texts:
                raise NotApplicable(
                    f"Column {column.name!r} gets another type, which linkage cannot measure; leave it out."
                )


def check_comparable(stages: Sequence[Stage]) -> None:
    """Refuse, before long work, steps that make values coarser: distances would make them look safer."""
    methods = [str(step["method"]) for stage in stages for step in stage.steps]
    coarser = [method for method in methods if method not in COMPARABLE]
    if coarser:
        raise NotApplicable(
            f"Linkage is not measured in files larger than memory after {coarser[0]}; leave it out, and "
            "give a sample of the file to `shoal attack`."
        )


def targets_of(paths: Sequence[Path], sample: Table, records: int, *, secret: int) -> Targets:
    """The sampled targets with scales, ranks and names of the whole source (parquet)."""
    names = sample.names("quasi")
    if not names:
        raise NotApplicable("No column has the role quasi, so nobody can be linked; leave linkage out.")
    rows = sample_rows(records, TARGETS, secret)
    frame = pl.scan_parquet(list(paths), glob=False, row_index_name=ROW)
    frame = frame.select(pl.col(ROW).cast(pl.Int64), *names)
    columns = tuple(_compared(frame, sample, name) for name in names)
    own = only_sampled(frame, records, TARGETS, secret).collect(engine="streaming").sort(ROW)
    return Targets(columns, rows, _points(columns, own))


def _compared(frame: pl.LazyFrame, sample: Table, name: str) -> Compared:
    kind, dtype = str(sample.attribute(name).kind), frame.collect_schema()[name]
    if kind == "numeric":
        column = pl.col(name).to_physical().cast(pl.Float64).fill_nan(None)
        facts = frame.select(column.mean(), column.std().alias("std"))
        mean, deviation = facts.collect(engine="streaming").row(0)
        return Compared(name, kind, dtype, mean or 0.0, deviation or 0.0)
    counts = frame.group_by(name).agg(pl.len().alias("count")).collect(engine="streaming")
    if kind == "nominal":
        return Compared(name, kind, dtype, values=_names(counts[name], True).unique().sort())
    order = sample.attribute(name).order
    seen = counts.drop_nulls(name)
    values = pl.Series(list(order)) if order else _names(seen[name], False).sort()
    whole = Compared(name, kind, dtype, values=_names(values, False))
    ranks, sizes = whole.numbers(seen[name]), seen["count"].to_numpy()
    mean = float(np.average(ranks, weights=sizes)) if len(sizes) else 0.0
    return Compared(name, kind, dtype, mean, values=whole.values)


def _names(column: pl.Series, gaps: bool) -> pl.Series:
    """Categories and truth values as texts; for names so is all else, and a gap is one of them."""
    texts = column.dtype in (pl.Categorical, pl.Enum, pl.Boolean, pl.Null)
    plain = column.cast(pl.String) if gaps or texts else column
    return plain.fill_null(MISSING) if gaps else plain


def _points(columns: Sequence[Compared], frame: pl.DataFrame) -> Matrix:
    return np.column_stack([column.numbers(frame[column.name]) for column in columns])


def _interval(percent: float, size: int) -> tuple[float, float]:
    """Wilson's 95 %: it does not end at the very share where none, or all, of the targets were linked.

    >>> [round(value, 3) for value in _interval(0.0, 20_000)]
    [0.0, 0.019]
    """
    share, z = percent / 100, 1.96**2 / size
    middle, reach = share + z / 2, math.sqrt(z * (share * (1 - share) + z / 4))
    return 100 * max((middle - reach) / (1 + z), 0.0), 100 * min((middle + reach) / (1 + z), 1.0)
