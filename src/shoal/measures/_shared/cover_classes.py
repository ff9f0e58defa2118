"""Classes of equal released records and the original values that each of them may stand for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.column_covers import ColumnCovers, column_covers
from shoal.measures.record_linkage import TIE, Points, mixed_points
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Labels, Matrix

LISTED = 20_000_000  # pairs of cells and values of the leading column that are listed (160 MB)
CHUNK = 2_000  # records a thread looks for at a time; no measurement on record


@dataclass(frozen=True, eq=False)
class CoverClasses:
    """Released records as classes: cells of the columns that say what they cover, points for the others.

    `known` are the positions of the values an intruder knows (a row per record, a column per covering
    column, most telling first), `X` and `Y` the perturbed columns as points of persons and of classes.
    """

    known: Labels
    own: Labels
    copies: Labels
    size: Matrix
    cover: tuple[Labels, ...]
    X: Matrix
    Y: Matrix
    nominal: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))

    def search(self, rows: Labels) -> tuple[Labels, Labels]:
        """Of these records: how many released records each may be, and its rivals (0: another is better)."""
        from shoal._kernels.linkage.cover_rivals import Cover, cover_rivals

        cover, name = Cover(*self.cover), self.nominal.astype(np.intp)
        rows = np.asarray(rows, dtype=np.intp)
        order = np.argsort(self.own[rows], kind="stable")  # neighbours search the same classes
        parts = np.array_split(rows[order], max(1, -(-len(rows) // CHUNK)))
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            searches = [
                threads.submit(
                    cover_rivals,
                    self.known[part],
                    self.own[part],
                    cover,
                    self.copies,
                    self.size,
                    self.X[part],
                    self.Y,
                    name,
                    TIE,
                )
                for part in parts
            ]
            found = [np.concatenate(column) for column in zip(*(s.result() for s in searches), strict=True)]
        candidates, rivals = np.empty(len(rows), dtype=np.intp), np.empty(len(rows), dtype=np.intp)
        candidates[order], rivals[order] = found
        return candidates, rivals


def cover_classes(original: Table, masked: Table, names: Sequence[str]) -> CoverClasses:
    """The released records as classes, and where every original record is in them.

    >>> from shoal import as_table
    >>> before, after = as_table({"age": [20, 25, 40]}), as_table({"age": ["[20, 25]", "[20, 25]", "40"]})
    >>> cover_classes(before, after, ["age"]).search(np.arange(3))[1].tolist()
    [2, 2, 1]
    """
    columns = [column_covers(original, masked, name) for name in names]
    if all((column.before < 0).all() for column in columns):
        raise NotApplicable("No compared column has a value in the original.")
    covering = [column for column in columns if not column.perturbed]
    points = _perturbed_points(original, masked, [column for column in columns if column.perturbed])
    covering = sorted(covering, key=_passing)
    cells = [column.cells for column in covering] or [np.zeros(len(masked), dtype=np.intp)]
    released = [np.unique(y, return_inverse=True)[1].reshape(-1) for y in points.Y.T]
    own = row_classes(np.column_stack([*cells, *released]))  # sorted by the leading column's cell
    first = np.unique(own, return_index=True)[1]
    size = np.zeros(len(first))
    for column in covering:
        size += np.log(column.covers.sizes[column.cells[first]])
    known = [column.before for column in covering] or [np.zeros(len(masked), dtype=np.intp)]
    return CoverClasses(
        np.ascontiguousarray(np.column_stack(known)),
        own,
        np.bincount(own),
        size,
        listed_covers(covering, [c[first] for c in cells]),
        np.ascontiguousarray(points.X),
        np.ascontiguousarray(points.Y[first]),
        points.nominal,
    )


def population_totals(population: Table, masked: Table, names: Sequence[str], weights: Matrix) -> Matrix:
    """For every released record, the summed weights of the people it may be."""
    from shoal._kernels.linkage.cover_rivals import Cover, cover_totals

    columns = []
    for name in names:
        column = whom_cells_cover(population, masked, name)
        columns.append(column)
    columns = sorted(columns, key=lambda column: float(column.covers.counts.mean()))
    own = row_classes(np.column_stack([column.cells for column in columns]))
    first = np.unique(own, return_index=True)[1]
    cover = listed_covers(columns, [column.cells[first] for column in columns])
    people = np.column_stack([column.before for column in columns])
    return cover_totals(np.ascontiguousarray(people), Cover(*cover), weights)[own]


def whom_cells_cover(people: Table, masked: Table, name: str) -> ColumnCovers:
    """The covers of released cells of somebody else's column, whose rows do not correspond."""
    rows = len(people)
    try:
        column = column_covers(people, masked, name)
    except IndexError:  # cells that cannot be read are looked up in the rows beside them
        rows = -1
    if rows < 0 or column.unread:
        raise InvalidInput(
            f"Column {name!r} has released cells that are no value, interval, set or label; give the "
            "released table the hierarchy they come from (--hierarchies DIR)."
        )
    return column


