"""What is known about released files: the promise, and what every column kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from shoal._shared.display import Shown
from shoal.distributed.check_files import FilesVerdict
from shoal.distributed.shapes_kept import Shapes, shapes_changed, shapes_of
from shoal.distributed.sources.source_files import SourceFiles
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
    losses: Mapping[str, float]
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
            "losses": dict(self.losses),
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
        lines += loss_sentences(self.losses)
        return "\n".join(lines)


def loss_sentences(losses: Mapping[str, float]) -> list[str]:
    """What relations between quasi-identifiers kept, in words.

    >>> loss_sentences({"il5": 1.26})
    ['Correlations of numbers moved by 1.26 % on average (il5).']
    """
    words = {
        "il5": "Correlations of numbers moved by {:.2f} % on average (il5).",
        "ctbil": "In tables of one and two categories {:.2f} % of the records are in another cell (ctbil).",
    }
    return [words[name].format(figure) for name, figure in losses.items()]


def linkage_sentence(linkage: Linkage) -> str:
    """Who is found again, in words."""
    sampled = linkage.low < linkage.high
    how = f"{linkage.low:.2f} to {linkage.high:.2f} with 95 %, {len(linkage.rows):,} targets"
    return (
        f"An intruder who knows all quasi-identifiers links {linkage.percent:.2f} % of the records right "
        f"({how if sampled else 'all records were looked for'})."
    )


def readable_numbers(written: SourceFiles, names: Sequence[str]) -> tuple[pl.LazyFrame, list[str]]:
    """The written records, with numbers for texts where all of a column are some; and those columns."""
    frame = written.lazy()
    names = [name for name in names if name in written.schema()]
    if written.separator is None:
        return frame, [name for name in names if written.schema()[name].is_numeric()]
    numbers = {name: pl.col(name).cast(pl.Float64, strict=False) for name in names}
    odd = [(pl.col(n).is_not_null() & number.is_null()).any().alias(n) for n, number in numbers.items()]
    found = frame.select(odd).collect(engine="streaming").row(0, named=True) if odd else {}
    return frame.with_columns(numbers[n].alias(n) for n in names if not found[n]), [
        name for name in names if not found[name]
    ]


def columns_kept(original: Mapping[str, Moments], written: SourceFiles) -> tuple[ColumnKept, ...]:
    """Columns that are numbers before and after, exactly."""
    frame, shared = readable_numbers(written, list(original))
    after = column_moments(frame, shared)
    pairs = ((name, original[name], after[name]) for name in shared if name in after)
    return tuple(
        ColumnKept(name, (a.mean, b.mean), (a.deviation, b.deviation), (a.missing, b.missing))
        for name, a, b in pairs
        if b.mean is not None
    )


def relations_kept(original: Shapes, written: SourceFiles) -> dict[str, float]:
    """How far correlations and contingency tables moved, of columns whose values are of the same kind."""
    numbers = readable_numbers(written, original.numbers)
    categories = [a for a, b in original.tables if a == b and a in written.schema()]
    tables = shapes_of(written.lazy(), [], categories).tables
    known = [n for n in categories if (n, n) in tables and not _labels(original, tables[n, n], n)]
    same = {pair: table for pair, table in tables.items() if set(pair) <= set(known)}
    after = Shapes(tuple(numbers[1]), shapes_of(*numbers, []).correlations, same)
    return shapes_changed(original, after)


def _labels(original: Shapes, table: pl.DataFrame, name: str) -> bool:
    """Whether the written column has values that the original lacks: groups, intervals, rounded codes."""
    return not table[name].drop_nulls().is_in(original.tables[name, name][name].to_list()).all()


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
