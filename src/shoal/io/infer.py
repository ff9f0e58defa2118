"""From texts to values: which cells are missing, which columns are numbers, truth values or dates."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, TypeAlias

import polars as pl

from shoal._check import check_names
from shoal.errors import InputWarning, InvalidInput
from shoal.io.dates import parse_dates, read_dates

Missing: TypeAlias = Iterable[Any] | Mapping[str, Any] | str | float | None
DecimalMark: TypeAlias = Literal[".", ","]

# A missing value as R, Python, SQL and SAS write it; trusted only among numbers, truth values and dates.
MISSING_WORDS = r"(?i)^(na|nan|n/a|null|none|\.|)$"
INFINITE = r"(?i)^[+-]?inf(inity)?$"
TRUTH = r"(?i)^(true|false)$"
# Amounts with thousands marks, a currency or a percent sign, and the marks that make them more than a number.
MONEY = r"([€$£¥%]|EUR|USD|GBP|CHF)"
AMOUNT = rf"^{MONEY}?\s?[+-]?\s?{MONEY}?\s?\d{{1,3}}(\d*|([.,'’\s]\d{{3}})+)([.,]\d+)?\s?{MONEY}?$"
MARKED = rf"{MONEY}|['’\u00a0\u202f]|\d[.,\s]\d{{3}}[.,]\d"
SHORT_DAY = r"^\d{1,2}([./-])\d{1,2}([./-])\d{2}$"
DAY = r"^(\d{4}([./-])\d{1,2}([./-])\d{1,2}|\d{1,2}([./-])\d{1,2}([./-])\d{4})([T ]\d{2}:\d{2}.*)?$"
EXACT = 2**53  # whole numbers below survive as float64
DAYS = (-719_162, 2_932_896)  # of the years 1 to 9999, counted from 1970
DAY_IN = {"ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}
SAMPLE_ROWS = 1000  # rows that can rule a type out before all are looked at


def number_pattern(mark: str, padded: bool = False) -> str:
    """A number with this decimal mark; a padding zero ("01234") makes it a code unless allowed."""
    whole = r"\d+" if padded else r"(0|[1-9]\d*)"
    return rf"^[+-]?({whole}([{mark}]\d*)?|[{mark}]\d+)([eE][+-]?\d+)?$"


def detect_decimal(frame: pl.DataFrame, separator: str) -> DecimalMark:
    """The decimal mark that the columns of numbers show; refused where it cannot be told.

    In a comma-separated file it is the point: a quoted "1,2" may be a list of answers. Elsewhere a mark
    before exactly three digits may be a thousands mark and decides nothing.
    """
    if separator == ",":
        return "."
    clear: dict[str, str] = {}
    doubtful: dict[str, str] = {}
    for column in frame:
        for mark in ".,":
            values = _marked_numbers(column, mark)
            if not values.is_empty():
                thousands = values.str.contains(thousands_pattern(mark)).all()
                (doubtful if thousands else clear).setdefault(mark, column.name)
    return decimal_mark(clear, doubtful)


def thousands_pattern(mark: str) -> str:
    """A mark before exactly three digits: 1.234 may be more than a thousand."""
    return rf"^[+-]?[1-9]\d{{0,2}}[{mark}]\d{{3}}$"


def decimal_mark(
    clear: Mapping[str, str], doubtful: Mapping[str, str], remedy: str = "give decimal='.' or decimal=','"
) -> DecimalMark:
    """The mark, from a column by mark that shows it clearly, and one whose marks may part thousands.

    >>> decimal_mark({",": "pay"}, {".": "area"})
    ','
    """
    if len(clear) == 2:
        raise InvalidInput(
            f"Column {clear['.']!r} has decimal points and column {clear[',']!r} decimal commas; {remedy}."
        )
    if clear:
        return "," if "," in clear else "."
    if doubtful:
        name = next(iter(doubtful.values()))
        raise InvalidInput(
            f"Whether column {name!r} has decimals or thousands marks cannot be told; {remedy}."
        )
    return "."


def _marked_numbers(column: pl.Series, mark: str) -> pl.Series:
    """The values that hold this mark, if all values of the column are numbers written with it."""
    present = _blank_words(column.str.strip_chars()).drop_nulls()
    if not _all_match(present, number_pattern(mark)):
        return present.clear()
    return present.filter(present.str.contains(mark, literal=True))


def infer_column(
    column: pl.Series, decimal: DecimalMark, numeric: bool = False, date: str | None = None
) -> tuple[pl.Series, str]:
    """The column as whole numbers, decimals, truth values or dates, and the pattern it is written in.

    Where none fits the column stays as it is. One said to be `numeric` may have padding zeros, or no value at
    all; `date` is the pattern of its dates, where it was said.
    """
    stripped = _blank_words(column.str.strip_chars())
    present = stripped.drop_nulls()
    if present.is_empty():
        return (stripped.cast(pl.Float64) if numeric else column), ""
    if date is not None:
        return parse_dates(stripped, date), date
    if _all_match(present, number_pattern(decimal, padded=numeric)):
        _warn_of_day_numbers(column.name, present)
        numbers = _as_number(column, stripped, decimal)
        return numbers, _number_form(numbers, stripped, decimal, warn=not numeric)
    _refuse_infinite(column.name, stripped, present, decimal)
    if _all_match(present, TRUTH):
        return stripped.str.to_lowercase() == "true", _truths(present)
    found = read_dates(stripped, present)
    if found is None:
        warn_of_text(column.name, stripped, decimal)
    return (column, "") if found is None else found


def _truths(present: pl.Series) -> str:
    """How false and true are written, as "False|True"; "" where it is as usual, or in more ways than one."""
    spelled = sorted(present.unique().to_list(), key=str.lower)
    if len(spelled) != 2 or spelled[0].lower() == spelled[1].lower() or spelled == ["false", "true"]:
        return ""
    return "|".join(spelled)


def warn_of_text(name: str, stripped: pl.Series, decimal: DecimalMark) -> None:
    """What looks like numbers or dates and is none would be taken as categories: not without a word."""
    present = stripped.drop_nulls()
    _warn_of_stray(name, stripped, number_pattern(decimal, padded=True), "numbers", "texts")
    _warn_of_stray(name, stripped, DAY, "dates", "values")
    _warn_of_mixed_dates(name, present)
    _warn_of_dressed_numbers(name, present)
    _warn_of_short_years(name, present)


def _warn_of_stray(name: str, stripped: pl.Series, pattern: str, what: str, others: str) -> None:
    """Numbers but for a few texts, or dates but for a few values."""
    stray = ~stripped.str.contains(pattern)
    if stray.any() and stray.mean() < 0.5:  # type: ignore[operator]
        warnings.warn(
            f"Column {name!r} holds {what} but for {stray.sum()} {others} (first at row {stray.arg_max()}), "
            f"so it is nominal; mend the file, or name the {others} in `missing_codes`.",
            InputWarning,
            stacklevel=2,
        )


def _warn_of_day_numbers(name: str, present: pl.Series) -> None:
    """Days as 20201231 would be averaged as amounts: there is no 65th day of a month."""
    if not _all_match(present, r"^(18|19|20)\d{6}$"):
        return
    if present.n_unique() > 1 and present.str.strptime(pl.Date, "%Y%m%d", strict=False).null_count() == 0:
        warnings.warn(
            f"Column {name!r} holds whole numbers that all are days (yearmonthday) and is read as numbers; "
            f"give dates={{{name!r}: '%Y%m%d'}} (--date {name}=%Y%m%d) if they are days.",
            InputWarning,
            stacklevel=2,
        )


def _warn_of_mixed_dates(name: str, present: pl.Series) -> None:
    """31.12.2020 and 2020-12-31, as a sheet has them where some dates are texts."""
    if _all_match(present, DAY) and present.str.replace_all(r"\d+", "0").n_unique() > 1:
        warnings.warn(
            f"Column {name!r} holds dates written in several ways, so it is text; write all in one way.",
            InputWarning,
            stacklevel=2,
        )


def _warn_of_dressed_numbers(name: str, present: pl.Series) -> None:
    """1.234,50 or 12 € or 10 %."""
    if _all_match(present, AMOUNT) and present.str.contains(MARKED).any():
        warnings.warn(
            f"Column {name!r} holds amounts with thousands marks, a currency or a percent sign, so it is "
            "text and nominal; write plain numbers.",
            InputWarning,
            stacklevel=2,
        )


def _warn_of_short_years(name: str, present: pl.Series) -> None:
    """31.12.45 may be of either century, so it is never guessed."""
    if not _all_match(present, SHORT_DAY):
        return
    texts = present.str.replace_all(r"[./-]", ".")
    for pattern in ("%d.%m.%y", "%m.%d.%y"):
        if texts.str.strptime(pl.Date, pattern, strict=False).null_count() == 0:
            warnings.warn(
                f"Column {name!r} holds days with years of two digits, so it is text; write four, or give "
                "its pattern in `dates`, such as '%d.%m.%y' (00 to 68 are then of this century).",
                InputWarning,
                stacklevel=2,
            )
            return


def _blank_words(stripped: pl.Series) -> pl.Series:
    return stripped.set(stripped.str.contains(MISSING_WORDS), None)


def _all_match(present: pl.Series, pattern: str) -> bool:
    """Whether there are values and all match; most columns of text are told by their first rows."""
    if present.is_empty() or not present.head(SAMPLE_ROWS).str.contains(pattern).all():
        return False
    return bool(present.str.contains(pattern).all())


def _refuse_infinite(name: str, stripped: pl.Series, present: pl.Series, decimal: DecimalMark) -> None:
    """An infinite number among numbers has no mean and no place in any group: say so at the door."""
    if not _all_match(present, f"({number_pattern(decimal)})|({INFINITE})"):
        return
    infinite = stripped.str.contains(INFINITE)
    if infinite.any() and not infinite.all():
        raise InvalidInput(_infinite_sentence(name, infinite.fill_null(False).arg_max()))


def _infinite_sentence(name: str, row: int | None) -> str:
    return (
        f"Column {name!r} has an infinite number at row {row}; mend the file or name it in `missing_codes`."
    )


def _as_number(column: pl.Series, stripped: pl.Series, decimal: DecimalMark) -> pl.Series:
    """Int64 or Float64; whole numbers too long for either stay texts, so that no digit is lost."""
    if decimal == ",":
        stripped = stripped.str.replace(",", ".", literal=True)
    whole = ~stripped.str.contains(r"[.eE]")
    if whole.all():
        return _if_complete(column, stripped, stripped.cast(pl.Int64, strict=False))
    numbers = stripped.cast(pl.Float64)
    if (whole & (numbers.abs() >= EXACT)).any():
        return column
    if numbers.is_infinite().any():
        raise InvalidInput(_infinite_sentence(column.name, numbers.is_infinite().fill_null(False).arg_max()))
    return numbers


def _number_form(numbers: pl.Series, stripped: pl.Series, decimal: DecimalMark, *, warn: bool) -> str:
    """How the numbers are written: %.2f where all have two decimals, %g where whole ones have no point.

    It is one of the column, so that equal values stay equal; where it is not that of all, a warning says so.
    A column of whole numbers may hold means later: 60 stays 60 among them.
    """
    if not numbers.dtype.is_numeric():
        return ""
    present = stripped.drop_nulls()
    first = present.item(0).partition(decimal)[2]
    if first.isdecimal() and present.str.contains(rf"^-?\d+[{decimal}]\d{{{len(first)}}}$").all():
        return f"%.{len(first)}f"
    texts = stripped.str.replace(decimal, ".", literal=True)
    usual = numbers.cast(pl.String)
    short = usual.str.strip_suffix(".0")
    scientific = texts.str.contains("[eE]")  # has many ways, which nobody calls another number
    forms = (("%g", short),) if numbers.dtype.is_integer() else (("", usual), ("%g", short))
    for form, written in forms:
        if ((written == texts) | scientific).all():
            return form
    if warn:
        row = ((short != texts) & ~scientific).fill_null(False).arg_max()
        warnings.warn(
            f"Column {numbers.name!r} writes equal numbers in several ways (1.5 and 1.50, 1 and +1), or more "
            f"digits than a number holds (first at row {row}); they will be written in one way.",
            InputWarning,
            stacklevel=2,
        )
    return "%g" if stripped.str.contains(r"^\d+$").any() else ""


def _if_complete(column: pl.Series, before: pl.Series, after: pl.Series) -> pl.Series:
    return after if after.null_count() == before.null_count() else column


def blank_missing(frame: pl.DataFrame, missing: Missing, decimal: DecimalMark | None) -> pl.DataFrame:
    """The frame without the values that stand for missing; numbers inside texts only with a decimal mark."""
    chosen = _per_column(missing, frame.columns)
    return frame.with_columns(_blanked(frame[name], texts, decimal) for name, texts in chosen.items())


def _per_column(missing: Missing, names: Sequence[str]) -> dict[str, list[str]]:
    if missing is None:
        return {}
    if isinstance(missing, Mapping):
        check_names(missing, names)
        return {name: _as_texts(items) for name, items in missing.items()}
    return dict.fromkeys(names, _as_texts(missing))


def _as_texts(items: Any) -> list[str]:
    items = [items] if isinstance(items, str) or not isinstance(items, Iterable) else items
    return [str(item).strip() for item in items]


def _blanked(column: pl.Series, texts: list[str], decimal: DecimalMark | None) -> pl.Series:
    numbers = [number for number in map(_number, texts) if number is not None]
    if column.dtype.is_numeric():
        hits = [_equals(column, number) for number in numbers]
    else:
        stripped = column.cast(pl.String).str.strip_chars()
        hits = [stripped == text for text in texts]
        if decimal:
            hits += [stripped.str.contains(_same_number(number, decimal)) for number in numbers]
    for hit in hits:
        column = column.set(hit.fill_null(False), None)
    return column


def _number(text: str) -> Decimal | None:
    """The number a text stands for; one too large for any column is only a text."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) < 2**63 and number.adjusted() > -40 else None


