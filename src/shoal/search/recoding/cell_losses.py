"""What a released label costs: loss of a cell by column, level and category, summed up as each loss says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from shoal._check import check_choice, check_names, check_number
from shoal.errors import InvalidInput
from shoal.search.recoding.key_codes import KeyCodes, KeyColumn, label_widths, leaves_below
from shoal.types import Matrix

CellLoss: TypeAlias = Literal["gcp", "geometric", "granularity", "entropy", "precision"]
ClassLoss: TypeAlias = Literal["discernibility", "class_size"]
Loss: TypeAlias = CellLoss | ClassLoss
CELL_LOSSES: tuple[CellLoss, ...] = ("gcp", "geometric", "granularity", "entropy", "precision")
CLASS_LOSSES: tuple[ClassLoss, ...] = ("discernibility", "class_size")


@dataclass(frozen=True)
class CellLosses:
    """The loss of a file as an increasing function of the mean cell loss of every column.

    `labels[c]` is what a cell loses that becomes this label of the hierarchy (give or take a constant of its
    value), `cells[c][category, level]` the loss of a cell, from 0 to about 1, `suppressed[c][category]` that
    of a cell made missing. The file's loss is `total(means)`.
    """

    name: str
    labels: tuple[Matrix, ...]
    cells: tuple[Matrix, ...]
    suppressed: tuple[Matrix, ...]
    weights: Matrix  # they add up to 1

    def terms(self, means: Matrix, column: int) -> Matrix:
        """What a column adds to the sum that `from_sum` turns into the loss."""
        weight = self.weights[column]
        return np.asarray(weight * np.log1p(means) if self.name == "geometric" else weight * means)

    def from_sum(self, total: Matrix | float) -> Matrix:
        """The loss of a sum of terms."""
        return np.asarray(np.expm1(total) if self.name == "geometric" else total)

    def total(self, means: Sequence[float]) -> float:
        """The loss of a file whose columns lose that much."""
        terms = [self.terms(np.asarray(mean), column) for column, mean in enumerate(means)]
        return float(self.from_sum(float(np.sum(terms))))

    def level_means(self, keys: KeyCodes) -> list[Matrix]:
        """For every column, the mean loss of a cell at every level, nothing suppressed."""
        pairs = zip(self.cells, keys.columns, strict=True)
        return [cells.T @ column.counts / max(column.seen, 1.0) for cells, column in pairs]


def cell_losses(keys: KeyCodes, name: str, weights: Mapping[str, float] | None = None) -> CellLosses:
    """The losses of all cells the search may release.

    >>> from shoal import as_table, with_hierarchies
    >>> from shoal.search.recoding.key_codes import code_keys
    >>> table = with_hierarchies(as_table({"age": [18, 35, 18]}), {"age": {"widths": [10]}})
    >>> cell_losses(code_keys(table, ["age"]), "gcp").cells[0][0].tolist()
    [0.0, 0.0, 1.0]
    """
    check_choice("loss", name, CELL_LOSSES)
    given = column_weights(keys, weights)
    labels = tuple(_MADE[name](column) for column in keys.columns)
    cells = tuple(_cells(name, *pair) for pair in zip(labels, keys.columns, strict=True))
    suppressed = tuple(made[:, -1].copy() if name == "entropy" else np.ones(len(made)) for made in cells)
    for made, gone in zip(cells, suppressed, strict=True):
        made[-1], gone[-1] = 0.0, 0.0  # what was missing before cannot be lost
    if name == "granularity":  # (S - m) / (1 - m) weighs a column by 1 - 1 / leaves
        given = given * np.array([1 - 1 / len(column.hierarchy.paths) for column in keys.columns])
    return CellLosses(name, labels, cells, suppressed, given / max(given.sum(), np.finfo(float).tiny))


def column_weights(keys: KeyCodes, weights: Mapping[str, float] | None) -> Matrix:
    """The weight of every column, 1 where none was given."""
    names = [column.name for column in keys.columns]
    check_names(weights or (), names)
    found = [check_number(f"weights of {name}", (weights or {}).get(name, 1.0), 0, 1e6) for name in names]
    if not sum(found) > 0:
        raise InvalidInput("`weights` must leave at least one column a weight above 0.")
    return np.array(found)


def _cells(name: str, labels: Matrix, column: KeyColumn) -> Matrix:
    made: Matrix = np.append(labels, 0.0)[column.nodes]
    return made - made[:, :1] if name == "entropy" else made


def _width(column: KeyColumn) -> Matrix:
    """The NCP of a label."""
    return label_widths(column.hierarchy, column.kind)


def _share_of_leaves(column: KeyColumn) -> Matrix:
    """(leaves below the label - 1) / (leaves - 1), 0 for a value, 1 for the top."""
    return (leaves_below(column.hierarchy) - 1) / max(len(column.hierarchy.paths) - 1, 1)


def _bits(column: KeyColumn) -> Matrix:
    """log2 of the records below a label, as a share of what the column has in all (non-uniform entropy)."""
    lines, counts = column.nodes[:-1], column.counts[:-1]
    below = np.zeros(len(column.hierarchy.labels))
    for level in lines.T:
        np.maximum(below, np.bincount(level, weights=counts, minlength=len(below)), out=below)
    bits = np.log2(np.maximum(below, 1.0))
    whole = float(bits[-1] - bits[lines[:, 0]] @ counts / max(column.seen, 1.0)) if len(lines) else 0.0
    return bits / whole if whole > 0 else np.zeros(len(bits))


def _level_share(column: KeyColumn) -> Matrix:
    """Level / height."""
    return column.hierarchy.levels / column.hierarchy.height


_MADE: Mapping[str, Callable[[KeyColumn], Matrix]] = {
    "gcp": _width,
    "geometric": _share_of_leaves,
    "granularity": _share_of_leaves,
    "entropy": _bits,
    "precision": _level_share,
}
