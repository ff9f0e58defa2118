"""What every column lost, whatever its role."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from shoal._door import takes_frames
from shoal.errors import NotApplicable
from shoal.measures.column_covers import ColumnCovers, column_covers
from shoal.measures.compared_columns import compared_columns
from shoal.measures.loss.dbil import dbil
from shoal.measures.loss.sse_loss import sse_loss
from shoal.table import Table


@dataclass(frozen=True)
class ColumnLoss:
    """What happened to one column; figures are percent of the cells that the original has.

    `how`: "unchanged", "suppressed" (cells are missing, the others as they were), "coarser" (intervals, sets,
    labels) or "other values". `loss`: 0 to 100; for unchanged, suppressed and coarser columns the penalty of
    their cells (`gcp`), for other values `sse_loss` of numbers and `dbil` of categories.
    """

    name: str
    role: str
    kind: str
    how: str
    changed: float
    suppressed: float
    loss: float

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text."""
        return asdict(self)


@takes_frames
def column_losses(
    original: Table, masked: Table, *, columns: Iterable[str] | None = None
) -> tuple[ColumnLoss, ...]:
    """What every column of both files lost, in the order of the file.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to look at; all that both files have but identifiers if not given.

    Returns
    -------
    tuple of ColumnLoss

    Notes
    -----
    A column that was recoded to its top lost 100, an unchanged one 0. Time O(n log n) a column.

    Examples
    --------
    >>> from shoal import as_table
    >>> before = as_table({"age": [20, 25, 40], "town": ["a", "b", "c"]})
    >>> after = as_table({"age": ["[20, 25]", "[20, 25]", "40"], "town": ["a", None, "c"]})
    >>> [(column.name, column.how, round(column.loss, 1)) for column in column_losses(before, after)]
    [('age', 'coarser', 16.7), ('town', 'suppressed', 33.3)]
    """
    names = shared_columns(original, masked) if columns is None else list(columns)
    return tuple(_loss(original, masked, name) for name in compared_columns(original, masked, names))


def loss_by_role(found: Iterable[ColumnLoss]) -> dict[str, float]:
    """The mean loss of the columns of every role.

    >>> loss_by_role([ColumnLoss("a", "quasi", "numeric", "coarser", 9, 0, 4), ColumnLoss("b", "quasi",
    ...     "nominal", "unchanged", 0, 0, 0)])
    {'quasi': 2.0}
    """
    by_role: dict[str, list[float]] = {}
    for column in found:
        by_role.setdefault(column.role, []).append(column.loss)
    return {role: float(np.mean(losses)) for role, losses in by_role.items()}


def shared_columns(original: Table, masked: Table) -> list[str]:
    """The columns that both files have, identifiers left out.

    >>> from shoal import as_table
    >>> shared_columns(as_table({"age": [1], "town": ["a"]}), as_table({"age": [1]}))
    ['age']
    """
    known = set(masked.names())
    return [a.name for a in original.attributes if a.role != "identifier" and a.name in known]


def is_unchanged(original: Table, masked: Table, name: str) -> bool:
    """Whether every cell is what it was.

    >>> from shoal import as_table
    >>> is_unchanged(as_table({"age": [1.0, None]}), as_table({"age": [1, None]}), "age")
    True
    """
    before, after = original.column(name), masked.column(name)
    if before.dtype != after.dtype:
        return False
    return bool(np.array_equal(before, after, equal_nan=before.dtype != object))


def _loss(original: Table, masked: Table, name: str) -> ColumnLoss:
    attribute = original.attribute(name)
    head = (name, attribute.role, attribute.kind)
    if is_unchanged(original, masked, name):
        return ColumnLoss(*head, "unchanged", 0.0, 0.0, 0.0)
    column = column_covers(original, masked, name)
    seen = column.before >= 0
    cells = max(int(seen.sum()), 1)
    gone = 100.0 * int((column.suppressed & seen).sum()) / cells
    changed = 100.0 * int((~column.same & ~column.suppressed & seen).sum()) / cells
    if column.generalised or not column.perturbed:
        coarser = column.generalised or column.unread  # a label nobody explained is a label all the same
        how = "coarser" if coarser else "suppressed" if gone else "unchanged"
        lost = 100.0 * float(column.ncp[seen].mean()) if seen.any() else 0.0
    else:
        how, lost = "other values", _distance_lost(original, masked, column, changed + gone)
    return ColumnLoss(*head, how, changed, gone, min(lost, 100.0))


def _distance_lost(original: Table, masked: Table, column: ColumnCovers, touched: float) -> float:
    """The loss of a column with other values; of a constant one the share of cells that were touched."""
    numeric = original.attribute(column.name).kind == masked.attribute(column.name).kind == "numeric"
    try:
        return (sse_loss if numeric else dbil)(original, masked, columns=[column.name])
    except NotApplicable:
        return touched
