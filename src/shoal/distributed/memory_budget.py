"""How much memory a job may take: said by its user, or a share of what the machine has."""

from __future__ import annotations

import ctypes
import os
import re
from contextlib import suppress

import polars as pl

from shoal.errors import InvalidInput

PART_OF_MEMORY = 4  # of the machine's memory a job takes by default one part in so many
OTHERWISE = 4_000_000_000  # bytes, where the system does not tell
LEAST = 500_000_000  # bytes
OWN = 360_000_000  # bytes that Python, polars and compiled code take before the first record, measured
COPIES = 6  # of records at one time while they are read, treated and written; 4 to 5 were measured
LEAST_HELD = 10_000  # records, however wide they are: fewer would make many small files
M_MMAP_THRESHOLD = -3  # malloc.h
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def memory_budget(memory: str | int | None) -> int:
    """Bytes from a text such as 4GB, or a number of bytes.

    >>> memory_budget("4GB")
    4000000000
    >>> memory_budget("four")
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: `memory` must be a size such as 4GB or 800MB, got 'four'.
    """
    if memory is None:
        try:
            return max(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // PART_OF_MEMORY, LEAST)
        except (AttributeError, ValueError, OSError):  # Windows
            return OTHERWISE
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?B?)\s*", str(memory).upper())
    unit = match and (match[2] if match[2].endswith("B") or not match[2] else match[2] + "B")
    if not match:
        raise InvalidInput(f"`memory` must be a size such as 4GB or 800MB, got {memory!r}.")
    size = int(float(match[1]) * UNITS[unit or ""])
    if size < LEAST:
        raise InvalidInput(f"`memory` must be at least 500MB, which shoal takes for itself, got {memory!r}.")
    return size


def room(budget: int) -> int:
    """Bytes of the budget that are there for records."""
    return budget - OWN


def records_held(frame: pl.DataFrame, most: int, bytes_there: int) -> int:
    """How many records like these, with their copies, these bytes hold; `most` at the most.

    >>> records_held(pl.DataFrame({"x": [1.0, 2.0]}), 10**9, 4_800_000)
    100000
    """
    one = frame.estimated_size() / max(frame.height, 1)
    return min(most, max(int(bytes_there / (COPIES * max(one, 1.0))), LEAST_HELD))


def arrays_apart() -> None:
    """From now on arrays of a megabyte and more go back to the system as soon as they are freed.

    glibc keeps what arrays below 32 MB had, in a heap of every thread: of ten columns and 500MB 280 MB,
    measured. Other systems have nothing of the kind.
    """
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 1 << 20)
