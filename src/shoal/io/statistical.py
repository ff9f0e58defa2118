"""Files of SPSS, Stata and SAS, with variable and value labels both ways (needs pyreadstat)."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputWarning, InvalidInput
from shoal.io.form import Form
from shoal.io.infer import blank_missing
from shoal.table import Attribute, Table, as_table
from shoal.types import Kind

MEASURES: dict[Kind, str] = {"numeric": "scale", "ordinal": "ordinal", "nominal": "nominal"}
SPSS = (".sav", ".zsav")
STATA_WHOLE = (-2_147_483_647, 2_147_483_620)  # beyond are Stata's codes for missing
EXACT = 2**53  # whole numbers below survive as floats, which is all these files hold
LARGEST = 2**63 - 1  # of signed whole numbers
OF_SPSS = (r"[^\W\d_][\w.$#@]*", 64, "letters, digits and . _ $ # @, the first a letter, at most 64 bytes")
NAMES = {  # what a name of a column must be, how long, and the same in words
    ".sav": OF_SPSS,
    ".zsav": OF_SPSS,
    ".dta": (r"[^\W\d]\w*", 32, "letters, digits and _, the first no digit, at most 32"),
    ".xpt": (
        r"[A-Za-z_][A-Za-z0-9_]*",
        32,
        "letters a to z, digits and _, the first no digit, at most 32",
    ),
}
INCOMPLETE = "the file is not complete, the disk may be full"


def read_statistical(path: Path, form: Form) -> Table:
    """The file as a table; codes stay the values, a column with value labels is categorical."""
    frame, facts = _read(path, form.extension, form.encoding, form.keep_codes)
    if not form.keep_codes:
        _say_lost_codes(path, frame, facts, form)
    labels = {name: _codes(frame[name], facts, name, form.keep_codes) for name in frame.columns}
    frame = pl.DataFrame([_typed(frame[name], facts, labels[name]) for name in frame.columns])
    attributes = tuple(
        _described(a, frame[a.name], facts, labels[a.name]) for a in as_table(frame).attributes
    )
    return Table(blank_missing(frame, form.missing_codes, "."), attributes)


def statistical_cells(path: Path, form: Form) -> pl.DataFrame:
    """The values as the package shows them: a user-missing code is the value it is."""
    spss = form.extension in SPSS
    return _read(path, form.extension, form.encoding, keep_codes=spss)[0]


def _say_lost_codes(path: Path, frame: pl.DataFrame, facts: Any, form: Form) -> None:
    """Which columns had user-missing cells: that two of them had different codes is lost from here on."""
    if form.extension in SPSS and facts.missing_ranges:
        codes, _ = _read(path, form.extension, form.encoding, keep_codes=True)
        lost = {name: _gaps(frame[name]) - _gaps(codes[name]) for name in facts.missing_ranges}
        said = [f"{name} ({count} cells)" for name, count in lost.items() if count]
        advice = "; keep_codes=True (--keep-codes) keeps them as categories"
    else:
        said, advice = _letters(path, frame, form), ""
    if said:
        warnings.warn(
            f"User-missing codes of {', '.join(said)} are read as missing: which code it was is not "
            f"written again{advice}.",
            InputWarning,
            stacklevel=3,
        )


def _letters(path: Path, frame: pl.DataFrame, form: Form) -> list[str]:
    """The columns in which missing cells of Stata or SAS have a letter, .a to .z."""
    gaps = [c.name for c in frame if c.dtype.is_numeric() and _gaps(c)]
    if form.extension not in (".dta", ".sas7bdat") or not gaps:
        return []
    library = _pyreadstat()
    read = library.read_dta if form.extension == ".dta" else library.read_sas7bdat
    options = {"output_format": "dict", "encoding": form.encoding}
    found = read(path, user_missing=True, usecols=gaps, **options)[1].missing_user_values or {}
    return [name for name in gaps if found.get(name)]


def _gaps(column: pl.Series) -> int:
    """Number of missing cells, NaN and empty texts among them."""
    if column.dtype == pl.String:
        return column.null_count() + int((column == "").sum())
    return column.null_count() + (int(column.is_nan().sum()) if column.dtype.is_float() else 0)


def _pyreadstat() -> Any:
    try:
        import pyreadstat
    except ImportError as error:
        raise InvalidInput(
            'Files of SPSS, Stata and SAS need pyreadstat: pip install "shoal[stat]".'
        ) from error
    return pyreadstat


def _read(
    path: Path, kind_of_file: str, encoding: str | None, keep_codes: bool = False
) -> tuple[pl.DataFrame, Any]:
    library = _pyreadstat()
    readers = {".dta": library.read_dta, ".sas7bdat": library.read_sas7bdat, ".xpt": library.read_xport}
    read = readers.get(kind_of_file, library.read_sav)
    options: dict[str, Any] = {"output_format": "polars", "encoding": encoding}
    try:
        if kind_of_file in SPSS:  # only with user_missing does it tell which codes mean missing
            facts = read(path, user_missing=True, metadataonly=True, **options)[1]
            frame = read(path, user_missing=keep_codes, **options)[0]
        else:
            frame, facts = read(path, **options)
    except (library.ReadstatError, library.PyreadstatError, UnicodeError, OverflowError) as error:
        raise InvalidInput(
            f"{path.name} is broken, no {kind_of_file} file, or needs its `encoding` said; export it again."
        ) from error
    return frame, facts


def _codes(column: pl.Series, facts: Any, name: str, keep_codes: bool) -> dict[Any, str]:
    """Value labels of the codes that the column can hold, without those that mean missing unless kept."""
    labels = facts.variable_value_labels.get(name, {})
    ranges = [] if keep_codes else facts.missing_ranges.get(name, [])
    is_text = column.dtype == pl.String
    return {
        _whole(code): text
        for code, text in labels.items()
        if isinstance(code, str) == is_text and not _is_within(code, ranges)
    }


def _is_within(code: Any, ranges: Iterable[Mapping[str, Any]]) -> bool:
    return any(
        isinstance(code, str) == isinstance(limit["lo"], str) and limit["lo"] <= code <= limit["hi"]
        for limit in ranges
    )


def _declared(facts: Any, name: str) -> dict[Any, str]:
    """The codes that the file declares missing, with their labels; a range is a pair (lowest, highest)."""
    labels = facts.variable_value_labels.get(name, {})
    ranges = facts.missing_ranges.get(name, [])
    codes = {
        _whole(limit["lo"])
        if limit["lo"] == limit["hi"]
        else (_whole(limit["lo"]), _whole(limit["hi"])): labels.get(limit["lo"], "")
        if limit["lo"] == limit["hi"]
        else ""
        for limit in ranges
    }
    return codes | {_whole(code): text for code, text in labels.items() if _is_within(code, ranges)}


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
    stored = facts.readstat_variable_types[column.name].startswith("int")  # whole, as Stata has types for
    if (no_decimals or stored or labels) and ((column == column.round()) & (column.abs() <= EXACT)).all():
        return column.cast(pl.Int64)
    return column


def _described(attribute: Attribute, column: pl.Series, facts: Any, labels: Mapping[Any, str]) -> Attribute:
    """The attribute with labels and the kind that the file's measure and its labels tell."""
    measure = facts.variable_measure.get(attribute.name, "unknown")
    kind = attribute.kind
    if column.dtype.is_numeric() or column.dtype == pl.String:
        unlabelled = measure == "scale" and not _among(column, labels).all()
        if measure in ("ordinal", "nominal") or (labels and not unlabelled):
            kind = "ordinal" if measure == "ordinal" else "nominal"
        elif measure == "scale" and column.dtype.is_numeric():
            kind = "numeric"  # few whole numbers, too: what the file says counts more
    declared = _declared(facts, attribute.name)
    if measure != "ordinal" and kind != "nominal" and holds_declared(column, declared):
        kind = "nominal"  # its missing codes were kept: they have no mean and no rank
    order = tuple(sorted({*labels, *column.drop_nulls().unique()})) if labels and kind == "ordinal" else ()
    label = facts.column_names_to_labels.get(attribute.name) or ""
    return replace(
        attribute,
        kind=kind,
        order=order,
        label=label,
        value_labels=dict(labels),
        missing_codes=declared,
    )


