"""The recoded table: labels of levels or of classes in place of values, and what a local recoding loses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.masking.cells import cells_of
from shoal.masking.microaggregation.aggregate import aggregate
from shoal.masking.recoding.labels_left import labels_left
from shoal.search.recoding.cell_losses import CellLosses
from shoal.search.recoding.count_node import CountedNode, suppressed_records
from shoal.search.recoding.key_codes import Ids, KeyCodes
from shoal.table import Table, as_table
from shoal.types import Labels


def release_levels(table: Table, keys: KeyCodes, node: CountedNode, *, means: bool) -> Table:
    """The table at the levels of a node; suppressed records have no value in any of the columns."""
    assert node.dropped is not None
    gone = suppressed_records(keys, node.dropped) if node.gone is None else node.gone
    labels = np.column_stack(
        [
            column.nodes[keys.rows[:, number], level]
            for number, (column, level) in enumerate(zip(keys.columns, node.levels, strict=True))
        ]
    )[keys.of_record]
    return release_labels(table, keys, labels, means=means, gone=gone)


def release_labels(
    table: Table, keys: KeyCodes, labels: Ids, *, means: bool, gone: NDArray[np.bool_] | None = None
) -> Table:
    """The table with these labels; a column whose records all keep their values stays as it is."""
    released: dict[str, Any] = {}
    texts: list[str] = []
    averaged: list[str] = []
    suppressed = np.zeros(len(table), dtype=bool) if gone is None else gone
    for number, column in enumerate(keys.columns):
        same = labels[:, number] == column.nodes[keys.rows[:, number], 0][keys.of_record]
        if means and column.kind == "numeric":
            averaged.append(column.name)
        elif same[~suppressed].all():
            if suppressed.any():
                released[column.name] = cells_of(table, column.name)
                released[column.name][suppressed] = None
        else:
            words = np.array([*column.hierarchy.labels, None], dtype=object)
            released[column.name] = words[labels[:, number]]
            released[column.name][suppressed] = None
            texts.append(column.name)
    masked = labels_left(
        table, as_table(table.assign(**released), kinds=dict.fromkeys(texts, "nominal")), texts
    )
    if not averaged:
        return masked
    masked = aggregate(masked, class_numbers(labels, suppressed), missing="suppress", columns=averaged)
    cells = {name: cells_of(masked, name) for name in averaged}
    for values in cells.values():
        values[suppressed] = None
    return masked.assign(**cells)


def class_numbers(labels: Ids, suppressed: NDArray[np.bool_]) -> Labels:
    """The class of every record, the suppressed ones in one of their own."""
    rows = np.where(suppressed[:, None], -1, labels)
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).astype(np.intp)


def local_loss(keys: KeyCodes, losses: CellLosses, labels: Ids) -> float:
    """The loss of records released as these labels; cells that were missing before do not count."""
    means = []
    for number, column in enumerate(keys.columns):
        own = keys.rows[keys.of_record, number]
        costs = np.append(losses.labels[number], 0.0)
        lost = costs[labels[:, number]]
        if losses.name == "entropy":
            lost = lost - costs[column.nodes[own, 0]]
        means.append(float(lost[own < len(column.ids) - 1].sum()) / max(column.seen, 1.0))
    return losses.total(means)


def level_shares(keys: KeyCodes, labels: Ids) -> dict[str, tuple[float, ...]]:
    """By column, which share of the cells is released at which level; missing cells are left out."""
    found = {}
    for number, column in enumerate(keys.columns):
        seen = labels[:, number] < len(column.hierarchy.labels)
        levels = column.hierarchy.levels[labels[seen, number]]
        counts = np.bincount(levels, minlength=column.hierarchy.height + 1)
        found[column.name] = tuple((counts / max(counts.sum(), 1)).tolist())
    return found
