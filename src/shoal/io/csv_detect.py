"""The layout of a csv file: its encoding, its separator and its cells, still as texts."""

from __future__ import annotations

import codecs
import csv
import io
import re
import warnings
from collections import Counter
from contextlib import suppress
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_width, is_number
from shoal.errors import InputWarning, InvalidInput
from shoal.io.packed import unpacked

SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
# The four bytes of utf-32 begin with the two of utf-16, so they are looked for first.
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
QUOTE, LINE_FEED, CARRIAGE_RETURN = 34, 10, 13  # as bytes
MOST_NAMES = 2  # cells of a line that may be one: "Doe, Jane" under "name"
SAMPLE_CHARACTERS, SAMPLE_ROWS = 1_000_000, 1000  # what is looked at to tell the form of a file


def decode_file(path: Path, encoding: str | None) -> tuple[str, str]:
    """The text of a file (unpacked if packed) and its encoding, detected unless given."""
    raw = unpacked(path)
    candidates = _candidates(raw) if encoding is None else [known_encoding(encoding)]
    for candidate in candidates:
        with suppress(UnicodeError):
            return _checked(path, raw.decode(candidate)), candidate
    raise InvalidInput(
        f"{path.name} is not {' or '.join(candidates)} text; give its `encoding`, for example 'cp850'."
    )


def _candidates(raw: bytes) -> list[str]:
    """A byte order mark decides; else utf-8, which hardly fits by chance, then cp1252.

    latin-1 is not tried: the bytes that cp1252 lacks are control characters there, never text.
    """
    marked = [encoding for mark, encoding in MARKS if raw.startswith(mark)]
    return marked[:1] or ["utf-8", "cp1252"]


def _checked(path: Path, text: str) -> str:
    text = text.removeprefix("\ufeff").rstrip("\r\n")
    if "\0" in text:
        raise InvalidInput(
            f"{path.name} is binary, not text; give its real extension or, if it is text, its `encoding`."
        )
    if not text.strip():
        raise InvalidInput(f"{path.name} is empty; a header line with the column names is needed.")
    return text


def without_separator_line(text: str) -> tuple[str, str | None]:
    """The text without the line in which Excel says its separator, and that separator.

    >>> without_separator_line("sep=;\\nage;town\\n")
    ('age;town\\n', ';')
    """
    found = re.match(r'"?sep=([^\w"\r\n])"?\r?\n', text, re.IGNORECASE)
    return (text[found.end() :], found[1]) if found else (text, None)


def known_encoding(encoding: str) -> str:
    """The encoding, if Python knows it as one of text."""
    try:
        "".encode(encoding)
    except (LookupError, UnicodeError):
        raise InvalidInput(
            f"There is no text encoding {encoding!r}; known are utf-8, cp1252, utf-16 and many more."
        ) from None
    return encoding


def check_separator(separator: str) -> str:
    """The separator, if it is one plain character."""
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise InvalidInput(f"`separator` must be one character such as ',', ';' or a tab, got {separator!r}.")
    return separator


def detect_separator(text: str, candidates: tuple[str, ...] = SEPARATORS) -> str:
    """The separator that cuts most rows into as many cells as the header, and into most cells."""
    scores = {separator: _fit(text, separator) for separator in candidates}
    best = max(scores.values())
    winners = [separator for separator in candidates if scores[separator] == best]
    if best[1] == 1:  # one column: any separator that does not occur
        _refuse_title(text, candidates)
        return winners[0]
    if len(winners) > 1:
        names = " or ".join(SEPARATOR_NAMES.get(separator, repr(separator)) for separator in winners)
        raise InvalidInput(f"The separator could be {names}; give `separator`.")
    return winners[0]