def _among(column: pl.Series, codes: Iterable[Any]) -> pl.Series:
    """Which present values are among these codes, compared in the column's type."""
    present = column.drop_nulls()
    return present.is_in(pl.Series(list(codes)).cast(column.dtype, strict=False).to_list())


def holds_declared(column: pl.Series, declared: Mapping[Any, str]) -> bool:
    """Whether a value of the column is a code, or lies in a range, that its file declares missing."""
    ranges = [code for code in declared if isinstance(code, tuple)]
    if column.dtype.is_numeric() and any(column.is_between(*limits).any() for limits in ranges):
        return True
    return bool(_among(column, _discrete(declared)).any())


def _discrete(declared: Mapping[Any, str]) -> list[Any]:
    return [code for code in declared if not isinstance(code, tuple)]


def write_statistical(
    frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, form: Form
) -> None:
    """Write the columns with their labels; the file is read back and compared before it counts as written."""
    kind_of_file = form.extension
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
    if kind_of_file in SPSS:
        declared = {name: _writable_codes(frame[name], attributes[name]) for name in frame.columns}
        options["missing_ranges"] = {name: _ranges(codes) for name, codes in declared.items() if codes}
        _add_labels(options["variable_value_labels"], declared)
        options["compress"] = kind_of_file == ".zsav"
        options["variable_measure"] = {name: MEASURES[attributes[name].kind] for name in frame.columns}
        options["variable_format"] = {c.name: _spss_format(c) for c in frame if c.dtype.is_integer()}
    write = {".dta": library.write_dta, ".xpt": library.write_xport}.get(kind_of_file, library.write_sav)
    try:
        write(frame, str(path), **options)
    except (library.ReadstatError, library.PyreadstatError) as error:
        if "nable to write" in str(error):
            raise OSError(0, INCOMPLETE) from error
        raise InvalidInput(_complaint(frame.columns, kind_of_file, error)) from error
    _compare(frame, path, kind_of_file)


