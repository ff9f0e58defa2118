"""What is known about released files: the promise, and what every column kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from shoal._display import Shown
from shoal.distributed.check_files import FilesVerdict
from shoal.distributed.source_files import SourceFiles
from shoal.io import Address
from shoal.measures import Linkage


@dataclass(frozen=True)
class ColumnKept:
    """A column of numbers before and after: its mean, its standard deviation, its missing cells."""

    name: str
    mean: tuple[float | None, float | None]
    deviation: tuple[float | None, float | None]
    missing: tuple[int, int]

    @property
    def variance_lost(self) -> float | None:
        """Per cent of the variance that is gone; of group means this is the loss of microaggregation."""
        before, after = self.deviation
        return None if not before or after is None else 100 * (1 - (after / before) ** 2)


@dataclass(frozen=True)
class ReleasedFiles(Shown):
    """What was promised and counted on the written files, where they are, and what columns kept."""

    verdict: FilesVerdict
    columns: tuple[ColumnKept, ...]
    path: Path | Address
    files: int
    seconds: float
    anyway: bool = False
    linkage: Linkage | None = None

    @property
    def kept(self) -> bool:
        """Whether the promise was kept."""
        return self.verdict.kept

    @property
    def headline(self) -> str:
        """The first line about a release: was the promise kept?"""
        return f"{'RELEASED ANYWAY: ' if self.anyway else ''}{self.verdict.headline}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text."""
        columns = {c.name: {**vars(c), "variance_lost": c.variance_lost} for c in self.columns}
        for figures in columns.values():
            del figures["name"]
        linked = self.linkage and {
            **{name: getattr(self.linkage, name) for name in ("percent", "low", "high")},
            "targets": len(self.linkage.rows),
        }
        return self.verdict.to_dict() | {
            "linkage": linked,
            "files": self.files,
            "seconds": self.seconds,
            "released_anyway": self.anyway,
            "columns": columns,
        }

    def __str__(self) -> str:
        lines = [self.headline, f"{self.verdict.records:,} records in {self.files} files."]
        if self.linkage is not None:
            lines.append(linkage_sentence(self.linkage))
        for c in self.columns:
            if c.variance_lost is not None:
                lines.append(f"{c.name:30} variance lost {c.variance_lost:.2f} %")
        return "\n".join(lines)


def linkage_sentence(linkage: Linkage) -> str:
    """Who is found again, in words."""
    sampled = linkage.low < linkage.high
    how = f"{linkage.low:.2f} to {linkage.high:.2f} with 95 %, {len(linkage.rows):,} targets"
    return (
        f"An intruder who knows all quasi-identifiers links {linkage.percent:.2f} % of the records right "
        f"({how if sampled else 'all records were looked for'})."
    )


def columns_kept(
    original: Mapping[str, Moments], written: SourceFiles, names: Sequence[str]
) -> tuple[ColumnKept, ...]:
    """Columns that are numbers before and after, exactly."""
    shared = [name for name in names if name in original and name in written.schema()]
    frame = written.lazy()
    if written.separator is not None:  # texts: a column that is not all numbers is left out
        numbers = {name: pl.col(name).cast(pl.Float64, strict=False) for name in shared}
        odd = [(pl.col(n).is_not_null() & number.is_null()).any().alias(n) for n, number in numbers.items()]
        found = frame.select(odd).collect(engine="streaming").row(0, named=True) if odd else {}
        shared = [name for name in shared if not found[name]]
        frame = frame.with_columns(numbers[name].alias(name) for name in shared)
    after = column_moments(frame, shared)
    pairs = ((name, original[name], after[name]) for name in shared if name in after)
    return tuple(
        ColumnKept(name, (a.mean, b.mean), (a.deviation, b.deviation), (a.missing, b.missing))
        for name, a, b in pairs
        if b.mean is not None
    )


class Moments(NamedTuple):
    """Mean and standard deviation of a column, and how many cells are missing."""

    mean: float | None
    deviation: float | None
    missing: int


def column_moments(frame: pl.LazyFrame, names: Sequence[str]) -> dict[str, Moments]:
    """The moments of the columns that are numbers, by one pass.

    >>> column_moments(pl.LazyFrame({"age": [20, 40, None], "town": ["a", "b", "c"]}), ["age", "town"])
    {'age': Moments(mean=30.0, deviation=14.142135623730951, missing=1)}
    """
    schema = frame.collect_schema()
    numbers = [name for name in names if schema[name].is_numeric()]
    wanted = []
    for i, name in enumerate(numbers):
        column = pl.col(name).cast(pl.Float64).fill_nan(None)
        facts = (column.mean(), column.std(), column.null_count())
        wanted += [fact.alias(f"{i} {place}") for place, fact in enumerate(facts)]
    row = frame.select(wanted).collect(engine="streaming").row(0) if wanted else ()
    return {name: Moments(*row[3 * i : 3 * i + 3]) for i, name in enumerate(numbers)}
