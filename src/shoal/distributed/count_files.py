"""Counting classes of look-alikes in files: a group-by by the engine, one frame contract for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.distributed.group_by_parts import RECORDS, group_counts
from shoal.models import Classes, Hidden, class_distances
from shoal.models.promise import Promise

SIZE, BROKEN = "__shoal_size", "__shoal_broken"


@dataclass
class Counts:
    """What was counted: sums over the parts of a file whose classes lie whole in one part each."""

    records: int = 0
    classes: int = 0
    breaking: int = 0
    k: int | None = None
    l: dict[str, int] = field(default_factory=dict)
    t: dict[str, float] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Take in the line of one more part."""
        if not row["records"]:
            return
        self.records += int(row["records"])
        self.classes += int(row["classes"])
        self.breaking += int(row["breaking"])
        self.k = min(int(row["k"]), self.k or int(row["k"]))
        for name, figure in row["l"].items():
            self.l[name] = min(int(figure), self.l.get(name, int(figure)))
        for name, distance in row["t"].items():
            self.t[name] = max(float(distance), self.t.get(name, 0.0))


def counted(
    frame: nw.LazyFrame[Any], keys: Sequence[str], promise: Promise, household: str | None
) -> dict[str, Any]:
    """The line of one part, by the engine alone: one row comes back, however many classes there are.

    >>> people = nw.from_native(pl.LazyFrame({"age": [30, 30, 40], "ill": ["a", "b", "a"]}))
    >>> counted(people, ["age"], Promise(k=2, l={"ill": 2}), None)
    {'records': 3, 'classes': 2, 'breaking': 1, 'k': 1, 'l': {'ill': 1}, 't': {}}
    """
    classes = class_table(frame, keys, promise, household)
    broken = nw.col(SIZE) < promise.class_size
    for place, least in enumerate(promise.l.values()):
        broken = broken | (nw.col(_l(place)) < least)
    classes = classes.with_columns(nw.when(broken).then(nw.col(RECORDS)).otherwise(nw.lit(0)).alias(BROKEN))
    figures = [nw.col(_l(place)).min() for place in range(len(promise.l))]
    line = classes.with_columns(nw.lit(1).alias("__shoal_one")).select(
        nw.col("__shoal_one").sum(), nw.col(RECORDS).sum(), nw.col(BROKEN).sum(), nw.col(SIZE).min(), *figures
    )
    row = nw.from_native(line.collect(backend="polars").to_native(), eager_only=True).row(0)
    number, records, breaking, k, *least_values = row
    return {
        "records": int(records or 0),
        "classes": int(number or 0),
        "breaking": int(breaking or 0),
        "k": int(k or 0),
        "l": {name: int(value or 0) for name, value in zip(promise.l, least_values, strict=True)},
        "t": {},
    }


def comparable_frame(frame: nw.LazyFrame[Any], keys: Sequence[str]) -> tuple[nw.LazyFrame[Any], list[str]]:
    """NaN missing, categories as texts; and a key more for every float, whose two zeros engines call equal.

    >>> zeros = nw.from_native(pl.LazyFrame({"x": [0.0, -0.0, 7.0]}))
    >>> frame, signs = comparable_frame(zeros, ["x"])
    >>> frame.collect().to_native()[signs[0]].to_list()
    ['0.0', '-0.0', '']
    """
    changes: list[nw.Expr] = []
    signs: list[str] = []
    for name, dtype in frame.collect_schema().items():
        if dtype in (nw.Categorical, nw.Enum):
            changes.append(nw.col(name).cast(nw.String))
        elif dtype.is_float():
            changes.append(nw.col(name).fill_nan(None))
            if name in keys:
                signs.append(f"__shoal_sign{len(signs)}")
                zero = nw.when(nw.col(name) == 0).then(nw.col(name).cast(nw.String))
                changes.append(zero.otherwise(nw.lit("")).alias(signs[-1]))
    return (frame.with_columns(*changes) if changes else frame), signs


