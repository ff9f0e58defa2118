"""A file as codes: every cell a small number, and the tables that say how far two codes are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.masking.protected_columns import finite_column
from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import became_text
from shoal.measures.hierarchy_distances import hierarchy_distances, named_by_hierarchy
from shoal.measures.numeric_pair import numeric_pair
from shoal.measures.record_linkage import mixed_points
from shoal.table import Table
from shoal.types import Matrix

if TYPE_CHECKING:
    from shoal._kernels.evolution.file_counts import Rules

Cells = NDArray[np.int32]
WIDTHS = tuple(range(1, 11))  # of the intervals in percent, as in `interval_risk`
MOST_CELLS = 2_000_000  # numbers kept per file for its contingency tables: 8 MB


@dataclass(frozen=True)
class CodedFile:
    """The original as codes. `values` are those of every column; the code after the last means missing."""

    table: Table
    names: tuple[str, ...]
    values: tuple[NDArray[Any], ...]
    rules: Rules

    def decode(self, cells: Cells) -> Table:
        """The table with these cells; whole numbers stay whole where they can."""
        return self.table.assign(**{name: self._column(c, cells[:, c]) for c, name in enumerate(self.names)})

    def encode(self, masked: Table) -> Cells:
        """The cells of a masked file, if it has no value beyond `values`."""
        columns = [_codes(self.table, masked, name, self.values[c]) for c, name in enumerate(self.names)]
        return np.ascontiguousarray(np.column_stack(columns), dtype=np.int32)

    def _column(self, c: int, codes: NDArray[np.int32]) -> NDArray[Any]:
        known = np.append(self.values[c], [None if self.values[c].dtype == object else np.nan])
        column = known[codes]
        if self.table.is_integer(self.names[c]) and column.dtype != object:
            gone = np.isnan(column)
            if (column[~gone] == np.rint(column[~gone])).all():
                column = np.array([None if x != x else int(x) for x in column], dtype=object)
        return column


def misfit(table: Table, masked: Table, names: Sequence[str]) -> str:
    """The column in which a masked file has values that the original could not have, or nothing.

    >>> from shoal import as_table
    >>> misfit(as_table({"town": ["a", "b"]}), as_table({"town": ["a", "a or b"]}), ["town"])
    'town'
    """
    for name in names:
        if became_text(table, masked, name):
            return name
        if table.attribute(name).kind != "numeric":
            known = len(categorise(table, name)[1])
            if len(code_pair(table, masked, name)[2]) > known:
                return name
    return ""


def check_codes(table: Table, names: Sequence[str]) -> None:
    """Refuse a column without values, and categories too many to be counted, before anything is masked."""
    values = [_values(table, name, ()) for name in names]
    _check_values(names, values)
    numeric = np.array([table.attribute(name).kind == "numeric" for name in names])
    _check_size(names, np.array([len(found) + 1 for found in values]), numeric)


def code_file(table: Table, names: Sequence[str], files: Sequence[Table]) -> CodedFile:
    """The original as codes; numbers of the masked files are values too, categories are the original's."""
    check_codes(table, names)
    values = tuple(_values(table, name, files) for name in names)
    sizes = np.array([len(found) + 1 for found in values])
    numeric = np.array([table.attribute(name).kind == "numeric" for name in names])
    return CodedFile(table, tuple(names), values, _rules(table, names, values, sizes, numeric))


def _rules(
    table: Table,
    names: Sequence[str],
    values: Sequence[NDArray[Any]],
    sizes: NDArray[np.intp],
    numeric: NDArray[np.bool_],
) -> Rules:
    from shoal._kernels.evolution.file_counts import NAME, NUMBER, RANK, Rules

    codes = [_codes(table, table, name, found) for name, found in zip(names, values, strict=True)]
    original = np.ascontiguousarray(np.column_stack(codes), dtype=np.int32)
    pairs = [_pair_tables(table, names[c], values[c], codes[c]) for c in np.flatnonzero(~numeric).tolist()]
    numbers = [_number_places(table, name, found) for name, found in zip(names, values, strict=True)]
    places, scaled = (np.concatenate(part) for part in zip(*numbers, strict=True))
    kind = {"nominal": NAME, "ordinal": RANK, "numeric": NUMBER}
    seen = np.array([len(np.unique(original[:, c])) for c in range(len(names))])
    seen -= (original == sizes - 1).any(axis=0)  # missing is no category
    return Rules(
        original,
        (original + _starts(sizes)).astype(np.int32),
        np.array([kind[table.attribute(name).kind] for name in names], dtype=np.intp),
        sizes,
        _starts(sizes),
        np.where(numeric, -1, _starts(np.where(numeric, 0, sizes**2))),
        _cross(sizes, numeric),
        _flat([apart for apart, _ in pairs]),
        _flat([far for _, far in pairs]),
        places,
        scaled,
        np.log(np.maximum(seen, 2)),
        np.array(WIDTHS, dtype=np.float64),
        _totals(original, sizes, numeric & (seen > 1), ~numeric, scaled),
    )


def _totals(
    original: Cells,
    sizes: NDArray[np.intp],
    varying: NDArray[np.bool_],
    categorical: NDArray[np.bool_],
    scaled: Matrix,
) -> Matrix:
    """Known categorical cells, known cells, contingency tables, and the numbers' sum of squares."""
    known, first = original < sizes - 1, _starts(sizes)
    squares = sum(
        float(np.square(scaled[first[c] + original[known[:, c], c]]).sum()) for c in np.flatnonzero(varying)
    )
    count = int(categorical.sum())
    tables = count + count * (count - 1) // 2
    return np.array([known[:, categorical].sum(), known.sum(), tables, squares], dtype=np.float64)


