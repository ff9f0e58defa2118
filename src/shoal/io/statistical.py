"""Files of SPSS, Stata and SAS, with variable and value labels both ways (needs pyreadstat)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InvalidInput
from shoal.table import Attribute, Table, as_table
from shoal.types import Kind

MEASURES: dict[Kind, str] = {"numeric": "scale", "ordinal": "ordinal", "nominal": "nominal"}
STATA_WHOLE = (-2_147_483_647, 2_147_483_620)  # beyond are Stata's codes for missing
EXACT = 2**53
INCOMPLETE = "the file is not complete, the disk may be full"


def read_statistical(path: Path, kind_of_file: str, encoding: str | None) -> Table:
    """The file as a table; codes stay the values, a column with value labels is categorical."""
    frame, facts = _read(path, kind_of_file, encoding)
    labels = {name: _codes(frame[name], facts, name) for name in frame.columns}
    frame = pl.DataFrame([_typed(frame[name], facts, labels[name]) for name in frame.columns])
    attributes = tuple(
        _described(a, frame[a.name], facts, labels[a.name]) for a in as_table(frame).attributes
    )
    return Table(frame, attributes)


def _pyreadstat() -> Any:
    try:
        import pyreadstat
    except ImportError as error:
        raise InvalidInput(
            'Files of SPSS, Stata and SAS need pyreadstat: pip install "shoal[stat]".'
        ) from error
    return pyreadstat


def _read(path: Path, kind_of_file: str, encoding: str | None) -> tuple[pl.DataFrame, Any]:
    library = _pyreadstat()
    readers = {".dta": library.read_dta, ".sas7bdat": library.read_sas7bdat, ".xpt": library.read_xport}
    read = readers.get(kind_of_file, library.read_sav)
    try:
        frame, facts = read(path, output_format="polars", encoding=encoding)
        if kind_of_file in (".sav", ".zsav"):  # only so does it tell which codes mean missing
            options = {"output_format": "polars", "encoding": encoding, "metadataonly": True}
            facts.missing_ranges = read(path, user_missing=True, **options)[1].missing_ranges
    except (library.ReadstatError, library.PyreadstatError, UnicodeError, OverflowError) as error:
        raise InvalidInput(
            f"{path.name} is broken, no {kind_of_file} file, or needs its `encoding` said; export it again."
        ) from error
    return frame, facts


def _codes(column: pl.Series, facts: Any, name: str) -> dict[Any, str]:
    """Value labels of the codes that the column can hold, without those that mean missing."""
    labels = facts.variable_value_labels.get(name, {})
    ranges = facts.missing_ranges.get(name, [])
    is_text = column.dtype == pl.String
    return {
        _whole(code): text
        for code, text in labels.items()
        if isinstance(code, str) == is_text
        and not any(limit["lo"] <= code <= limit["hi"] for limit in ranges)
    }


def _whole(code: Any) -> Any:
    return int(code) if isinstance(code, float) and code.is_integer() else code


def _typed(column: pl.Series, facts: Any, labels: Mapping[Any, str]) -> pl.Series:
    """Empty texts and NaN as missing; whole numbers where the file says so or the column holds codes."""
    if column.dtype == pl.Null:  # a file without records
        column = column.cast(
            pl.String if facts.readstat_variable_types[column.name] == "string" else pl.Float64
        )
    if column.dtype == pl.String:
        return column.set(column == "", None)
    if not column.dtype.is_float():
        return column
    column = column.fill_nan(None)
    no_decimals = re.fullmatch(r"F\d+(\.0)?", facts.original_variable_types[column.name] or "")
    if (no_decimals or labels) and ((column == column.round()) & (column.abs() <= EXACT)).all():
        return column.cast(pl.Int64)
    return column


def _described(attribute: Attribute, column: pl.Series, facts: Any, labels: Mapping[Any, str]) -> Attribute:
    """The attribute with labels and the kind that the file's measure and its labels tell."""
    measure = facts.variable_measure.get(attribute.name, "unknown")
    kind = attribute.kind
    if kind == "numeric" or column.dtype == pl.String:
        unlabelled = measure == "scale" and not column.drop_nulls().is_in(list(labels)).all()
        categorical = measure in ("ordinal", "nominal") or (labels and not unlabelled)
        kind = ("ordinal" if measure == "ordinal" else "nominal") if categorical else kind
    order = tuple(sorted({*labels, *column.drop_nulls().unique()})) if labels and kind == "ordinal" else ()
    label = facts.column_names_to_labels.get(attribute.name) or ""
    return replace(attribute, kind=kind, order=order, label=label, value_labels=dict(labels))


