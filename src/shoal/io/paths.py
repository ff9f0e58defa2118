"""Paths at the door: a file that is there, and what to say when there is none."""

from __future__ import annotations

import os
from pathlib import Path

from shoal._check import did_you_mean
from shoal.errors import InvalidInput

CSV = tuple(text + packed for text in (".csv", ".tsv", ".tab", ".txt") for packed in ("", ".gz", ".zst"))


def is_csv(path: Path) -> bool:
    """Whether a file name stands for text with a separator.

    >>> is_csv(Path("people.tsv.gz")), is_csv(Path("people.parquet"))
    (True, False)
    """
    return path.name.lower().endswith(CSV)


def existing_file(path: str | os.PathLike[str]) -> Path:
    """The path, if a file is there that may be read."""
    path = Path(path)
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; give the name of a file in it.")
    if not path.exists():
        neighbours = os.listdir(path.parent) if path.parent.is_dir() else []
        raise InvalidInput(f"There is no file {str(path)!r}.{did_you_mean(path.name, neighbours)}")
    if not os.access(path, os.R_OK):
        raise InvalidInput(f"{path} may not be read; ask its owner for permission.")
    return path
