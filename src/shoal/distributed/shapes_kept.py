"""What relations between columns kept: correlations of numbers and contingency tables, by sums and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import polars as pl

from shoal.distributed.fit_files import complete_covariances
from shoal.distributed.shards.shard_functions import plain_floats
from shoal.table import Table
from shoal.types import Matrix

CELLS = 100_000  # of a contingency table that is kept in memory; larger ones are left out
COUNT = "__shoal_records"
Pair = tuple[str, str]


@dataclass(frozen=True)
class Shapes:
    """Correlations of complete records; how often every category, and every two of them, occur."""

    numbers: tuple[str, ...]
    correlations: Matrix
    tables: Mapping[Pair, pl.DataFrame]


def shapes_of(frame: pl.LazyFrame, numbers: Sequence[str], categories: Sequence[str]) -> Shapes:
    """The shapes of files, by one pass for the numbers and one for every table.

    >>> people = pl.LazyFrame({"age": [1, 2, 3], "pay": [3.0, 2.0, 1.0], "town": ["a", "b", "b"]})
    >>> shapes = shapes_of(people, ["age", "pay"], ["town"])
    >>> float(shapes.correlations[0, 1].round(6)), shapes.tables["town", "town"]["__shoal_records"].sum()
    (-1.0, 3)
    """
    covariance = np.zeros((0, 0))
    if numbers:
        found = complete_covariances(frame, numbers)[1]
        covariance = np.array([[found[a][b] for b in numbers] for a in numbers])
    spread = np.sqrt(np.diag(covariance))
    scale = np.outer(spread, spread)
    correlations = np.divide(covariance, scale, out=np.zeros_like(covariance), where=scale > 0)
    texts = frame.with_columns(plain_floats(dict(frame.collect_schema())))
    texts = texts.select(pl.col(name).cast(pl.String) for name in categories)
    return Shapes(tuple(numbers), correlations, _tables(texts, categories))


def _tables(texts: pl.LazyFrame, names: Sequence[str]) -> dict[Pair, pl.DataFrame]:
    found: dict[Pair, pl.DataFrame] = {}
    sizes: dict[str, int] = {}
    names = _countable(texts, names)
    for a, b in sorted(combinations_with_replacement(names, 2), key=lambda pair: pair[0] != pair[1]):
        if a != b and (sizes.get(a, CELLS) * sizes.get(b, CELLS) > CELLS):
            continue
        counts = texts.group_by(a if a == b else [a, b]).len(name=COUNT)
        table = counts.head(CELLS + 1).collect(engine="streaming")
        if table.height <= CELLS:
            found[a, b] = table
            sizes |= {a: table.height} if a == b else {}
    return found


def _countable(texts: pl.LazyFrame, names: Sequence[str]) -> list[str]:
    """Those with about so many categories that their table is kept: a larger one is not even begun."""
    if not names:
        return []
    about = texts.select(pl.col(name).approx_n_unique() for name in names).collect(engine="streaming")
    return [name for name, size in about.row(0, named=True).items() if size <= 2 * CELLS]


def shapes_changed(before: Shapes, after: Shapes) -> dict[str, float]:
    """il5 and ctbil of `shoal.measures`, in percent: 0 is nothing lost. Labels for groups have no ctbil.

    >>> one, two = (shapes_of(pl.LazyFrame({"town": list(t)}), [], ["town"]) for t in ("abcc", "aacc"))
    >>> shapes_changed(one, two)
    {'ctbil': 25.0}
    """
    losses: dict[str, float] = {}
    at = [before.numbers.index(name) for name in after.numbers]
    vary = [place for place in range(len(at)) if before.correlations[at[place], at[place]] > 0]
    if len(vary) > 1:
        own = before.correlations[np.ix_(at, at)]
        below = np.tril_indices(len(vary), -1)
        apart = np.abs(own - after.correlations)[np.ix_(vary, vary)]
        losses["il5"] = 100.0 * float(apart[below].mean())
    moved = [_moved(before.tables[p], after.tables[p], p) for p in before.tables if p in after.tables]
    if moved:
        losses["ctbil"] = 100.0 * float(np.mean(moved))
    return losses


def _moved(before: pl.DataFrame, after: pl.DataFrame, pair: Pair) -> float:
    """The share of the records that are in another cell."""
    both = before.join(after, on=list(dict.fromkeys(pair)), how="full", nulls_equal=True, coalesce=True)
    apart = (
        both[COUNT].fill_null(0).cast(pl.Int64) - both[f"{COUNT}_right"].fill_null(0).cast(pl.Int64)
    ).abs()
    return float(apart.sum()) / (2 * int(before[COUNT].sum()))


def compared(sample: Table, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The quasi-identifiers that are numbers, and those that are categories."""
    quasi = [name for name in sample.names("quasi") if name in names]
    numbers = [n for n in quasi if sample.attribute(n).kind == "numeric"]
    return numbers, [name for name in quasi if name not in numbers]