def write_statistical(
    frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, kind_of_file: str
) -> None:
    """Write the columns with their labels; the file is read back and compared before it counts as written."""
    if kind_of_file == ".sas7bdat":
        raise InvalidInput("Files .sas7bdat can be read but not written; write .xpt, which SAS reads.")
    library = _pyreadstat()
    frame = pl.DataFrame([_storable(column, kind_of_file) for column in frame])
    options: dict[str, Any] = {
        "column_labels": {n: attributes[n].label for n in frame.columns if attributes[n].label}
    }
    if kind_of_file != ".xpt":
        labels = {
            name: _present_labels(frame[name], attributes[name], kind_of_file) for name in frame.columns
        }
        options["variable_value_labels"] = {name: found for name, found in labels.items() if found}
    if kind_of_file in (".sav", ".zsav"):
        options["compress"] = kind_of_file == ".zsav"
        options["variable_measure"] = {name: MEASURES[attributes[name].kind] for name in frame.columns}
        options["variable_format"] = {c.name: _spss_format(c) for c in frame if c.dtype.is_integer()}
    write = {".dta": library.write_dta, ".xpt": library.write_xport}.get(kind_of_file, library.write_sav)
    try:
        write(frame, str(path), **options)
    except (library.ReadstatError, library.PyreadstatError) as error:
        if "nable to write" in str(error):
            raise OSError(0, INCOMPLETE) from error
        raise InvalidInput(f"A {kind_of_file} file cannot hold this table: {_complaint(error)}.") from error
    _compare(frame, path, kind_of_file)


def _storable(column: pl.Series, kind_of_file: str) -> pl.Series:
    """The column in a type that the three packages have."""
    if column.dtype == pl.Boolean:
        return column.cast(pl.Int32)
    if column.dtype.is_decimal():
        return column.cast(pl.Float64)
    if column.dtype.is_integer():
        low, high = STATA_WHOLE
        fits = kind_of_file == ".dta" and column.is_between(low, high).all()
        return column.cast(pl.Int32 if fits else pl.Int64)
    return column


def _present_labels(column: pl.Series, attribute: Attribute, kind_of_file: str) -> dict[Any, str]:
    """Labels of the codes that still occur: the others would tell what the original held."""
    if not attribute.value_labels:
        return {}
    present = set(column.drop_nulls().unique())
    labels = {code: text for code, text in attribute.value_labels.items() if code in present}
    if kind_of_file == ".dta":  # Stata labels whole numbers only
        labels = {code: text for code, text in labels.items() if _is_whole(code)}
    return labels


def _is_whole(code: Any) -> bool:
    return isinstance(code, int | float) and float(code).is_integer()


def _spss_format(column: pl.Series) -> str:
    width = max((len(str(value)) for value in (column.min(), column.max()) if value is not None), default=8)
    return f"F{max(8, width)}.0"


def _complaint(error: Exception) -> str:
    """The library's words about a name or type in lower case, without a full stop."""
    message = str(error).rstrip(".")
    return message[:1].lower() + message[1:]


def _compare(frame: pl.DataFrame, path: Path, kind_of_file: str) -> None:
    """Refuse a file that does not hold what was written: the library is silent about a full disk."""
    try:
        written, _ = _read(path, kind_of_file, None)
    except InvalidInput as error:
        raise OSError(0, INCOMPLETE) from error
    if written.height != frame.height:
        raise OSError(0, INCOMPLETE)
    for column in frame:
        if column.len() and not _same(column, written[column.name]):
            raise InvalidInput(
                f"A {kind_of_file} file cannot hold column {column.name!r} exactly (numbers too large, "
                "text too long or times too fine); write csv or parquet."
            )


def _same(column: pl.Series, written: pl.Series) -> bool:
    if column.dtype == pl.String:
        texts = written.cast(pl.String).fill_null("").str.strip_chars_end(" ")
        return bool((column.fill_null("").str.strip_chars_end(" ") == texts).all())
    if column.dtype.is_temporal():
        apart = (_moments(column) - _moments(written)).abs()
        return column.null_count() == written.null_count() == apart.null_count() and bool((apart <= 1).all())
    written = written.fill_nan(None) if written.dtype.is_float() else written
    return bool(column.eq_missing(written.cast(column.dtype, strict=False)).all())


def _moments(column: pl.Series) -> pl.Series:
    """Dates and times as whole milliseconds, as fine as Stata keeps them."""
    if not column.dtype.is_temporal():
        return column.cast(pl.Int64, strict=False)
    if column.dtype == pl.Time:
        return column.cast(pl.Int64) // 1_000_000
    return column.cast(pl.Datetime("ms")).cast(pl.Int64)
