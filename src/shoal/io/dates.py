"""Dates and times as people write them: which pattern a column of texts has, and writing it again."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping

import polars as pl

from shoal._check import check_names
from shoal.errors import InputWarning, InvalidInput

SEPARATORS = (".", "/", "-")
TIME = r"([T ])(\d{2}):\d{2}(:\d{2}(\.\d{1,6}0{0,3})?)?(Z)?"
SAMPLE_ROWS = 1000  # rows whose dates tell the pattern before all are read by it


def read_dates(column: pl.Series, present: pl.Series) -> tuple[pl.Series, str] | None:
    """The column as dates or times and the pattern it was written in, or None if it holds something else.

    A day and a month that cannot be told apart (01/02/2020 in every row) are not guessed: a warning says so.
    """
    for separator in SEPARATORS:
        for order in ("year", "day"):
            parts = _parts(present, separator, order)
            if parts is not None:
                pattern = _pattern(column.name, parts, separator, order)
                if pattern is None:
                    return None
                found = _parsed(column, pattern)
                if found is None:
                    _warn_of_no_dates(column, pattern)
                return found
    return None


def _warn_of_no_dates(column: pl.Series, pattern: str) -> None:
    """Texts that look like dates, some of which no calendar has."""
    wrong = _read(column, pattern).is_null() & column.is_not_null()
    warnings.warn(
        f"Column {column.name!r} holds dates but for {wrong.sum()} that do not exist or are written "
        f"otherwise (first at row {wrong.arg_max()}), so it is text; mend the file, or name them in "
        "`missing_codes`.",
        InputWarning,
        stacklevel=2,
    )


def read_text_dates(
    frame: pl.DataFrame, said: Mapping[str, str], *, guess: bool = True
) -> tuple[pl.DataFrame, dict[str, str]]:
    """The frame with columns of texts that all are dates as dates, and their patterns.

    Only columns whose pattern was `said`, unless the others may be guessed.

    >>> read_text_dates(pl.DataFrame({"born": ["31.12.1990"]}), {})[1]
    {'born': '%d.%m.%Y'}
    """
    check_names(said, frame.columns)
    patterns: dict[str, str] = {}
    columns = []
    for column in frame:
        if column.dtype == pl.String and column.name in said:
            column, patterns[column.name] = parse_dates(column, said[column.name]), said[column.name]
        elif column.dtype == pl.String and guess:
            found = read_dates(column, column.drop_nulls())
            if found is not None:
                column, patterns[column.name] = found
        columns.append(column)
    return pl.DataFrame(columns), patterns


def parse_dates(column: pl.Series, pattern: str) -> pl.Series:
    """The column as dates or times in the pattern that the caller gave."""
    parsed = _parsed(column, pattern)
    if parsed is None:
        read = column.str.strptime(_type(pattern), pattern, strict=False)
        row = (read.is_null() & column.is_not_null()).arg_max()
        raise InvalidInput(
            f"Column {column.name!r} has a value at row {row} that is not in the pattern {pattern!r}; "
            "mend the file or give another pattern in `dates`."
        )
    return parsed[0]


def written_dates(frame: pl.DataFrame, patterns: Mapping[str, str]) -> pl.DataFrame:
    """The frame with dates and times as texts, in the pattern they were read in."""
    columns = [
        column.dt.strftime(patterns[column.name])
        if column.dtype in (pl.Date, pl.Datetime) and patterns.get(column.name)
        else column
        for column in frame
    ]
    return pl.DataFrame(columns) if columns else frame


def _parts(present: pl.Series, separator: str, order: str) -> pl.DataFrame | None:
    """The numbers and the time that the texts are made of, if all of them are made so."""
    mark = rf"\{separator}"
    numbers = r"(\d{4})S(\d{1,2})S(\d{1,2})" if order == "year" else r"(\d{1,2})S(\d{1,2})S(\d{4})"
    pattern = rf"^{numbers.replace('S', mark)}({TIME})?$"
    if present.is_empty() or not present.head(SAMPLE_ROWS).str.contains(pattern).all():
        return None
    names = ("first", "second", "third", "time", "join", "hour", "seconds", "fraction", "zone")
    found = present.str.extract_groups(pattern).struct.rename_fields(list(names)).struct.unnest()
    if found["first"].null_count() or found["time"].null_count() not in (0, found.height):
        return None
    return found


def _pattern(name: str, parts: pl.DataFrame, separator: str, order: str) -> str | None:
    if order == "year":
        date = ["%Y", _padded("m", parts["second"]), _padded("d", parts["third"])]
    else:
        first, second = parts["first"].cast(pl.Int64), parts["second"].cast(pl.Int64)
        highest = (int(first.max()), int(second.max()))  # type: ignore[arg-type]
        if separator != "." and max(highest) <= 12:
            warnings.warn(
                f"Column {name!r} holds dates whose day and month cannot be told apart, so it is text; "
                f"give `dates`, such as '%d{separator}%m{separator}%Y'.",
                InputWarning,
                stacklevel=2,
            )
            return None
        day_first = separator == "." or highest[1] <= 12
        letters = ("d", "m") if day_first else ("m", "d")
        date = [_padded(letters[0], parts["first"]), _padded(letters[1], parts["second"]), "%Y"]
    return separator.join(date) + _time(parts)


def _padded(letter: str, numbers: pl.Series) -> str:
    """%d, or %-d if small numbers stand without a zero."""
    short = (numbers.str.len_chars() == 1).any() and not numbers.str.starts_with("0").any()
    return f"%-{letter}" if short else f"%{letter}"


def _time(parts: pl.DataFrame) -> str:
    if parts["time"].null_count():
        return ""
    joint = "T" if (parts["join"] == "T").all() else " "
    seconds = "" if parts["seconds"].null_count() == parts.height else ":%S"
    lengths = parts["fraction"].str.len_chars().fill_null(0).unique().to_list()
    fraction = {(0,): "", (4,): "%.3f", (7,): "%.6f", (10,): "%.9f"}.get(tuple(lengths), "%.f")
    zone = "Z" if parts["zone"].eq_missing("Z").all() else ""
    return f"{joint}%H:%M{seconds}{fraction}{zone}"


def _type(pattern: str) -> type[pl.Date] | pl.Datetime:
    return pl.Datetime("us") if "%H" in pattern else pl.Date


def _parsed(column: pl.Series, pattern: str) -> tuple[pl.Series, str] | None:
    """None if a value is no date, such as a 30 February, or would be written otherwise."""
    read = _read(column, pattern)
    return (read, pattern) if read.null_count() == column.null_count() else None


def _read(column: pl.Series, pattern: str) -> pl.Series:
    return column.to_frame("text").select(as_dates(pl.col("text"), pattern)).to_series().alias(column.name)


def as_dates(texts: pl.Expr, pattern: str) -> pl.Expr:
    """The texts as dates or times in this pattern, missing where one is in another."""
    reading = re.sub(r"%\.\df", "%.f", pattern.replace("%-", "%"))
    if "%H" in pattern:
        texts = texts.str.replace("T", " ", literal=True)
    return texts.str.strptime(_type(pattern), reading.replace("T%H", " %H"), strict=False)