def _values(table: Table, name: str, files: Sequence[Table]) -> NDArray[Any]:
    if table.attribute(name).kind == "numeric":
        numbers = np.unique(np.concatenate([finite_column(file, name) for file in (table, *files)]))
        known: NDArray[Any] = numbers[~np.isnan(numbers)]
        return known
    categories = categorise(table, name)[1]
    values = np.empty(len(categories), dtype=object)
    values[:] = categories
    return values


def _codes(table: Table, masked: Table, name: str, values: NDArray[Any]) -> NDArray[np.intp]:
    """A code per record of the masked file, the number of values where missing; others are refused."""
    if table.attribute(name).kind == "numeric":
        numbers = masked.column(name)
        gone = np.isnan(numbers)
        codes = np.where(gone, len(values), np.searchsorted(values, numbers))
        unknown = ~gone & (values[np.minimum(codes, len(values) - 1)] != numbers)
    else:
        found = code_pair(table, masked, name)[1]
        codes, unknown = np.where(found < 0, len(values), found), found >= len(values)
    if unknown.any():
        raise InvalidInput(
            f"Column {name!r} has a value at row {int(np.argmax(unknown))} that the original could not have, "
            "such as an interval or a new label."
        )
    return codes


def _starts(sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)


def _flat(tables: list[Matrix]) -> Matrix:
    return np.concatenate([np.zeros(0), *(table.ravel() for table in tables)])


def _cross(sizes: NDArray[np.intp], numeric: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where the contingency table of every one and every two categorical columns begins."""
    cross, end = np.full((len(sizes), len(sizes)), -1, dtype=np.intp), 0
    for a in np.flatnonzero(~numeric):
        for b in np.flatnonzero(~numeric):
            if a <= b:
                cross[a, b] = end
                end += sizes[a] if a == b else sizes[a] * sizes[b]
    return cross


def table_cells(sizes: NDArray[np.intp], numeric: NDArray[np.bool_]) -> int:
    """Cells of all contingency tables of one and of two categorical columns."""
    kept = sizes[~numeric]
    return int(kept.sum() + (kept.sum() ** 2 - (kept**2).sum()) // 2)


def _check_values(names: Sequence[str], values: Sequence[NDArray[Any]]) -> None:
    for name, found in zip(names, values, strict=True):
        if not len(found):
            raise InvalidInput(f"Column {name!r} has no value, so there is nothing to change; leave it out.")


def _check_size(names: Sequence[str], sizes: NDArray[np.intp], numeric: NDArray[np.bool_]) -> None:
    if table_cells(sizes, numeric) + int((sizes[~numeric] ** 2).sum()) > MOST_CELLS:
        widest = names[int(np.argmax(np.where(numeric, 0, sizes)))]
        raise InvalidInput(
            f"The contingency tables of the columns are too large to be kept for many files; recode or leave "
            f"out column {widest!r}, which has the most categories."
        )


def _pair_tables(
    table: Table, name: str, values: NDArray[Any], codes: NDArray[np.intp]
) -> tuple[Matrix, Matrix]:
    """For an original (row) and a masked category (column): distance, and squared distance in linkage."""
    size = len(values) + 1
    seen, rows = np.unique(codes[codes < size - 1], return_index=True)
    rows = np.flatnonzero(codes < size - 1)[rows]
    apart, far = np.zeros((size, size)), np.zeros((size, size))
    apart[:-1] = 1.0
    if named_by_hierarchy(table, table, name):
        x, y = np.repeat(np.arange(len(seen)), size - 1), np.tile(np.arange(size - 1), len(seen))
        before = table.take(rows[x])
        found = hierarchy_distances(before, before.assign(**{name: values[y]}), name)
        apart[np.ix_(seen, np.arange(size - 1))] = found.reshape(len(seen), size - 1)
    elif table.attribute(name).kind == "ordinal":
        rank = np.arange(size - 1)
        apart[:-1, :-1] = np.abs(rank[:, None] - rank) / max(size - 1, 1)
    else:
        np.fill_diagonal(apart, 0.0)
    everything = np.append(values, [None])
    rows = np.append(rows, np.flatnonzero(codes == size - 1)[:1])
    for start in range(0, size, len(table)):
        part = everything[start : start + len(table)]
        padded = np.resize(part, len(table))
        points = mixed_points(table, table.assign(**{name: padded}), [name])
        gaps = points.X[rows][:, None, :] - points.Y[: len(part)][None, :, :]
        squared = np.where(points.nominal, gaps != 0, gaps**2).sum(axis=2)
        far[codes[rows], start : start + len(part)] = squared
    return apart, far


def _number_places(table: Table, name: str, values: NDArray[Any]) -> tuple[Matrix, Matrix]:
    """Per code of a numeric column: its position in linkage, and in standard deviations (missing: 0)."""
    if table.attribute(name).kind != "numeric":
        return np.zeros(len(values) + 1), np.zeros(len(values) + 1)
    everything, places, scaled = np.append(values, [np.nan]), [], []
    for start in range(0, len(everything), len(table)):
        part = everything[start : start + len(table)]
        masked = table.assign(**{name: np.resize(part, len(table))})
        places.append(mixed_points(table, masked, [name]).Y[: len(part), 0])
        scaled.append(numeric_pair(table, masked, [name]).Y[: len(part), 0])
    return np.concatenate(places), np.nan_to_num(np.concatenate(scaled))
