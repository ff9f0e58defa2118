"""Small files that commands write: recipes, tables of figures; as carefully as data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from shoal.errors import InvalidInput
from shoal.io import Address
from shoal.io.atomic import refuse_inputs, whole_file


def refuse_existing(
    force: bool, *paths: Path | Address | None, inputs: Iterable[Path | Address | None] = ()
) -> None:
    """Before long work: nothing is written over an input, nor, unless forced, over a file that is there."""
    outputs = [path for path in paths if isinstance(path, Path)]
    refuse_inputs([path for path in inputs if isinstance(path, Path)], outputs)
    for path in outputs:
        if path.exists() and not force:
            raise InvalidInput(f"The file {path.name!r} exists already; choose another or add --force.")


def write_text(path: Path, text: str, force: bool) -> None:
    """Write a small text file whole or not at all, not over another unless forced."""
    refuse_existing(force, path)
    with whole_file(path, force) as temporary:
        temporary.write_text(text, encoding="utf-8")
