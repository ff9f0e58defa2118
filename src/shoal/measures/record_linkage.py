"""Linking records: one geometry for numbers, ranks and names, and who is as close as the true record."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal.encode import encode_pair
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures._shared.moments import column_means
from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import comparable_columns, compared_columns, with_strata
from shoal.measures.hierarchy_distances import named_by_hierarchy
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Matrix

Ties = Literal["expected", "strict", "optimistic"]
TIES: tuple[Ties, ...] = ("expected", "strict", "optimistic")
CHUNK = 5_000  # records a thread looks for at a time; no measurement on record
COMPARED = 30_000_000  # numbers of all pairs: a fifth of a second for numpy, compiling takes four
AT_ONCE = 500  # records compared with all points: memory counts
WIDTH = 6.0  # codes lie as far apart as numbers do in standard deviations: the cuts of the tree heed both
TIE = 1e-9  # distances closer than this, relatively, are equal: rounding must not hide a tie


@dataclass(frozen=True)
class Points:
    """Records as points: columns of numbers, and columns of codes (`nominal`) that are equal or not."""

    X: Matrix
    Y: Matrix
    nominal: NDArray[np.bool_]


def known_sets(
    original: Table,
    masked: Table,
    known: Sequence[str] | Sequence[Sequence[str]] | None,
    columns: Iterable[str] | None,
    *,
    labels: bool = False,
) -> list[list[str]]:
    """The sets of columns an intruder may know: those given (one set or several), else all compared columns
    and the strata.

    Numbers that became text are refused unless `labels`.

    >>> from shoal import as_table
    >>> table = as_table({"age": [1], "sex": ["f"]})
    >>> known_sets(table, table, None, None), known_sets(table, table, ["age"], None)
    ([['age', 'sex']], [['age']])
    """
    fitting = compared_columns if labels else comparable_columns
    if known is None:
        names = fitting(original, masked, columns)
        return [names if columns is not None else with_strata(original, masked, names)]
    if not known:
        raise InvalidInput("`known` is empty; name at least one set of columns, or leave it out.")
    sets: list[Any] = [known] if isinstance(known, str) or isinstance(known[0], str) else list(known)
    return [fitting(original, masked, check_names(names, original.names())) for names in sets]


def mixed_points(original: Table, masked: Table, names: list[str]) -> Points:
    """Numbers in standard deviations, ranks / number of categories, names as codes or places in a hierarchy.

    A missing number, rank or place is taken as the column's average, a missing name as a name of its own.

    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 30, 40], "sex": ["f", None, "m"]})
    >>> mixed_points(table, table, ["age", "sex"]).X.tolist()
    [[-1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]
    """
    blocks = [block for name in names for block in _blocks(original, masked, name)]
    if not blocks:
        raise NotApplicable("No compared column has a value in the original.")
    X, Y, nominal = zip(*blocks, strict=True)
    return Points(np.column_stack(X), np.column_stack(Y), np.array(nominal))


Block = tuple[Matrix, Matrix, bool]


def _blocks(original: Table, masked: Table, name: str) -> list[Block]:
    """One column of both files as columns of numbers or of codes; none if the original has no value."""
    kind = original.attribute(name).kind
    if kind == "numeric":
        return _number_blocks(*encode_pair(original, masked, [name]))
    if named_by_hierarchy(original, masked, name):
        return _averaged(*encode_pair(original, masked, [name]))
    before, after, categories = code_pair(original, masked, name)
    if kind == "nominal" or len(categories) > len(categorise(original, name)[1]):
        codes = [np.where(c < 0, len(categories), c).astype(np.float64) for c in (before, after)]
        return [] if (before < 0).all() else [(codes[0], codes[1], True)]
    ranks = [np.where(c < 0, np.nan, c / max(len(categories), 1))[:, None] for c in (before, after)]
    return _averaged(ranks[0], ranks[1])


def _number_blocks(X: Matrix, Y: Matrix) -> list[Block]:
    seen = X[~np.isnan(X)]
    if len(seen) and seen.min() == seen.max():  # a constant has no scale: a cell is changed or not
        X, Y = np.where(np.isnan(X), np.nan, 0.0), np.where(np.isnan(Y), np.nan, seen[0] != Y)
    return _averaged(X, Y)


def _averaged(X: Matrix, Y: Matrix) -> list[Block]:
    """Columns of numbers with missing cells at the original's average."""
    average = column_means(X)
    X, Y = np.where(np.isnan(X), average, X), np.where(np.isnan(Y), average, Y)
    return [(X[:, j], Y[:, j], False) for j in np.flatnonzero(~np.isnan(average))]


def linked_share(points: Points, weight: Matrix, ties: Ties, rows: NDArray[np.intp] | None = None) -> float:
    """Percent of these rows of X, or all, whose own row of Y is the nearest.

    `weight` counts in the squared distance.
    """
    rivals = rivals_of(points, weight, rows)
    found = rivals[rivals > 0]
    hits = {"expected": (1.0 / found).sum(), "strict": (found == 1).sum(), "optimistic": len(found)}[ties]
    return 100.0 * float(hits) / len(rivals)


def rivals_of(points: Points, weight: Matrix, rows: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
    """For these rows of X, or all, how many rows of Y are as near as the own; 0 if one is nearer."""
    points, weight = _telling(points, weight)
    gaps = points.X - points.Y
    own = np.sqrt(np.where(points.nominal, gaps != 0, gaps**2) @ weight)
    slack = TIE * own + TIE * 1e-3
    reach = np.column_stack([np.maximum(own - slack, 0.0) ** 2, (own + slack) ** 2])
    return _rivals(points, weight, reach, np.arange(len(own)) if rows is None else rows)


def _telling(points: Points, weight: Matrix) -> tuple[Points, Matrix]:
    """Only the columns that count; if none does, all records are one point."""
    kept = weight > 0
    if not kept.any():
        nothing = np.zeros((len(points.X), 1))
        return Points(nothing, nothing, np.array([False])), np.ones(1)
    return Points(points.X[:, kept], points.Y[:, kept], points.nominal[kept]), weight[kept]


def _rivals(points: Points, weight: Matrix, reach: Matrix, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """How many masked records are as near as the own one, 0 if one is nearer."""
    columns = np.argsort(points.nominal, kind="stable")  # numbers first
    m = int((~points.nominal).sum())
    width = np.where(points.nominal, WIDTH / np.maximum(points.Y.max(axis=0), 1.0), 1.0) * np.sqrt(weight)
    X, Y, weight = (points.X * width)[:, columns], (points.Y * width)[:, columns], weight[columns]
    classes = row_classes(np.column_stack([np.unique(column, return_inverse=True)[1] for column in Y.T]))
    different = np.ascontiguousarray(Y[np.unique(classes, return_index=True)[1]])
    copies = np.bincount(classes)
    if len(rows) * different.size <= COMPARED:
        return _compare_all(X[rows], reach[rows], different, copies, m, weight)
    return _search_tree(X, reach, different, classes, copies, m, weight, rows)


def _compare_all(
    X: Matrix, reach: Matrix, different: Matrix, copies: NDArray[np.intp], m: int, weight: Matrix
) -> NDArray[np.intp]:
    """With every point, for small files: compiling takes longer."""
    found = np.empty(len(X), dtype=np.intp)
    for first in range(0, len(X), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        squares = np.zeros((len(X[some]), len(different)))
        for j in range(X.shape[1]):
            gap = X[some, j, None] - different[:, j]
            squares += gap**2 if j < m else weight[j] * (gap != 0)
        closer = (squares < reach[some, :1]).any(axis=1)
        found[some] = np.where(closer, 0, (squares <= reach[some, 1:]) @ copies)
    return found


def _search_tree(
    X: Matrix,
    reach: Matrix,
    different: Matrix,
    classes: NDArray[np.intp],
    copies: NDArray[np.intp],
    m: int,
    weight: Matrix,
    rows: NDArray[np.intp],
) -> NDArray[np.intp]:
    """In a tree of the points, by compiled code."""
    from shoal._kernels.linkage.nearest_rivals import count_rivals
    from shoal._kernels.spatial.record_tree import build_tree

    places = np.empty(len(different), dtype=np.int32)
    tree = build_tree(different, np.arange(len(different), dtype=np.int32), places, np.zeros(X.shape[1]))
    order = rows[np.argsort(places[classes[rows]])]  # neighbours search the same branches
    parts = np.array_split(order, max(1, -(-len(order) // CHUNK)))
    found = np.empty(len(X), dtype=np.intp)
    with ThreadPoolExecutor(os.cpu_count()) as threads:  # the kernel runs without the interpreter's lock
        searches = [
            threads.submit(count_rivals, X[part], reach[part], tree, copies, m, weight) for part in parts
        ]
        for part, search in zip(parts, searches, strict=True):
            found[part] = search.result()
    return found[rows]
