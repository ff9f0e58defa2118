"""What the columns of text files are, told by all their cells together as `read_table` tells it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.distributed.source_files import SourceFiles
from shoal.errors import InputWarning, InvalidInput
from shoal.io.dates import as_dates, read_dates
from shoal.io.infer import (
    DAY,
    EXACT,
    INFINITE,
    MISSING_WORDS,
    TRUTH,
    DecimalMark,
    decimal_mark,
    number_pattern,
    thousands_pattern,
)

Facts = Mapping[str, Any]
REMEDY = "write the files with decimal points, or as parquet"


@dataclass(frozen=True)
class TextType:
    """What all cells of a column are: a type, the decimal mark of numbers, the pattern of dates."""

    dtype: pl.DataType
    decimal: DecimalMark = "."
    pattern: str = ""

    def read(self, name: str) -> pl.Expr:
        """The cells of that column as values; a word for missing is missing, but among texts."""
        text = pl.col(name).str.strip_chars()
        if self.dtype == pl.String:
            return pl.col(name)
        if self.dtype == pl.Boolean:
            return _seen(text, text.str.to_lowercase() == "true").alias(name)
        if self.pattern:
            return as_dates(_seen(text, text), self.pattern).alias(name)
        return _number(text, self.decimal).cast(self.dtype, strict=False).alias(name)


def text_types(source: SourceFiles) -> dict[str, TextType]:
    """Whole number, number, truth value, date or text, by column.

    >>> import tempfile
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = file.write_text("age;pay;code;born\\n1;2,5;01;31.12.1990\\nNA;3;02;\\n")
    >>> [str(found.dtype) for found in text_types(SourceFiles((file,), ";")).values()]
    ['Int64', 'Float64', 'String', 'Date']
    """
    names = list(source.schema())
    mark = _decimal(source, names)
    wanted = [
        fact.alias(f"{i} {what}") for i, n in enumerate(names) for what, fact in _facts(n, mark).items()
    ]
    found = source.lazy().select(wanted).collect(engine="streaming").row(0, named=True)
    facts = {n: {w: found[f"{i} {w}"] for w in _facts(n, mark)} for i, n in enumerate(names)}
    return {name: _type(source, name, own, mark) for name, own in facts.items()}


def _decimal(source: SourceFiles, names: list[str]) -> DecimalMark:
    """The decimal mark of the numbers; in files with commas between cells it is the point."""
    if source.separator == ",":
        return "."
    wanted = [
        fact.alias(f"{i} {mark} {what}")
        for i, name in enumerate(names)
        for mark in ".,"
        for what, fact in _marked(name, mark).items()
    ]
    found = source.lazy().select(wanted).collect(engine="streaming").row(0, named=True)
    clear: dict[str, str] = {}
    doubtful: dict[str, str] = {}
    for i, name in enumerate(names):
        for mark in ".,":
            numbers, marked, thousands = (
                found[f"{i} {mark} {w}"] for w in ("numbers", "marked", "thousands")
            )
            if numbers and marked:
                (doubtful if thousands else clear).setdefault(mark, name)
    return decimal_mark(clear, doubtful, REMEDY)


def _marked(name: str, mark: str) -> dict[str, pl.Expr]:
    text = pl.col(name).str.strip_chars()
    marked = text.str.contains(mark, literal=True) & ~text.str.contains(MISSING_WORDS)
    return {
        "numbers": (text.str.contains(MISSING_WORDS) | text.str.contains(number_pattern(mark))).all(),
        "marked": marked.any(),
        "thousands": (~marked | text.str.contains(thousands_pattern(mark))).all(),
    }


def _seen(text: pl.Expr, value: pl.Expr) -> pl.Expr:
    return pl.when(~text.str.contains(MISSING_WORDS)).then(value)


def _number(text: pl.Expr, mark: str) -> pl.Expr:
    return text if mark == "." else text.str.replace(mark, ".", literal=True)


def _facts(name: str, mark: str) -> dict[str, pl.Expr]:
    text = pl.col(name).str.strip_chars()
    seen = ~text.str.contains(MISSING_WORDS)
    number = text.str.contains(number_pattern(mark))
    infinite = text.str.contains(INFINITE)
    value = _number(text, mark).cast(pl.Float64, strict=False)
    return {
        "some": seen.sum(),
        "stray": (seen & ~text.str.contains(number_pattern(mark, padded=True))).sum(),
        "number": (~seen | number).all(),
        "whole": (~seen | ~text.str.contains(r"[.,eE]")).all(),
        "truth": (~seen | text.str.contains(TRUTH)).all(),
        "inexact": (seen & ~text.str.contains(r"[.,eE]") & (value.abs() >= EXACT)).any(),
        "too long": (seen & number & text.cast(pl.Int64, strict=False).is_null()).any(),
        "infinite": (seen & (infinite | (number & value.is_infinite()))).any(),
        "endless": (~seen | number | infinite).all() & (seen & number).any(),
        "odd days": (seen & ~text.str.contains(DAY)).sum(),
    }


def _type(source: SourceFiles, name: str, fact: Facts, mark: DecimalMark) -> TextType:
    if not fact["some"]:
        return TextType(pl.String())
    if fact["endless"] and fact["infinite"]:
        raise InvalidInput(f"Column {name!r} has an infinite number; mend the files.")
    if fact["number"]:
        if fact["whole"]:
            return TextType(pl.String() if fact["too long"] else pl.Int64())
        return TextType(pl.String() if fact["inexact"] else pl.Float64(), mark)
    if fact["truth"]:
        return TextType(pl.Boolean())
    if fact["odd days"]:
        _warn_of_stray(name, fact)
        return TextType(pl.String())
    return _dates(source, name)


def _warn_of_stray(name: str, fact: Facts) -> None:
    """A column of numbers or dates but for a few cells would be taken as categories: not without a word."""
    for what, stray in (("numbers", fact["stray"]), ("dates", fact["odd days"])):
        if 0 < stray < fact["some"] / 2:
            warnings.warn(
                f"Column {name!r} holds {what} but for {stray:,} texts, so it is nominal; mend the files, or "
                "make those cells empty.",
                InputWarning,
                stacklevel=2,
            )


def _dates(source: SourceFiles, name: str) -> TextType:
    """The pattern that all dates of the files have; of times only their form counts, as they are many."""
    text = pl.col(name).str.strip_chars()
    texts = source.lazy().select(_seen(text, text).alias(name)).drop_nulls()
    clock = pl.col(name).str.extract("([T ].*)$").str.replace_all(r"\d", "0").fill_null("")
    kinds = texts.select((pl.col(name).str.extract("^([^T ]*)") + clock).alias(name)).unique()
    seen = kinds.collect(engine="streaming").sort(name).to_series()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they give rows of these few
        found = read_dates(seen, seen)
    if found is not None:
        column, pattern = found
        wrong = texts.select(as_dates(pl.col(name), pattern).is_null().any())
        if not wrong.collect(engine="streaming").item():
            return TextType(column.dtype, pattern=pattern)
    warnings.warn(
        f"Column {name!r} holds dates of which some do not exist, or whose day and month cannot be told "
        "apart, so it is text; mend the files, or write them as parquet.",
        InputWarning,
        stacklevel=2,
    )
    return TextType(pl.String())