def _equals(column: pl.Series, number: Decimal) -> pl.Series:
    """Compare in the column's own type, whose range may not hold the number (then nothing is equal)."""
    is_whole = number == number.to_integral_value()
    if column.dtype.is_integer() and not is_whole:
        return pl.repeat(False, len(column), eager=True)
    value = pl.Series([int(number) if is_whole else float(number)])
    return column == value.cast(column.dtype, strict=False)


def _same_number(number: Decimal, decimal: DecimalMark) -> str:
    """Pattern of the ways to write a number without exponent: -999, -999.0, -999.00."""
    whole, _, fraction = f"{number:f}".partition(".")
    fraction = fraction.rstrip("0")
    end = rf"[{decimal}]{fraction}0*" if fraction else rf"([{decimal}]0*)?"
    return rf"^{re.escape(whole)}{end}$"


def is_beyond(dates: pl.Expr, dtype: pl.Date | pl.Datetime) -> pl.Expr:
    """Whether a date lies outside the calendar of Python."""
    a_day = DAY_IN[dtype.time_unit] if isinstance(dtype, pl.Datetime) else 1
    return ~(dates.to_physical() // a_day).is_between(*DAYS)


SUPPORTED = (pl.String, pl.Boolean, pl.Date, pl.Datetime, pl.Time, pl.Categorical, pl.Enum, pl.Null)


def check_type(column: pl.Series) -> None:
    """Refuse types that no method has, and dates that no calendar of Python holds ("infinity")."""
    if not column.dtype.is_numeric() and column.dtype not in SUPPORTED:
        raise InvalidInput(
            f"Column {column.name!r} holds {column.dtype.base_type().__name__.lower()} values; "
            "only numbers, text, truth values, dates and times are supported."
        )
    if isinstance(column.dtype, pl.Date | pl.Datetime):
        beyond = column.to_frame().select(is_beyond(pl.col(column.name), column.dtype)).to_series()
        if beyond.any():
            raise InvalidInput(
                f"Column {column.name!r} has a date at row {beyond.arg_max()} that is infinite or outside "
                "the years 1 to 9999; mend it, or leave it out."
            )
