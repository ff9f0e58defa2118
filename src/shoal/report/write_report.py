"""Writing reports and pictures to files; the name's ending is the format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.io.atomic import whole_file
from shoal.report.figures import pictures
from shoal.report.page import markdown, page

Facts = Mapping[str, Any]


def write_report(facts: Facts, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a summary as a page (.html), a text (.md) or its facts (.json).

    Parameters
    ----------
    facts
        What `summary` found.
    path
        The file to write; its ending is the format.
    overwrite
        Replace a file that exists.

    Notes
    -----
    The file is written whole or not at all. A page and a text need the extra `report`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> with TemporaryDirectory() as folder:
    ...     write_report(summary(load_sme(), microaggregate(load_sme(), k=3)), f"{folder}/report.json")
    """
    path = Path(path)
    text = _text(facts, path)
    with whole_file(path, overwrite) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _text(facts: Facts, path: Path) -> str:
    match path.suffix.lower():
        case ".html":
            return page(facts)
        case ".md":
            return markdown(facts)
        case ".json":
            return json.dumps(facts, indent=2)
    raise InvalidInput(f"A report is a file ending in .html, .md or .json, got {path.name!r}.")


def write_plots(
    facts: Facts, folder: str | Path, *, format: str = "svg", overwrite: bool = False
) -> list[Path]:
    """Write every picture of a summary to a file of its own.

    Parameters
    ----------
    facts
        What `summary` found.
    folder
        Where to; it is made if it is not there.
    format
        "svg" or "png".
    overwrite
        Replace files that exist.

    Returns
    -------
    list of Path
        The files written, named after what they show.

    Notes
    -----
    Needs the extra `report` (matplotlib). Time does not depend on the number of records.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> from shoal.report import summary
    >>> with TemporaryDirectory() as folder:
    ...     written = write_plots(summary(load_sme(), microaggregate(load_sme(), k=3)), folder)
    >>> written[0].name
    'figures.svg'
    """
    if format not in ("svg", "png"):
        raise InvalidInput(f"`format` must be 'svg' or 'png', got {format!r}.")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for picture in pictures(facts):
        path = folder / f"{picture.name}.{format}"
        words = {"Title": picture.title, "Description": picture.words}
        with whole_file(path, overwrite) as temporary:
            options = words | {"Date": None} if format == "svg" else words
            picture.figure.savefig(temporary, format=format, dpi=150, metadata=options)
        written.append(path)
    return written
