"""What the columns of text files are, told by all their cells together as `read_table` tells it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import polars as pl

from shoal.distributed.sources.source_files import SourceFiles
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
KINDS, MARKS = ("number", "truth", "days"), ("marks",)
FIRST = 10_000  # records that tell what a column cannot be; no measurement on record
AT_ONCE = 4  # columns: of a million records of 17 columns all at once took 400 MB more


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
    names, mark = list(source.schema()), _decimal(source)
    guesses = {
        name: _guess(fact) for name, fact in _counted(_first(source), _kinds(names, KINDS), mark).items()
    }
    facts = _counted(source.lazy(), guesses, mark)
    wrong = [name for name in names if not _holds(facts[name], guesses[name])]
    facts |= _counted(source.lazy(), _kinds(wrong, KINDS), mark)
    return {name: _type(source, name, facts[name], mark) for name in names}


def _first(source: SourceFiles) -> pl.LazyFrame:
    """The first records, which tell what most columns cannot be."""
    return source.lazy().head(FIRST)


def _kinds(names: Sequence[str], kinds: Sequence[str]) -> dict[str, Sequence[str]]:
    return dict.fromkeys(names, kinds)


def _guess(fact: Facts) -> Sequence[str]:
    """What a column may be by its first cells: all of them are some, or so many that strays must be said."""
    if not fact["some"]:
        return KINDS
    if fact["number"]:
        return ("number",)
    if fact["truth"]:
        return ("truth",)
    if not fact["odd days"]:
        return ("days",)
    strays = min(fact["stray"], fact["odd days"])
    return KINDS if fact["endless"] or strays < fact["some"] / 2 else ()


def _holds(fact: Facts, kinds: Sequence[str]) -> bool:
    """Whether the whole is what the first cells were."""
    signs = {"number": fact.get("number"), "truth": fact.get("truth"), "days": not fact.get("odd days")}
    return len(kinds) != 1 or bool(signs[kinds[0]])


def _counted(frame: pl.LazyFrame, kinds: Mapping[str, Sequence[str]], mark: DecimalMark) -> dict[str, Facts]:
    """What is asked about every column, some at a time: polars holds what it needs for all of them."""
    found: dict[str, Facts] = {}
    for start in range(0, len(kinds), AT_ONCE):
        names = list(kinds)[start : start + AT_ONCE]
        facts = {name: _facts(f"{i}", kinds[name], mark) for i, name in enumerate(names)}
        wanted = [e.alias(f"{i} {what}") for i, own in enumerate(facts.values()) for what, e in own.items()]
        cells = frame.select(_plain(name).alias(f"{i}") for i, name in enumerate(names))
        row = cells.select(wanted).collect(engine="streaming").row(0, named=True) if wanted else {}
        found |= {
            name: {what: row[f"{i} {what}"] for what in own} for i, (name, own) in enumerate(facts.items())
        }
    return found


def _plain(name: str) -> pl.Expr:
    """Cells without blanks around them, those missing that say so."""
    text = pl.col(name).str.strip_chars()
    return _seen(text, text)


def _decimal(source: SourceFiles) -> DecimalMark:
    """The decimal mark of the numbers; in files with commas between cells it is the point."""
    if source.separator == ",":
        return "."
    clear: dict[str, str] = {}
    doubtful: dict[str, str] = {}
    for mark in get_args(DecimalMark):
        first = _counted(_first(source), _kinds(list(source.schema()), MARKS), mark)
        maybe = [name for name, fact in first.items() if fact["number"]]
        for name, fact in _counted(source.lazy(), _kinds(maybe, MARKS), mark).items():
            if fact["number"] and fact["marked"]:
                (doubtful if fact["thousands"] else clear).setdefault(mark, name)
    return decimal_mark(clear, doubtful, REMEDY)


def _seen(text: pl.Expr, value: pl.Expr) -> pl.Expr:
    return pl.when(~text.str.contains(MISSING_WORDS)).then(value)


def _number(text: pl.Expr, mark: str) -> pl.Expr:
    return text if mark == "." else text.str.replace(mark, ".", literal=True)


def _facts(name: str, kinds: Sequence[str], mark: str) -> dict[str, pl.Expr]:
    """What is counted of a column whose missing cells are gone, to know whether it is of these kinds."""
    text = pl.col(name)
    facts: dict[str, pl.Expr] = {"some": text.count()}
    if "marks" in kinds:
        marked = text.str.contains(mark, literal=True)
        facts["number"] = text.str.contains(number_pattern(mark)).all()
        facts["marked"] = marked.any()
        facts["thousands"] = (~marked | text.str.contains(thousands_pattern(mark))).all()
    if "number" in kinds:
        value, broken = _number(text, mark).cast(pl.Float64, strict=False), text.str.contains(r"[.,eE]")
        facts["number"] = text.str.contains(number_pattern(mark)).all()
        facts["whole"] = ~broken.any()
        facts["inexact"] = (~broken & (value.abs() >= EXACT)).any()
        facts["too long"] = (text.cast(pl.Int64, strict=False).is_null() & text.is_not_null()).any()
        facts["infinite"] = value.is_infinite().any()
    if "number" in kinds and len(kinds) > 1:
        infinite = text.str.contains(INFINITE)
        facts["stray"] = (~text.str.contains(number_pattern(mark, padded=True))).sum()
        facts["endless"] = (text.str.contains(number_pattern(mark)) | infinite).all() & (~infinite).any()
    if "truth" in kinds:
        facts["truth"] = text.str.contains(TRUTH).all()
    if "days" in kinds:
        facts["odd days"] = (~text.str.contains(DAY)).sum()
    return facts


def _type(source: SourceFiles, name: str, fact: Facts, mark: DecimalMark) -> TextType:
    if not fact["some"]:
        return TextType(pl.String())
    if fact.get("infinite") and (fact["number"] or fact["endless"]):
        raise InvalidInput(f"Column {name!r} has an infinite number; mend the files.")
    if fact.get("number"):
        if fact["whole"]:
            return TextType(pl.String() if fact["too long"] else pl.Int64())
        return TextType(pl.String() if fact["inexact"] else pl.Float64(), mark)
    if fact.get("truth"):
        return TextType(pl.Boolean())
    if fact.get("odd days") == 0:
        return _dates(source, name)
    if "stray" in fact:
        _warn_of_stray(name, fact)
    return TextType(pl.String())


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
