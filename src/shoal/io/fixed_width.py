"""Fixed-width files: every column at its place in the line, as a layout says."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputWarning, InvalidInput
from shoal.io.csv import typed
from shoal.io.csv_detect import decode_file, known_encoding, split_text
from shoal.io.dates import written_dates
from shoal.io.form import Form
from shoal.io.infer import blank_missing
from shoal.io.layout import Field, Layout
from shoal.table import Attribute, Table

FIXED_WIDTH = (".asc", ".dat", ".fwf")


def read_fixed_width(path: Path, form: Form) -> Table:
    """The file as a table; codes that the layout calls missing are, and its words are kinds and roles."""
    layout = _layout(path, form)
    texts = fixed_width_cells(path, form)
    texts = pl.DataFrame([texts[c.name].str.strip_chars() for c in layout.fields])
    texts = pl.DataFrame([column.set(column == "", None) for column in texts])
    texts = pl.DataFrame([_without(texts[c.name], c.missing) for c in layout.fields])
    texts = blank_missing(texts, form.missing_codes, ".")
    numeric = tuple(c.name for c in layout.fields if c.kind == "numeric")
    table = typed(texts, ".", replace(form, numeric=(*form.numeric, *numeric)))
    described = zip(table.attributes, layout.fields, strict=True)
    return Table(table.frame, tuple(_described(a, c, table.frame[c.name]) for a, c in described))


def fixed_width_cells(path: Path, form: Form) -> pl.DataFrame:
    """The cells as texts with the blanks around them, exactly as they stand."""
    layout = _layout(path, form)
    if layout.separator is not None:
        return _separated(path, layout, form)
    text, _ = decode_file(path, form.encoding)
    lines = pl.Series("line", text.split("\n")).str.strip_chars_end("\r")
    _check_lines(path, lines, layout)
    return pl.DataFrame([lines.str.slice(c.start or 0, c.width).alias(c.name) for c in layout.fields])


def write_fixed_width(
    frame: pl.DataFrame, attributes: Mapping[str, Attribute], path: Path, form: Form
) -> None:
    """Write every column at its place: numbers to the right, texts to the left, missing as its first code."""
    layout = form.layout or layout_for(frame)
    frame = written_dates(frame, {name: a.written for name, a in attributes.items()})
    columns = [c for c in layout.fields if c.name in frame.columns]
    unplaced = [name for name in frame.columns if name not in {c.name for c in columns}]
    if unplaced:
        raise InvalidInput(f"The layout has no place for column {unplaced[0]!r}; add a line for it.")
    cells = {c.name: _as_cells(frame[c.name], c, layout.separator) for c in columns}
    end = form.line_end or "\n"
    if layout.separator is not None:
        lines = pl.DataFrame(cells).select(pl.concat_str(pl.all(), separator=layout.separator))
    else:
        lines = pl.DataFrame(_with_blanks(columns, cells, frame.height)).select(pl.concat_str(pl.all()))
    body = "".join(f"{line}{end}" for line in lines.to_series())
    try:
        path.write_bytes(body.encode(known_encoding(form.encoding or "utf-8")))
    except UnicodeEncodeError:
        raise InvalidInput(
            f"A column has a character that {form.encoding} lacks; write with encoding='utf-8'."
        ) from None


def layout_for(frame: pl.DataFrame) -> Layout:
    """A layout as wide as the values of a frame need, one blank between columns."""
    fields, start = [], 0
    for column in frame:
        if len(column.name.splitlines()) > 1 or '"' in column.name:
            raise InvalidInput(
                "A name of a column has a line break or a quotation mark, which no layout holds; rename it."
            )
        decimals = _decimals(column)
        texts = _texts(column, decimals)
        width = max(1, int(texts.str.len_chars().max() or 1))  # type: ignore[arg-type]
        kind = "numeric" if column.dtype.is_numeric() else None
        fields.append(Field(column.name, start, width, decimals, kind=kind))  # type: ignore[arg-type]
        start += width + 1
    return Layout(tuple(fields))


def _layout(path: Path, form: Form) -> Layout:
    if form.layout is None:
        raise InvalidInput(
            f"{path.name} needs a layout: give `layout`, a csv with name, start and width or mu-Argus "
            f"metadata (.rda), or put {path.with_suffix('.rda').name} beside it."
        )
    return form.layout


def _separated(path: Path, layout: Layout, form: Form) -> pl.DataFrame:
    """A file with a separator and without a header; the layout names its columns."""
    text, _ = decode_file(path, form.encoding)
    header = (layout.separator or ",").join(f'"{c.name}"' for c in layout.fields)
    return split_text(f"{header}\n{text}", layout.separator or ",")[0]


def _check_lines(path: Path, lines: pl.Series, layout: Layout) -> None:
    """Refuse a line that ends before its last column; say what the layout does not name."""
    last = max(layout.fields, key=lambda c: c.end)
    short = lines.str.len_chars() <= (last.start or 0)
    if short.any():
        line = int(short.arg_max() or 0)
        raise InvalidInput(
            f"Line {line + 1} of {path.name} has {len(lines[line])} characters but the layout needs "
            f"{layout.width}; give the right `layout`."
        )
    gaps, position = [], 0
    for column in sorted(layout.fields, key=lambda c: c.start or 0):
        gaps.append((position, (column.start or 0) - position))
        position = column.end
    longest = int(lines.str.len_chars().max() or 0)  # type: ignore[arg-type]
    gaps.append((position, max(0, longest - position)))
    left_out = [
        f"{start + 1} to {start + width}"
        for start, width in gaps
        if width and (lines.str.slice(start, width).str.strip_chars() != "").any()
    ]
    if left_out:
        warnings.warn(
            f"{path.name} has text at positions {', '.join(left_out)} that the layout does not name; "
            "it is left out.",
            InputWarning,
            stacklevel=2,
        )


def _without(column: pl.Series, missing: tuple[str, ...]) -> pl.Series:
    return column.set(column.is_in(list(missing)).fill_null(False), None) if missing else column


def _described(attribute: Attribute, column: Field, values: pl.Series) -> Attribute:
    """The attribute with the kind, role, labels and importance that the layout gives it."""
    kind = attribute.kind if column.kind is None else column.kind
    if kind == "numeric" and not values.dtype.is_numeric():
        kind = "nominal"
    whole = values.dtype.is_integer()
    labels: dict[Any, str] = {
        int(code) if whole and code.isdigit() else code: label
        for code, label in column.labels.items()
        if code not in column.missing
    }
    return replace(
        attribute,
        kind=kind,
        role=column.role,
        value_labels=labels,
        missing_codes={code: column.labels.get(code, "") for code in column.missing},
        importance=column.importance,
    )


def _decimals(column: pl.Series) -> int | None:
    """How many decimals the numbers of a column need, None where it holds something else."""
    if not (column.dtype.is_float() or column.dtype.is_decimal()):
        return None
    numbers = [Decimal(repr(value) if isinstance(value, float) else value) for value in column.drop_nulls()]
    return max((max(0, -int(number.normalize().as_tuple().exponent)) for number in numbers), default=0)


def _texts(column: pl.Series, decimals: int | None) -> pl.Series:
    if column.dtype.is_float() or column.dtype.is_decimal():
        needed = _decimals(column) or 0
        places = needed if decimals is None else decimals
        if needed > places:
            warnings.warn(
                f"Column {column.name!r} is written with {places} decimals, as its layout says.",
                InputWarning,
                stacklevel=4,
            )
        return pl.Series(column.name, [None if v is None else f"{v:.{places}f}" for v in column], pl.String)
    return column.cast(pl.String)


def _as_cells(column: pl.Series, place: Field, separator: str | None) -> pl.Series:
    """The texts of a column, as wide as its place or bare; what does not fit is refused by its row."""
    texts = _texts(column, place.decimals)
    texts = texts.fill_null(place.missing[0] if place.missing else "")
    _refuse(texts.str.contains(r"[\r\n]"), "has a line break", place)
    if separator is not None:
        wrong = texts.str.contains(separator, literal=True) | texts.str.contains('"', literal=True)
        _refuse(wrong, "has the separator or a quotation mark", place)
        return texts
    too_wide = texts.str.len_chars() > place.width
    if too_wide.any():
        row = int(too_wide.arg_max() or 0)
        raise InvalidInput(
            f"Column {place.name!r} needs {len(texts[row])} characters at row {row} but its layout "
            f"has {place.width}; give a wider layout, or write csv."
        )
    digits = texts.str.contains(r"^[+-]?\d*\.?\d*$").all()
    return texts.str.pad_start(place.width) if digits else texts.str.pad_end(place.width)


def _refuse(wrong: pl.Series, what: str, place: Field) -> None:
    if wrong.any():
        raise InvalidInput(
            f"Column {place.name!r} {what} at row {wrong.arg_max()}, which a line of this layout cannot "
            "hold; write csv."
        )


def _with_blanks(columns: list[Field], cells: Mapping[str, pl.Series], n: int) -> list[pl.Series]:
    """The cells in the order of the line, with blanks where no column stands."""
    parts: list[pl.Series] = []
    position = 0
    for column in sorted(columns, key=lambda c: c.start or 0):
        gap = (column.start or 0) - position
        parts.append(pl.repeat(" " * gap, n, eager=True, dtype=pl.String).alias(f"{len(parts)} before"))
        parts.append(cells[column.name].alias(f"{len(parts)} cell"))
        position = column.end
    return parts
