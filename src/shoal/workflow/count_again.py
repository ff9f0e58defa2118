"""Counting again: the promise on the bytes that were written, as a stranger with the file finds them."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.encode.categories import Codes, categorise
from shoal.encode.look_alikes import ancestors_of, key_columns
from shoal.errors import InvalidInput
from shoal.measures.check import Verdict, judged, sizes_and_notes, with_people
from shoal.models.classes import Classes, Hidden, hidden_column
from shoal.models.promise import Promise
from shoal.models.row_classes import refine, row_classes
from shoal.table import Table


def count_again(
    cells: pl.DataFrame,
    masked: Table,
    rows: NDArray[np.intp],
    promise: Promise,
    keys: list[str] | None = None,
) -> Verdict:
    """The verdict about what was written.

    Parameters
    ----------
    cells
        What was read back from the bytes: texts of a text file, else values. "1.0" and "1", "a" and "a ",
        -0.0 and 0.0 are different; a missing cell is a value of its own.
    masked
        The table that was written: roles, and the order of confidential values.
    rows
        Which record of it every written row is.
    promise
        What the file should keep.
    keys
        What an intruder may know, if not the quasi-identifiers and the strata.

    Returns
    -------
    Verdict
        Positions are those of `masked`.

    Examples
    --------
    >>> from shoal import as_table
    >>> people = as_table({"age": [1.0, 1.0]}, roles={"quasi": "age"})
    >>> verdict = count_again(pl.DataFrame({"age": ["1.0", "1"]}), people, np.array([1, 0]), Promise(k=2))
    >>> verdict.kept, verdict.reached
    (False, {'k': 1})
    """
    if cells.height != len(masked):
        raise InvalidInput(f"{len(masked)} records were written, but {cells.height} can be read back.")
    names = [name for name in keys or key_columns(masked) if masked.attribute(name).role != "identifier"]
    lost = [name for name in names if name not in cells.columns]
    if lost:
        raise InvalidInput(f"Column {lost[0]!r} cannot be read back, so k cannot be counted; rename it.")
    if not names:
        raise InvalidInput("Nothing an intruder may know is written, so there is nothing to count.")
    weights = masked.names("weight")
    codes = np.column_stack([cell_codes(cells[name]) for name in names])
    hidden = list(dict.fromkeys([*masked.names("confidential"), *promise.confidential]))
    classes = Classes(
        row_classes(codes),
        {name: _hidden(cells, masked, rows, name) for name in hidden if name in masked.names()},
        _household(cells, masked, rows),
        masked.column(weights[0]).astype(np.float64)[rows] if weights else None,
    )
    classes = with_people(classes, masked.take(rows), promise, names)
    sizes, notes = sizes_and_notes(promise, classes, codes, names)
    return replace_rows(judged(promise, classes, sizes, names, notes), rows)


def cell_codes(column: pl.Series) -> Codes:
    """A code per different cell, by its exact value and by the text it prints; -1 where missing.

    >>> cell_codes(pl.Series([0.0, -0.0, None, 0.0])).tolist()
    [1, 0, -1, 1]
    """
    texts = column.cast(pl.String)
    seen = ~(texts.is_null() | (column.is_nan() if column.dtype.is_float() else texts.is_null())).to_numpy()
    codes = np.full(len(column), -1, dtype=np.intp)
    present = texts.filter(pl.Series(seen))
    codes[seen] = present.cast(pl.Enum(present.unique().sort())).to_physical().to_numpy()
    if column.dtype.is_temporal() or column.dtype.is_decimal():
        exact = column.filter(pl.Series(seen)).to_physical().cast(pl.Float64, strict=False).to_numpy()
        codes[seen] = refine(codes[seen], np.unique(exact, return_inverse=True)[1].reshape(-1))
    return codes


def suppressed_records(cells: pl.DataFrame, names: list[str]) -> int:
    """How many records have nothing left of what an intruder may know.

    >>> suppressed_records(pl.DataFrame({"age": [None, 30], "sex": [None, None]}), ["age", "sex"])
    1
    """
    gone = [cell_codes(cells[name]) < 0 for name in names if name in cells.columns]
    return int(np.all(gone, axis=0).sum()) if gone else 0


def replace_rows(found: Verdict, rows: NDArray[np.intp]) -> Verdict:
    """The verdict with positions of the masked table instead of those of the file, which is shuffled."""
    breaking = np.sort(rows[found.breaking_records])
    return Verdict(**{**vars(found), "breaking_records": breaking})


def _household(cells: pl.DataFrame, masked: Table, rows: NDArray[np.intp]) -> Codes | None:
    names = masked.names("household")
    if not names:
        return None
    return cell_codes(cells[names[0]]) if names[0] in cells.columns else categorise(masked, names[0])[0][rows]


def _hidden(cells: pl.DataFrame, masked: Table, rows: NDArray[np.intp], name: str) -> Hidden:
    """A confidential column: what is different is what the cells show, its order is that of the table."""
    ranks, categories = categorise(masked, name)
    ranks, kind = ranks[rows], masked.attribute(name).kind
    lines = ancestors_of(masked, name, categories)
    if name not in cells.columns:
        return hidden_column(ranks, kind, lines)
    column = cells[name]
    codes = cell_codes(column.set(column == "", None) if column.dtype == pl.String else column)  # no value
    seen = codes >= 0
    lowest = np.full(int(codes.max(initial=-1)) + 1, len(ranks), dtype=np.intp)
    np.minimum.at(lowest, codes[seen], ranks[seen])
    if kind == "nominal":
        return hidden_column(codes, kind, None if lines is None or (lowest < 0).any() else lines[lowest])
    placed = np.full(len(codes), -1, dtype=np.intp)
    placed[seen] = lowest[codes[seen]]
    return hidden_column(placed, kind, lines)
