"""Text files as parquet in the work folder, with a type for every column that holds in all files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from shoal.distributed.source_files import SourceFiles
from shoal.errors import InvalidInput
from shoal.io.infer import EXACT, MISSING_WORDS, TRUTH, number_pattern


def as_parquet(source: SourceFiles, folder: Path) -> SourceFiles:
    """The same records as parquet, file by file; what is parquet already stays where it is."""
    if source.separator is None:
        return source
    types = column_types(source)
    paths = []
    for place, path in enumerate(source.paths):
        paths.append(folder / f"text-{place:06d}.parquet")
        part = SourceFiles((path,), source.separator).lazy()
        try:
            part.select(_cast(name, dtype) for name, dtype in types.items()).sink_parquet(paths[-1])
        except pl.exceptions.PolarsError:  # its words could quote a value
            raise InvalidInput(f"{path.name} could not be read to its end; is it whole?") from None
    return SourceFiles(tuple(paths))


def column_types(source: SourceFiles) -> dict[str, pl.DataType]:
    """Whole number, number, truth value or text: what all cells of a column are, as `read_table` tells it.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = file.write_text("age,pay,code\\n1,2.5,01\\nNA,3,02\\n")
    >>> column_types(SourceFiles((file,), ","))
    {'age': Int64, 'pay': Float64, 'code': String}
    """
    names = list(source.schema())
    wanted = [fact.alias(f"{i} {what}") for i, n in enumerate(names) for what, fact in _facts(n).items()]
    found = source.lazy().select(wanted).collect(engine="streaming").row(0, named=True)
    return {n: _type({w: found[f"{i} {w}"] for w in _facts(n)}) for i, n in enumerate(names)}


def _facts(name: str) -> dict[str, pl.Expr]:
    text = pl.col(name).str.strip_chars()
    seen = ~text.str.contains(MISSING_WORDS)
    number = text.str.contains(number_pattern("."))
    value = text.cast(pl.Float64, strict=False)
    return {
        "some": seen.any(),
        "number": (~seen | number).all(),
        "whole": (~seen | ~text.str.contains(r"[.eE]")).all(),
        "truth": (~seen | text.str.contains(TRUTH)).all(),
        "long": (seen & (value.abs() >= EXACT)).any(),
        "infinite": (seen & number & value.is_infinite()).any(),
    }


def _type(fact: dict[str, Any]) -> pl.DataType:
    if not fact["some"]:
        return pl.String()
    if fact["number"] and not fact["infinite"]:
        if not fact["long"]:
            return pl.Int64() if fact["whole"] else pl.Float64()
        return pl.String() if fact["whole"] else pl.Float64()
    return pl.Boolean() if fact["truth"] else pl.String()


def _cast(name: str, dtype: pl.DataType) -> pl.Expr:
    text = pl.col(name).str.strip_chars()
    if dtype == pl.String:
        return pl.col(name)
    if dtype == pl.Boolean:
        return pl.when(~text.str.contains(MISSING_WORDS)).then(text.str.to_lowercase() == "true").alias(name)
    return text.cast(dtype, strict=False).alias(name)