def _storable(column: pl.Series, kind_of_file: str) -> pl.Series:
    """The column in a type that the three packages have."""
    if column.dtype == pl.Boolean:
        return column.cast(pl.Int32)
    if column.dtype.is_decimal():
        return column.cast(pl.Float64)
    if column.dtype.is_integer():
        if column.dtype == pl.UInt64 and (column > LARGEST).any():
            raise InvalidInput(
                f"A {kind_of_file} file cannot hold column {column.name!r} exactly (numbers too large); "
                "write csv or parquet."
            )
        column, (low, high) = column.cast(pl.Int64), STATA_WHOLE
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


def _writable_codes(column: pl.Series, attribute: Attribute) -> dict[Any, str]:
    """The missing codes to declare again: of the column's type, and where no value has become one of them.

    Codes that were kept as values are declared all the same: there they mean what they meant.
    """
    is_text = column.dtype == pl.String
    codes = {
        code: text
        for code, text in attribute.missing_codes.items()
        if isinstance(code[0] if isinstance(code, tuple) else code, str) == is_text
    }
    if attribute.kind != "numeric" or is_text or not column.dtype.is_numeric():
        return codes if is_text or column.dtype.is_numeric() else {}
    hit = [limit for limit in _ranges(codes) if _between(column, limit).any()]
    if hit:
        warnings.warn(
            f"Column {column.name!r} has values that its file declared missing; the declaration is left out.",
            InputWarning,
            stacklevel=4,
        )
    return {} if hit else codes


def _between(column: pl.Series, limit: Any) -> pl.Series:
    low, high = (limit["lo"], limit["hi"]) if isinstance(limit, dict) else (limit, limit)
    return column.is_between(low, high)


def _ranges(codes: Mapping[Any, str]) -> list[Any]:
    """Missing codes as the library takes them; a labelled code inside a range is part of the range."""
    pairs = [code for code in codes if isinstance(code, tuple)]
    alone = [c for c in _discrete(codes) if not any(low <= c <= high for low, high in pairs)]
    return [*alone, *({"lo": low, "hi": high} for low, high in pairs)]


def _add_labels(labels: dict[str, dict[Any, str]], declared: Mapping[str, Mapping[Any, str]]) -> None:
    """The labels of declared codes beside those of codes that occur."""
    for name, codes in declared.items():
        said = {code: codes[code] for code in _discrete(codes) if codes[code]}
        if said:
            labels[name] = labels.get(name, {}) | said


def _is_whole(code: Any) -> bool:
    return isinstance(code, int | float) and float(code).is_integer()


def _spss_format(column: pl.Series) -> str:
    width = max((len(str(value)) for value in (column.min(), column.max()) if value is not None), default=8)
    return f"F{max(8, width)}.0"


def _complaint(names: Iterable[str], kind_of_file: str, error: Exception) -> str:
    """Which name the file cannot hold; else the library's words about a name or type."""
    pattern, most, in_words = NAMES[kind_of_file]
    for name in names:
        length = len(name.encode()) if kind_of_file in SPSS else len(name)
        if length > most or not re.fullmatch(pattern, name):
            return f"A {kind_of_file} file cannot hold the name {name!r} ({in_words}); rename that column."
    message = str(error).rstrip(".")
    return f"A {kind_of_file} file cannot hold this table: {message[:1].lower()}{message[1:]}."


def _compare(frame: pl.DataFrame, path: Path, kind_of_file: str) -> None:
    """Refuse a file that does not hold what was written: the library is silent about a full disk."""
    try:
        written, _ = _read(path, kind_of_file, None, keep_codes=kind_of_file in SPSS)
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
