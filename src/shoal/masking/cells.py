"""Cells as they are in the frame, for maskers that move or drop values and must not change the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from shoal.table import Table


def cells_of(table: Table, name: str) -> NDArray[Any]:
    """The values of a column as Python objects, exactly; None where missing.

    >>> from shoal import as_table
    >>> cells_of(as_table({"age": [30, None]}), "age")
    array([30, None], dtype=object)
    """
    return table.cells(name)


def move_cells(table: Table, sources: Mapping[str, NDArray[np.intp]]) -> Table:
    """A new table whose record i has, in every named column, the cell of record sources[name][i].

    >>> from shoal import as_table
    >>> move_cells(as_table({"age": [30, 40, 50]}), {"age": np.array([2, 0, 1])}).frame["age"].to_list()
    [50, 30, 40]
    """
    frame: nw.DataFrame[Any] = nw.from_native(table.frame, eager_only=True)
    moved = [frame[name][rows].alias(name) for name, rows in sources.items()]
    return Table(frame.with_columns(*moved).to_native(), table.attributes)
