"""Merged cells of an .xls file: records (BIFF8) in a stream of sectors (a compound file).

References: Microsoft, [MS-CFB] Compound File Binary File Format and [MS-XLS] Excel Binary File Format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENTRY = 128  # bytes of an entry of the directory
LAST = 0xFFFFFFFA  # numbers of sectors from here on mean that there is none
IN_HEADER = 109  # sectors of the table of sectors that the header itself names
BOUND_SHEET, MERGED, BEGIN, END = 0x85, 0xE5, 0x809, 0x0A  # kinds of records


def merged_in_old_excel(raw: bytes, sheet: str) -> Iterator[tuple[int, int, int, int]]:
    """First and last row, first and last column of every merged range of a sheet."""
    book = _stream(raw, "Workbook")
    starts = [start for start, name in _sheets(book) if name == sheet]
    depth = 0
    for kind, body in _records(book, starts[0]) if starts else ():
        depth += (kind == BEGIN) - (kind == END)  # a chart in the sheet has an end of its own
        if depth == 0:
            return
        if kind == MERGED:
            count = struct.unpack_from("<H", body)[0]
            yield from struct.iter_unpack("<4H", body[2 : 2 + 8 * count])


def _sheets(book: bytes) -> Iterator[tuple[int, str]]:
    """Where every sheet begins, and its name."""
    for kind, body in _records(book, 0):
        if kind == END:
            return
        if kind == BOUND_SHEET:
            start, _, length, wide = struct.unpack_from("<IHBB", body)
            name = body[8 : 8 + length * (1 + (wide & 1))]
            yield start, name.decode("utf-16-le" if wide & 1 else "latin-1")


def _records(book: bytes, place: int) -> Iterator[tuple[int, bytes]]:
    """The records from a place on: a kind and a body."""
    while place + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, place)
        yield kind, book[place + 4 : place + 4 + length]
        place += 4 + length


def _stream(raw: bytes, name: str) -> bytes:
    """A stream of a compound file that is long enough for sectors of its own, as that of a workbook is."""
    if not raw.startswith(MAGIC):
        return b""
    size = 1 << struct.unpack_from("<H", raw, 30)[0]
    (folder,), (more,) = struct.unpack_from("<I", raw, 48), struct.unpack_from("<I", raw, 68)
    tables = list(struct.unpack_from(f"<{IN_HEADER}I", raw, 76))
    while more < LAST and len(tables) * size < len(raw):
        *further, more = struct.unpack(f"<{size // 4}I", _sector(raw, more, size))
        tables += further
    table = b"".join(_sector(raw, number, size) for number in tables if number < LAST)
    following = struct.unpack(f"<{len(table) // 4}I", table)
    entries = _chain(raw, folder, following, size)
    for place in range(0, len(entries), ENTRY):
        length = struct.unpack_from("<H", entries, place + 64)[0]
        if entries[place : place + max(0, length - 2)].decode("utf-16-le") == name:
            first, long = struct.unpack_from("<IQ", entries, place + 116)
            return _chain(raw, first, following, size)[:long]
    return b""


def _sector(raw: bytes, number: int, size: int) -> bytes:
    return raw[(number + 1) * size : (number + 2) * size]


def _chain(raw: bytes, number: int, following: tuple[int, ...], size: int) -> bytes:
    """The sectors of a stream one after the other; a circle ends with the file's own length."""
    sectors: list[bytes] = []
    while number < len(following) and len(sectors) <= len(following):
        sectors.append(_sector(raw, number, size))
        number = following[number]
    return b"".join(sectors)