def _fit(text: str, separator: str) -> tuple[float, int]:
    """Share of sampled rows as wide as the header, and that width; a header of one cell counts last."""
    reader = csv.reader(io.StringIO(text[:SAMPLE_CHARACTERS], newline=""), delimiter=separator)
    widths: list[int] = []
    with suppress(csv.Error):  # a very long cell: what came before it must do
        widths.extend(len(row) for row in islice(reader, SAMPLE_ROWS) if row)
    if not widths:
        return (-2.0, 1)
    if len(text) > SAMPLE_CHARACTERS and len(widths) > 1:
        widths.pop()  # cut off in the middle
    share = sum(width == widths[0] for width in widths) / len(widths)
    return (share if widths[0] > 1 else share - 2.0, widths[0])


def _refuse_title(text: str, candidates: tuple[str, ...]) -> None:
    """One cell above rows that all have as many: a title or a comment, not the names of the columns."""
    below = text.partition("\n")[2]
    for separator in candidates:
        share, width = _fit(below, separator)
        if share == 1 and width > MOST_NAMES:
            raise InvalidInput(
                f"The first line is one cell and all others have {width} (a title or a comment?); remove "
                "what stands above the names of the columns, or give `separator`."
            )


def split_text(text: str, separator: str) -> tuple[pl.DataFrame, bool]:
    """A frame of texts (missing where a cell is empty), and whether its first column has no name.

    R and pandas write row names and index so. Ragged and badly quoted rows are refused.
    """
    body = f"{text}\n".encode()
    records = _count_records(body, separator)
    if records is None:
        body = _requoted(text, separator).encode()
        records = _count_records(body, separator)
    start = _header_length(body)
    header = _cells(body[:start].decode(), separator)
    names = _column_names(header)
    frame = pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    if records:
        with suppress(pl.exceptions.PolarsError):  # its message would quote the file
            frame = pl.read_csv(body[start:], has_header=False, separator=separator, schema=frame.schema)
    if frame.height != records:
        raise InvalidInput("The quote marks of the file do not match; every quoted cell must be closed.")
    frame = pl.DataFrame([column.set(column == "", None) for column in frame])
    return frame, _is_unnamed(header)


def header_names(text: str, separator: str) -> list[str]:
    """The names of the columns, from a text that begins with them.

    >>> header_names("age, town\\n30,Vic\\n", ",")
    ['age', 'town']
    """
    return _column_names(_cells(text, separator))


def begins_without_name(text: str, separator: str) -> bool:
    """Whether the first of several columns has no name, as R and pandas write row names.

    >>> begins_without_name(",age\\n0,30\\n", ",")
    True
    """
    return _is_unnamed(_cells(text, separator))


def _is_unnamed(header: list[str]) -> bool:
    return len(header) > 1 and not header[0].strip()


def _cells(text: str, separator: str) -> list[str]:
    """The cells of the first line."""
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])


def _header_length(body: bytes) -> int:
    end = body.find(b"\n") + 1
    while body.count(b'"', 0, end) % 2:  # a line break inside a quoted name
        end = body.find(b"\n", end) + 1
    return end


def _count_records(body: bytes, separator: str) -> int | None:
    """Number of records after the header; None if quotes, blank lines or line ends need a closer look.

    A byte lies inside quotes after an odd number of quote marks; a doubled one closes and opens again.
    """
    characters = np.frombuffer(body, dtype=np.uint8)
    cut = ord(separator)
    is_mark = np.zeros(256, dtype=bool)
    is_mark[[cut, LINE_FEED, CARRIAGE_RETURN, QUOTE]] = True
    marks = np.flatnonzero(is_mark[characters])
    kinds = characters[marks]
    outside = ~np.bitwise_xor.accumulate(kinds == QUOTE)
    if not outside[-1] or not _is_plain(characters, marks, outside, cut):
        return None
    cuts = marks[outside & ((kinds == cut) | (kinds == LINE_FEED))]
    last = np.flatnonzero(characters[cuts] == LINE_FEED)
    widths = np.diff(last, prepend=-1)
    ragged = np.flatnonzero(widths != widths[0])
    if ragged.size:
        first = int(ragged[0])
        line = body.count(b"\n", 0, int(cuts[last[first - 1]]) + 1) + 1
        raise _ragged(line, int(widths[first]), int(widths[0]))
    return len(widths) - 1


