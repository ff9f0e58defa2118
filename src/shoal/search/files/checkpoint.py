"""Checkpoints of an evolution: its masked files, so that an interrupted run goes on where it was.

A checkpoint holds the masked columns of all files that are alive, in the order of the original's records, and
a keyed hash of the original, to know it again; never the original, never a seed. Many masked versions of the
same records side by side can be averaged: guard it like the original. Only its owner may read it, and it is
removed when the run has ended.
"""

from __future__ import annotations

import io
import json
import secrets
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.encode.fingerprint import fingerprint
from shoal.errors import InvalidInput
from shoal.io.atomic import whole_file
from shoal.masking.cells import cells_of
from shoal.table import Table

ABOUT, FILES = "about.json", "files.parquet"


@dataclass(frozen=True)
class Checkpoint:
    """The masked files of an interrupted evolution, and how many generations it had behind it."""

    files: tuple[Table, ...]
    generations: int


def checkpoint_path(output: Path) -> Path:
    """Where the checkpoint of a run lies: next to what it will write.

    >>> checkpoint_path(Path("safe.csv")).name
    'safe.csv.evolving'
    """
    return output.with_name(output.name + ".evolving")


def save_checkpoint(
    path: Path, table: Table, files: Sequence[Table], *, generations: int, columns: Sequence[str]
) -> None:
    """Write the masked columns of these files, whole or not at all, for the owner's eyes only."""
    key = secrets.token_bytes(16)
    about = {
        "original": fingerprint(table, key),
        "key": key.hex(),
        "generations": generations,
        "columns": list(columns),
        "files": len(files),
    }
    frame = pl.DataFrame(
        [
            pl.Series(f"{number}:{name}", cells_of(file, name).tolist(), strict=False)
            for number, file in enumerate(files)
            for name in columns
        ]
    )
    packed = io.BytesIO()
    frame.write_parquet(packed)
    with whole_file(path, True, mode=0o600) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        archive.writestr(ABOUT, json.dumps(about))
        archive.writestr(FILES, packed.getvalue())


def read_checkpoint(path: Path, table: Table, *, columns: Sequence[str]) -> Checkpoint:
    """The files of a checkpoint, if it belongs to this table and these columns."""
    try:
        with zipfile.ZipFile(path) as archive:
            about = json.loads(archive.read(ABOUT))
            frame = pl.read_parquet(io.BytesIO(archive.read(FILES)))
        key, mark, count = bytes.fromhex(about["key"]), about["original"], int(about["files"])
        done, names = int(about["generations"]), list(about["columns"])
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError, pl.exceptions.PolarsError) as error:
        raise InvalidInput(
            f"The checkpoint {path.name!r} cannot be read; remove it, or start anew with --restart."
        ) from error
    if fingerprint(table, key) != mark or names != list(columns):
        raise InvalidInput(
            f"The checkpoint {path.name!r} is of another file, roles or columns; remove it, or start "
            "anew with --restart."
        )
    files = [
        table.assign(**{name: frame[f"{number}:{name}"].to_list() for name in names})
        for number in range(count)
    ]
    return Checkpoint(tuple(files), done)