def listed_covers(columns: list[ColumnCovers], cells: list[Labels]) -> tuple[Labels, ...]:
    """What the kernels need: cells of every class, what they cover, and where to look first."""
    if not columns:
        nothing, all_ = np.zeros(0, dtype=np.intp), np.array([0, 1], dtype=np.intp)
        classes = np.array([0, len(cells[0])], dtype=np.intp)
        zero = np.zeros(1, dtype=np.intp)
        return np.column_stack(cells), zero, zero, nothing, nothing, zero, all_, classes
    starts, base = [np.zeros(1, dtype=np.intp)], []
    for column in columns:
        base.append(sum(len(part) for part in starts) - 1)
        counts = np.bincount(column.covers.owner, minlength=len(column.covers.ways))
        starts.append(starts[-1][-1] + np.cumsum(counts))
    lead = columns[0].covers
    listed, ptr = _cells_by_position(columns[0])
    held = np.bincount(cells[0], minlength=len(lead.ways))
    return (
        np.ascontiguousarray(np.column_stack(cells)),
        np.concatenate(starts),
        np.array(base, dtype=np.intp),
        np.concatenate([column.covers.first for column in columns]),
        np.concatenate([column.covers.last for column in columns]),
        listed,
        ptr,
        np.concatenate([[0], np.cumsum(held)]).astype(np.intp),
    )


def _cells_by_position(column: ColumnCovers) -> tuple[Labels, Labels]:
    """For every position of the domain the cells that cover it, where the file has them."""
    covers = column.covers
    used = np.bincount(column.cells, minlength=len(covers.ways)) > 0
    kept = used[covers.owner]
    lengths = (covers.last - covers.first + 1)[kept]
    if lengths.sum() > LISTED:
        raise InvalidInput(
            f"The released cells of column {column.name!r} cover too many values to compare; recode it to "
            "fewer intervals, or compare fewer columns."
        )
    cells = np.repeat(covers.owner[kept], lengths)
    offsets = np.arange(len(cells)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    positions = np.repeat(covers.first[kept], lengths) + offsets
    order = np.argsort(positions, kind="stable")
    counts = np.bincount(positions, minlength=len(covers.domain.values))
    return cells[order], np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)


def _passing(column: ColumnCovers) -> float:
    """The share of pairs of a person and a released record that this column lets pass."""
    covers, n = column.covers, len(column.cells)
    people = np.concatenate(
        [[0], np.cumsum(np.bincount(column.before + 1, minlength=len(covers.domain.values) + 1)[1:])]
    )
    per_run = people[covers.last + 1] - people[covers.first]
    per_cell = np.bincount(covers.owner, weights=per_run, minlength=len(covers.ways))
    held = np.bincount(column.cells, minlength=len(covers.ways))
    return float(per_cell @ held) / n**2


def _perturbed_points(original: Table, masked: Table, columns: list[ColumnCovers]) -> Points:
    """Perturbed columns as numbers and names; labels that are no values by the middle of what they cover."""
    n = len(original)
    X, Y, nominal = [np.zeros((n, 0))], [np.zeros((n, 0))], [np.zeros(0, dtype=bool)]
    for column in columns:
        if original.attribute(column.name).kind == "numeric" != masked.attribute(column.name).kind:
            found = _centred(original.column(column.name), column)
        else:
            found = mixed_points(original, masked, [column.name])
        X.append(found.X)
        Y.append(found.Y)
        nominal.append(found.nominal)
    return Points(np.column_stack(X), np.column_stack(Y), np.concatenate(nominal))


def _centred(values: Matrix, column: ColumnCovers) -> Points:
    seen = values[~np.isnan(values)]
    mean, spread = float(seen.mean()), float(seen.std(ddof=1)) if len(seen) > 1 else 0.0
    centres = column.covers.centres[column.cells]
    x, y = ((np.where(np.isnan(v), mean, v) - mean) / (spread or 1.0) for v in (values, centres))
    return Points(x[:, None], y[:, None], np.array([False]))