def class_table(
    frame: nw.LazyFrame[Any], keys: Sequence[str], promise: Promise, household: str | None
) -> nw.LazyFrame[Any]:
    """A row per class: its records, what k counts, and how many values of the columns l was promised for."""
    flags = [nw.col(name).is_null().cast(nw.Int64).alias(_gap(i)) for i, name in enumerate(promise.l)]
    copies = [nw.col(name).alias(_l(i)) for i, name in enumerate(promise.l)]
    homes = [] if household is None else [nw.col(household).alias(SIZE)]
    frame = frame.select(*keys, *copies, *flags, *homes, nw.lit(1).alias(RECORDS))
    grouped = frame.group_by(*keys).agg(
        nw.col(RECORDS).sum(),
        *([] if household is None else [nw.col(SIZE).n_unique()]),
        *(nw.col(_l(i)).n_unique() for i in range(len(promise.l))),
        *(nw.col(_gap(i)).max() for i in range(len(promise.l))),
    )
    if household is None:
        grouped = grouped.with_columns(nw.col(RECORDS).alias(SIZE))
    differences = [(nw.col(_l(i)) - nw.col(_gap(i))).alias(_l(i)) for i in range(len(promise.l))]
    return grouped.with_columns(*differences) if differences else grouped


def counted_with_t(
    frame: pl.LazyFrame,
    keys: Sequence[str],
    promise: Promise,
    household: str | None,
    shares: Mapping[str, pl.DataFrame],
    nominal: Sequence[str],
) -> dict[str, Any]:
    """As `counted`, with the distance of every class from the whole file, whose values are in `shares`."""
    lazy = class_table(nw.from_native(frame), keys, promise, household).to_native()
    classes = lazy.collect(engine="streaming").with_row_index("__shoal_class")
    if not classes.height:
        return {"records": 0}
    broken = (classes[SIZE] < promise.class_size).to_numpy()
    for place, least in enumerate(promise.l.values()):
        broken |= (classes[_l(place)] < least).to_numpy()
    reached = {}
    for name, most in promise.t.items():
        pairs = frame.select(*keys, pl.col(name).alias(BROKEN)).group_by(*keys, BROKEN).len(name=RECORDS)
        found = _distances(pairs, classes, keys, shares[name], name in nominal)
        reached[name] = float(found.max())
        broken |= found > most + 1e-12
    records = classes[RECORDS].to_numpy()
    return {
        "records": int(records.sum()),
        "classes": classes.height,
        "breaking": int(records[broken].sum()),
        "k": int(classes[SIZE].min()),
        "l": {name: int(classes[_l(i)].min()) for i, name in enumerate(promise.l)},
        "t": reached,
    }


def value_shares(frame: pl.LazyFrame, name: str, bytes_there: int) -> pl.DataFrame:
    """The distinct values of a column in order, a missing one first, and how often they occur.

    >>> value_shares(pl.LazyFrame({"ill": ["b", None, "b"]}), "ill", 10**9).rows()
    [(None, 1), ('b', 2)]
    """
    values = frame.select(pl.col(name).alias(BROKEN))
    return pl.concat(group_counts(values, [BROKEN], bytes_there)).sort(BROKEN, nulls_last=False)


def _distances(
    pairs: pl.LazyFrame, classes: pl.DataFrame, keys: Sequence[str], shares: pl.DataFrame, nominal: bool
) -> NDArray[np.float64]:
    """The distance of every class: its pairs of class and value, repeated as often as they occur."""
    gaps = shares[BROKEN].null_count()
    codes = shares.with_row_index("__shoal_code").drop(RECORDS)
    table = pairs.collect(engine="streaming").join(
        classes.select("__shoal_class", *keys), on=list(keys), nulls_equal=True
    )
    table = table.join(codes, on=BROKEN, nulls_equal=True)
    times = table[RECORDS].to_numpy()
    labels = np.repeat(table["__shoal_class"].to_numpy().astype(np.intp), times)
    values = np.repeat(table["__shoal_code"].to_numpy().astype(np.intp) - gaps, times)
    counts = shares[RECORDS].to_numpy()
    whole = np.append(counts[gaps:], counts[:gaps].sum()) / counts.sum()
    hidden = Hidden(values, "nominal" if nominal else "ordinal", whole)
    return np.asarray(class_distances(Classes(labels, {"": hidden}), ""))


def _l(place: int) -> str:
    return f"__shoal_l{place}"


def _gap(place: int) -> str:
    return f"__shoal_gap{place}"
