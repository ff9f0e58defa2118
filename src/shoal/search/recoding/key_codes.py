"""The keys of a table as integers: for every column and level, which label a category has there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.hierarchy import Hierarchy, hierarchy_from_rows, hierarchy_of
from shoal.hierarchy.tree import as_text, nodes_of
from shoal.table import Table
from shoal.types import Kind, Matrix

Ids = NDArray[np.int32]
MISSING = "\0missing"  # no label of a file: a missing cell is a category of its own below the top


@dataclass(frozen=True)
class KeyColumn:
    """One column: its hierarchy, and what every category is at every level.

    `nodes[c, level]` is the label's place in `hierarchy.labels`, `ids[c, level]` numbers labels that read
    alike. The last category stands for missing cells: a label of its own below the top level.
    """

    name: str
    hierarchy: Hierarchy
    kind: Kind
    nodes: Ids
    ids: Ids
    counts: Matrix  # records of every category
    lowest: int
    highest: int

    @property
    def seen(self) -> float:
        """Cells that are not missing."""
        return float(self.counts[:-1].sum())

    @cached_property
    def numbered(self) -> tuple[tuple[int, NDArray[np.int64]], ...]:
        """For every level the number of labels there, and the categories' labels as 0..c-1."""
        found = [np.unique(labels, return_inverse=True) for labels in self.ids.T]
        return tuple((len(used), ids.reshape(-1).astype(np.int64)) for used, ids in found)


@dataclass(frozen=True)
class KeyCodes:
    """The columns, the distinct rows of category numbers, how often each is there, and each record's row."""

    columns: tuple[KeyColumn, ...]
    rows: Ids
    counts: NDArray[np.int64]
    of_record: NDArray[np.intp]

    @property
    def n(self) -> int:
        """Number of records."""
        return len(self.of_record)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the categories of each column begin in an array that has those of all columns."""
        sizes = [len(column.ids) for column in self.columns]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @cached_property
    def places(self) -> Ids:
        """The rows as places in such an array."""
        return np.ascontiguousarray(self.rows + self.starts[:-1].astype(np.int32))


def code_keys(table: Table, names: Sequence[str], levels: Mapping[str, Any] | None = None) -> KeyCodes:
    """The named columns of a table as integers.

    >>> from shoal import as_table, with_hierarchies
    >>> table = with_hierarchies(as_table({"age": [18, 35, 18]}), {"age": {"widths": [10]}})
    >>> keys = code_keys(table, ["age"])
    >>> keys.rows.tolist(), keys.counts.tolist(), keys.columns[0].ids.tolist()
    ([[0], [1]], [2, 1], [[0, 2, 4], [1, 3, 4], [5, 5, 4]])
    """
    coded = [categorise(table, name) for name in names]
    codes = np.column_stack([np.where(c < 0, len(found), c) for c, found in coded]).astype(np.int32)
    rows, of_record, counts = _distinct(codes, [len(found) + 1 for _, found in coded])
    columns = tuple(
        _key_column(table, name, codes[:, number], coded[number][1], (levels or {}).get(name))
        for number, name in enumerate(names)
    )
    return KeyCodes(columns, rows, counts, of_record)


def _distinct(codes: Ids, sizes: Sequence[int]) -> tuple[Ids, NDArray[np.intp], NDArray[np.int64]]:
    keys, bound = np.zeros(len(codes), dtype=np.int64), 1
    for column, size in zip(codes.T, sizes, strict=True):
        if bound * size >= 2**62:
            keys = np.unique(keys, return_inverse=True)[1].reshape(-1)
            bound = len(codes)
        keys, bound = keys * size + column, bound * size
    _, first, of_record, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return np.ascontiguousarray(codes[first]), of_record.reshape(-1), counts.astype(np.int64)


def _key_column(table: Table, name: str, codes: Ids, found: tuple[Any, ...], chosen: Any) -> KeyColumn:
    hierarchy = _hierarchy(table, name, found)
    height = hierarchy.height
    lines = hierarchy.ancestors[nodes_of(hierarchy, found)] if found else np.zeros((0, height + 1), dtype=int)
    gap = np.full((1, height + 1), len(hierarchy.labels))
    gap[0, -1] = len(hierarchy.labels) - 1  # the top covers missing cells too
    nodes = np.concatenate([lines, gap])
    number = {text: place for place, text in reversed(list(enumerate((*hierarchy.labels, MISSING))))}
    same = np.array([number[text] for text in (*hierarchy.labels, MISSING)], dtype=np.int32)
    counts = np.bincount(codes, minlength=len(found) + 1).astype(np.float64)
    kind = table.attribute(name).kind
    low, high = _limits(name, hierarchy, chosen)
    return KeyColumn(name, hierarchy, kind, nodes.astype(np.int32), same[nodes], counts, low, high)


def leaves_below(hierarchy: Hierarchy) -> Matrix:
    """How many values every label of a hierarchy covers."""
    lines = hierarchy.ancestors[: len(hierarchy.paths)]
    counts = np.zeros(len(hierarchy.labels))
    for level in lines.T:
        np.maximum(counts, np.bincount(level, minlength=len(counts)), out=counts)
    return counts


def label_widths(hierarchy: Hierarchy, kind: Kind) -> Matrix:
    """The normalised certainty penalty of every label, 0 for a value, 1 for what covers all.

    (highest - lowest) / range for numbers, (values below - 1) / (values - 1) for categories.

    >>> label_widths(hierarchy_from_rows([["1", "low", "*"], ["3", "low", "*"], ["9", "9", "*"]]), "numeric")
    array([0.  , 0.  , 0.  , 0.25, 0.  , 1.  ])
    """
    places = np.arange(len(hierarchy.paths), dtype=np.float64)
    numbers = _as_numbers([path[0] for path in hierarchy.paths]) if kind == "numeric" else None
    if numbers is None:
        return (leaves_below(hierarchy) - 1) / max(len(places) - 1, 1)
    low, high = np.full(len(hierarchy.labels), np.inf), np.full(len(hierarchy.labels), -np.inf)
    for level in hierarchy.ancestors[: len(hierarchy.paths)].T:
        np.minimum.at(low, level, numbers)
        np.maximum.at(high, level, numbers)
    return np.asarray((high - low) / (np.ptp(numbers) or 1.0))


def _as_numbers(texts: Sequence[str]) -> Matrix | None:
    try:
        numbers = np.array([float(text) for text in texts])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _hierarchy(table: Table, name: str, found: tuple[Any, ...]) -> Hierarchy:
    """The column's own; names without one generalise to a label for all, others have to say how."""
    attribute = table.attribute(name)
    named = attribute.kind == "nominal" or (attribute.order and not table.is_number(name))
    if attribute.hierarchy is None and named and found:
        return hierarchy_from_rows([[as_text(value), "*"] for value in found])
    return hierarchy_of(table, name)


def _limits(name: str, hierarchy: Hierarchy, chosen: Any) -> tuple[int, int]:
    if chosen is None:
        return 0, hierarchy.height
    pair = list(chosen) if isinstance(chosen, list | tuple) else [chosen, chosen]
    whole = all(isinstance(level, int | np.integer) and not isinstance(level, bool) for level in pair)
    if len(pair) != 2 or not whole or not 0 <= pair[0] <= pair[1] <= hierarchy.height:
        raise InvalidInput(
            f"`levels` of column {name!r} must be a level, or the lowest and the highest, from 0 to "
            f"{hierarchy.height}, got {chosen!r}."
        )
    return int(pair[0]), int(pair[1])
