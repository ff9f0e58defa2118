"""Text files as parquet in the work folder, with a type for every column that holds in all files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.distributed.sources.source_files import SourceFiles
from shoal.distributed.sources.text_types import text_types
from shoal.errors import InvalidInput


def as_parquet(source: SourceFiles, folder: Path) -> SourceFiles:
    """The same records as parquet, file by file; what is parquet already stays where it is."""
    if source.separator is None:
        return source
    types = text_types(source)
    paths = []
    for place, path in enumerate(source.paths):
        paths.append(folder / f"text-{place:06d}.parquet")
        part = SourceFiles((path,), source.separator).lazy()
        try:
            part.select(found.read(name) for name, found in types.items()).sink_parquet(paths[-1])
        except pl.exceptions.PolarsError:  # its words could quote a value
            raise InvalidInput(f"{path.name} could not be read to its end; is it whole?") from None
    return SourceFiles(tuple(paths))
