"""What missing cells cost, by what microaggregation does with them.

Run: python benchmarks/quality/gaps.py (two minutes; writes gaps.csv beside it)

Loss is in percent of the variance of the observed cells of the encoded file; an observed cell that becomes
missing counts as all it has (its squared distance from the mean). `lost` is the percentage of observed cells
that became missing. Gaps are punched into California housing and a made-up file of three hidden factors:
"random"; "large", where large values are missing more often; "module", where half the columns are missing
together; "others", where gaps depend on another column. Adult has gaps of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import Table, as_table
from shoal.datasets import read_reference
from shoal.encode import encode, encode_gaps, fill_missing, quasi_columns
from shoal.encode.encode_gaps import GAP_DISTANCE
from shoal.masking.suppression.wildcards import number_rows, suppress_strictly
from shoal.partition import local_search
from shoal.partition.labels import members
from shoal.types import Labels, Matrix

DISTANCES = (0.75, 1.0, 1.5, 2.0, 3.0)  # standard deviations; the one shoal uses and others
Mask = NDArray[np.bool_]


class Encoded(NamedTuple):
    """A file as a matrix, the source column of every encoded one, and where cells are missing by source."""

    X: Matrix
    source: NDArray[np.intp]
    gaps: Mask
    table: Table


def encoded(table: Table) -> Encoded:
    blocks = [encode(table, [name]) for name in quasi_columns(table)]
    source = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    return Encoded(np.hstack(blocks), source, np.isnan(np.column_stack([b[:, 0] for b in blocks])), table)


def loss(file: Encoded, labels: Labels, suppress: bool) -> tuple[float, float]:
    """Loss and lost cells, both in percent."""
    count = int(labels.max()) + 1
    total = lost_sum = 0.0
    mixed = np.column_stack([(np.bincount(labels, g, count) > 0)[labels] for g in file.gaps.T])
    lost = mixed & ~file.gaps & suppress
    for x, column in zip(file.X.T, file.source, strict=True):
        seen, gone = ~file.gaps[:, column], lost[:, column]
        apart = x - x[seen].mean()
        total += (apart[seen] ** 2).sum()
        kept = seen & ~gone
        size = np.maximum(np.bincount(labels, kept, count), 1)
        centre = np.bincount(labels, np.where(kept, x, 0.0), count) / size
        lost_sum += (apart[gone] ** 2).sum() + ((x - centre[labels])[kept] ** 2).sum()
    return 100 * lost_sum / total, 100 * lost.sum() / (~file.gaps).sum()


def donor_marks(file: Encoded, distance: float) -> Matrix:
    """Values of the nearest record in the gaps, and the marks of `encode_gaps` beside them."""
    return np.hstack([fill_missing(file.X), distance * file.gaps[:, file.gaps.any(axis=0)]])


def patterns_first(file: Encoded, k: int) -> Labels:
    """Suppress cells until k records have every pattern of gaps, then group the records of a pattern."""
    more = suppress_strictly(np.where(file.gaps, -1, 0), k, np.ones(file.gaps.shape[1]))
    whole = np.where(np.isnan(file.X), np.nanmean(file.X, axis=0), file.X)
    labels, found = np.empty(len(whole), dtype=np.intp), 0
    for rows in members(number_rows((file.gaps | more).astype(np.intp))):
        labels[rows] = local_search(whole[rows], k) + found
        found = int(labels[rows].max()) + 1
    return labels


def options(file: Encoded, k: int) -> Iterator[tuple[str, Labels, bool]]:
    names = quasi_columns(file.table)
    alone = local_search(fill_missing(file.X), k)
    yield "fill", alone, False
    yield "suppress", alone, True
    for distance in DISTANCES:
        complete = encode_gaps(file.table, names)
        complete[:, marks_of(file)] *= distance / GAP_DISTANCE
        yield f"together, {distance:g} standard deviations", local_search(complete, k), True
    for distance in (1.5, 3.0):
        yield f"nearest record's values, {distance:g}", local_search(donor_marks(file, distance), k), True
    yield "patterns first", patterns_first(file, k), True


def marks_of(file: Encoded) -> list[int]:
    """Where `encode_gaps` puts its marks: after the columns of every source with gaps."""
    places, at = [], 0
    for column in range(file.gaps.shape[1]):
        at += int((file.source == column).sum())
        if file.gaps[:, column].any():
            places.append(at)
            at += 1
    return places


def punched(Z: Matrix, share: float, how: str, rng: np.random.Generator) -> Table:
    n, d = Z.shape
    gone = rng.random((n, d)) < share
    if how in ("large", "others"):
        odds = 1 / (1 + np.exp(-2 * (Z if how == "large" else np.roll(Z, 1, axis=1))))
        gone = rng.random((n, d)) < odds * share / odds.mean(axis=0)
    elif how == "module":
        gone = rng.random((n, d)) < share / 5
        gone[rng.random(n) < share, : d // 2] = True
    columns = {f"c{number}": np.where(gone[:, number], np.nan, Z[:, number]) for number in range(d)}
    return as_table(columns, roles={"quasi": list(columns)})


def files(rng: np.random.Generator) -> Iterator[tuple[str, str, float, Table]]:
    housing = read_reference("california_housing")
    rows = rng.permutation(len(housing))[:5000]
    Z = encode(housing, housing.names(kind="numeric")[:6])[rows]
    hidden = rng.normal(size=(3000, 3)) @ rng.normal(size=(3, 8)) + 0.5 * rng.normal(size=(3000, 8))
    made = (hidden - hidden.mean(axis=0)) / hidden.std(axis=0)
    for share in (0.01, 0.05, 0.2):
        yield "california_housing", "random", share, punched(Z, share, "random", rng)
    for how in ("large", "others", "module"):
        yield "california_housing", how, 0.05, punched(Z, 0.05, how, rng)
        yield "made up", how, 0.2, punched(made, 0.2, how, rng)
    adult = read_reference("adult")
    yield "adult", "its own", 0.02, adult.take(rng.permutation(len(adult))[:5000])


def rows() -> Iterator[dict[str, object]]:
    for name, how, share, table in files(np.random.default_rng(1)):
        file = encoded(table)
        for k in (5, 10):
            for option, labels, suppress in options(file, k):
                found, lost = loss(file, labels, suppress)
                yield {
                    "file": name,
                    "gaps": how,
                    "share": share,
                    "records": len(table),
                    "k": k,
                    "option": option,
                    "loss": round(found, 2),
                    "lost": round(lost, 2),
                }


if __name__ == "__main__":
    found = pl.DataFrame(list(rows()))
    found.write_csv(Path(__file__).with_suffix(".csv"))
    with pl.Config(tbl_rows=-1, fmt_str_lengths=40):
        print(found.pivot("option", index=["file", "gaps", "share", "k"], values="loss"))
        print(found.group_by("option", maintain_order=True).agg(pl.col("loss", "lost").mean()))
