"""The files of one source: a glob, a folder or a list of parquet or csv files that hold one table."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import polars as pl

from shoal._check import check_width
from shoal._shared.eager_frames import check_column_names
from shoal.errors import InvalidInput, NotApplicable
from shoal.io.csv_detect import (
    begins_without_name,
    check_separator,
    detect_separator,
    header_names,
    without_separator_line,
)

Source: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

TEXT = (".csv", ".tsv", ".tab", ".txt")
HEAD_BYTES = 1_000_000  # of a text file, which tell its separator


@dataclass(frozen=True)
class SourceFiles:
    """Files with the same columns, in the order of their names; a record is known by file and row."""

    paths: tuple[Path, ...]
    separator: str | None = None  # of text files; None: parquet

    def lazy(self) -> pl.LazyFrame:
        """Everything as a lazy frame: the cells of text files as texts, an empty one missing."""
        if self.separator is None:
            return pl.scan_parquet(list(self.paths), glob=False)
        # `replace` would hold the whole of a file (polars 2.1: 2.1 GB of memory for 1 GB of csv)
        return _scanned_text(self.paths, self.separator).with_columns(pl.when(pl.all() != "").then(pl.all()))

    def row_names(self) -> list[str]:
        """The first column, if it has no name: R and pandas write the numbers of rows so."""
        return (
            list(self.schema())[:1]
            if self.separator and begins_without_name(_head(self.paths[0]), self.separator)
            else []
        )

    def schema(self) -> dict[str, pl.DataType]:
        """Names and types of the columns."""
        return schema_of(self.paths[0], self.separator)


def source_files(source: Source) -> SourceFiles:
    """The files that a glob, a folder or a list of names stands for, if they hold one table.

    >>> source_files("nowhere/*.parquet")
    Traceback (most recent call last):
    ...
    shoal.errors.InvalidInput: No file is called 'nowhere/*.parquet'; give a glob, a folder or a list.
    """
    paths = _paths(source)
    texts = [path for path in paths if path.suffix.lower() in TEXT]
    others = [path for path in paths if path.suffix.lower() not in (*TEXT, ".parquet")]
    if others:
        raise InvalidInput(
            f"{others[0].name} is neither .parquet nor plain .csv; convert or unpack it, or give a glob "
            "that leaves it out."
        )
    if texts and len(texts) < len(paths):
        raise InvalidInput("Some files are .parquet and some are text; give those of one kind.")
    empty = [path.name for path in paths if not path.stat().st_size]
    if empty:
        raise InvalidInput(f"{empty[0]} is an empty file of 0 bytes; leave it out or write it again.")
    found = SourceFiles(tuple(paths), _separator(paths[0]) if texts else None)
    _check_schemas(found)
    return found


def record_counts(source: SourceFiles) -> list[int]:
    """Number of records of every file, or a sentence that there are none."""
    if source.separator is None:
        counts = [_opened(p, lambda f: f.select(pl.len()).collect().item(), None) for p in source.paths]
    else:
        counts = [_opened(p, _count_lines, source.separator) for p in source.paths]
        for path in source.paths:
            _refuse_ragged(path, source.separator, len(source.schema()))
    if not sum(counts):
        raise NotApplicable("The files have no records.")
    return counts


def schema_of(path: Path, separator: str | None) -> dict[str, pl.DataType]:
    """Names and types of the columns of one file."""
    if separator is None:
        return dict(_opened(path, lambda frame: frame.collect_schema(), separator))
    return dict.fromkeys(header_names(_head(path), separator), pl.String())


def _scanned_text(paths: Sequence[Path], separator: str) -> pl.LazyFrame:
    """The cells of text files as texts, under the names that `read_table` gives."""
    names = list(schema_of(paths[0], separator))
    return pl.scan_csv(list(paths), separator=separator, infer_schema=False, glob=False, new_columns=names)


def _opened(path: Path, ask, separator: str | None):  # type: ignore[no-untyped-def]
    """What `ask` says about one file; what a library says could quote a value."""
    try:
        if separator is None:
            return ask(pl.scan_parquet(path, glob=False))
        return ask(_scanned_text([path], separator))
    except (pl.exceptions.PolarsError, OSError):
        kind = "parquet" if separator is None else "utf-8 text with the same cells in every line"
        raise InvalidInput(f"{path.name} could not be read as {kind}; is it whole?") from None


def _count_lines(frame: pl.LazyFrame) -> int:
    return int(frame.select(pl.len()).collect(engine="streaming").item())


def _refuse_ragged(path: Path, separator: str, width: int) -> None:
    """A line with a cell too many or too few would be read with cells in wrong columns, or missing."""
    lines = pl.scan_csv(
        path,
        separator="\x01",
        quote_char=None,
        has_header=False,
        new_columns=["line"],
        infer_schema=False,
        glob=False,
    )
    line = pl.col("line").fill_null("")
    odd = line.str.count_matches('"', literal=True) % 2 == 1  # a cell that goes on in the next line
    bare = line.str.replace_all('"[^"]*"', "")  # without what is quoted
    wrong = bare.str.count_matches(separator, literal=True) != width - 1
    if width == 1:
        wrong &= line != ""  # an empty line is a missing cell
    found = lines.select(odd.any(), wrong.any().alias("wrong"), wrong.arg_max().alias("first"))
    try:
        goes_on, is_wrong, first = found.collect(engine="streaming").row(0)
    except pl.exceptions.PolarsError:
        raise InvalidInput(f"{path.name} is not utf-8 text; convert it first.") from None
    if is_wrong and not goes_on:
        raise InvalidInput(f"Line {first + 1} of {path.name} has not {width} cells like the first; mend it.")


def _paths(source: Source) -> list[Path]:
    if isinstance(source, str | os.PathLike):
        place = Path(source)
        if place.is_dir():
            names = [path for path in place.iterdir() if path.suffix.lower() in (*TEXT, ".parquet")]
            wanted = f"{place} holds no .parquet or .csv file; give a glob, a folder or a list."
        else:
            names = [Path(name) for name in glob.glob(os.fspath(source))]
            names = [place] if place.is_file() else [path for path in names if path.is_file()]
            wanted = f"No file is called {str(source)!r}; give a glob, a folder or a list."
    else:
        names = [Path(name) for name in source]
        missing = [path for path in names if not path.is_file()]
        wanted = f"There is no file {str(missing[0])!r}." if missing else "The list of files is empty."
        names = [] if missing else names
    if not names:
        raise InvalidInput(wanted)
    return sorted(names, key=str)


def _separator(path: Path) -> str:
    head = _head(path)
    if without_separator_line(head)[1]:
        raise InvalidInput(f"{path.name} begins with a line that says its separator; remove that line.")
    if path.suffix.lower() in (".tsv", ".tab"):
        return "\t"
    return check_separator(detect_separator(head))


def _head(path: Path) -> str:
    """The first characters of a text file."""
    with path.open("rb") as stream:
        return stream.read(HEAD_BYTES).decode("utf-8", errors="replace").removeprefix("\ufeff")


def _check_schemas(source: SourceFiles) -> None:
    first = source.schema()
    check_column_names(first)
    check_width(len(first))
    if any(name.startswith("__shoal") for name in first):
        raise InvalidInput("Names of columns that begin with __shoal are taken; rename the column.")
    for path in source.paths[1:]:
        other = schema_of(path, source.separator)
        if list(other) != list(first):
            different = sorted(set(other) ^ set(first))
            what = f"column {different[0]!r}" if different else "the order of the columns"
            raise InvalidInput(
                f"{path.name} differs from {source.paths[0].name} in {what}; all files need the same columns."
            )
        types = [name for name in first if other[name] != first[name]]
        if types:
            raise InvalidInput(
                f"Column {types[0]!r} is {other[types[0]]} in {path.name} but {first[types[0]]} in "
                f"{source.paths[0].name}; write it as one type."
            )
