"""Which cells of a sheet are merged, in .xlsx and .xlsm, .ods and .xls (fastexcel 0.21 does not tell)."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from xml.etree import ElementTree

from shoal.io._spreadsheet.old_excel import merged_in_old_excel

STEP, LONGEST_MARK = 2**20, 60  # bytes of a sheet at once, and of the mark of one merged range
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


def merged_cells(path: Path, sheet: str) -> list[str]:
    """The ranges of merged cells of a sheet; none of a .xlsb, or where the file is not as it should be."""
    try:
        if not zipfile.is_zipfile(path):
            return [_range(*place) for place in merged_in_old_excel(path.read_bytes(), sheet)]
        with zipfile.ZipFile(path) as book:
            if "xl/workbook.xml" in book.namelist():
                return _in_excel(book, sheet)
            return [_range(*place) for place in _in_opendocument(book, sheet)]
    except (
        zipfile.BadZipFile, KeyError, OSError, ValueError, struct.error, zlib.error, ElementTree.ParseError
    ):  # fmt: skip
        return []


def letters(place: int) -> str:
    """The letters of a column of a spreadsheet.

    >>> letters(0), letters(27)
    ('A', 'AB')
    """
    high, low = divmod(place, 26)
    return (letters(high - 1) if high else "") + chr(65 + low)


def _range(top: int, bottom: int, left: int, right: int) -> str:
    """A range from rows and columns, both counted from 0.

    >>> _range(1, 3, 0, 0)
    'A2:A4'
    """
    return f"{letters(left)}{top + 1}:{letters(right)}{bottom + 1}"


def _in_excel(book: zipfile.ZipFile, sheet: str) -> list[str]:
    sheets = ElementTree.fromstring(book.read("xl/workbook.xml")).iter()
    found = [e for e in sheets if e.tag.endswith("}sheet") and e.get("name") == sheet]
    ids = [value for e in found for key, value in e.items() if key.endswith("}id")]
    links = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
    targets = [e.get("Target", "") for e in links if e.get("Id") in ids]
    place = targets[0].lstrip("/") if targets else ""
    with book.open(place if place in book.namelist() else f"xl/{place}") as stream:
        return list(_found_in(stream, rb'<mergeCell ref="([A-Z]+\d+:[A-Z]+\d+)"'))


def _in_opendocument(book: zipfile.ZipFile, sheet: str) -> Iterator[tuple[int, int, int, int]]:
    """First and last row, first and last column; cells are counted only where the file has merged ones."""
    with book.open("content.xml") as stream:
        if not any(_found_in(stream, rb'-spanned="([2-9]|[1-9]\d)')):
            return
    row = column = 0
    here = False
    with book.open("content.xml") as stream:
        for event, element in ElementTree.iterparse(stream, events=("start", "end")):
            tag = element.tag.removeprefix(TABLE)
            if tag == "table":
                here, row = event == "start" and element.get(f"{TABLE}name") == sheet, 0
            elif event == "start" and tag in ("table-cell", "covered-table-cell") and here:
                down, right = (_times(element, f"{what}-spanned") for what in ("rows", "columns"))
                if down > 1 or right > 1:
                    yield row, row + down - 1, column, column + right - 1
                column += _times(element, "columns-repeated")
            elif event == "end" and tag == "table-row":
                row, column = row + _times(element, "rows-repeated"), 0
                element.clear()


def _times(element: ElementTree.Element, what: str) -> int:
    return int(element.get(f"{TABLE}number-{what}", "1"))


def _found_in(stream: IO[bytes], pattern: bytes) -> Iterator[str]:
    """What a pattern finds in a stream, a piece at a time: a sheet may be larger than its table."""
    rest = b""
    while piece := stream.read(STEP):
        text = rest + piece
        hits = list(re.finditer(pattern, text))
        yield from (hit[1].decode() for hit in hits)
        rest = text[max(hits[-1].end() if hits else 0, len(text) - LONGEST_MARK) :]