def _is_plain(
    characters: NDArray[np.uint8], marks: NDArray[np.intp], outside: NDArray[np.bool_], cut: int
) -> bool:
    """No quote mark inside an unquoted cell, no blank line, no lone carriage return."""
    kinds = characters[marks]
    opening = marks[(kinds == QUOTE) & ~outside]
    closing = marks[(kinds == QUOTE) & outside]
    returns = marks[(kinds == CARRIAGE_RETURN) & outside]
    ends = marks[(kinds == LINE_FEED) & outside]
    lengths = np.diff(ends, prepend=-1)
    blank = (lengths == 1) | ((lengths == 2) & (characters[ends - 1] == CARRIAGE_RETURN))
    return bool(
        np.isin(characters[opening[opening > 0] - 1], (cut, LINE_FEED, QUOTE)).all()
        and np.isin(characters[closing + 1], (cut, LINE_FEED, CARRIAGE_RETURN, QUOTE)).all()
        and (characters[returns + 1] == LINE_FEED).all()
        and not blank.any()
    )


def _requoted(text: str, separator: str) -> str:
    """The same cells, every one quoted; blank lines dropped (in a file of one column: a missing value)."""
    plain = io.StringIO()
    writer = csv.writer(plain, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\n")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    width = 0
    try:
        for row in reader:
            if not row and width == 1:
                row = [""]
            if not row:
                continue
            width = width or len(row)
            if len(row) != width:
                raise _ragged(reader.line_num, len(row), width)
            writer.writerow(row)
    except csv.Error as error:
        raise InvalidInput(
            f"The cell that ends in line {reader.line_num} is not readable: its quote marks do not match."
        ) from error
    return plain.getvalue()


def _ragged(line: int, cells: int, columns: int) -> InvalidInput:
    return InvalidInput(
        f"Line {line} has {cells} cells but the header names {columns} columns; "
        "mend that line or give the right `separator`."
    )


def _column_names(header: list[str]) -> list[str]:
    """Names without padding; an empty one becomes column_1, column_2, ... after its place."""
    names = [name.strip() or f"column_{place}" for place, name in enumerate(header, start=1)]
    check_first_line(names)
    check_width(len(names))
    twice = [name for name, count in Counter(names).items() if count > 1]
    pattern = [name for name in names if name.startswith("^") and name.endswith("$")]
    if pattern:  # polars would take it for a regular expression and answer with other columns
        raise InvalidInput(f"A column cannot be named {pattern[0]!r}, from ^ to $; rename it.")
    if twice and any(is_number(name) for name in names):  # a record, perhaps: show no value
        first, second = [place for place, name in enumerate(names, start=1) if name == twice[0]][:2]
        raise InvalidInput(
            f"Columns {first} and {second} of the first line are the same; rename one of them, or add a line "
            "of names if there is none."
        )
    if twice:
        raise InvalidInput(f"Two columns are named {twice[0]!r}; rename one of them.")
    return names


def check_first_line(names: list[str]) -> None:
    """A first line of numbers is a record; one with some, but years, may be: its cells would be shown."""
    if all(re.fullmatch(r"[+-]?\d+([.,]\d+)?", name) for name in names):
        raise InvalidInput("The first line holds numbers, not column names; add a line with the names.")
    numbers = [name for name in names if is_number(name) and not re.fullmatch(r"(18|19|20)\d\d", name)]
    if numbers:
        are = "is a number" if len(numbers) == 1 else "are numbers"
        warnings.warn(
            f"{len(numbers)} of the {len(names)} names {are}; if the first line is a record, add "
            "a line of names before it.",
            InputWarning,
            stacklevel=2,
        )
