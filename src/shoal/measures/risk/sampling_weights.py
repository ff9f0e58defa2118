"""Sampling weights: how many people of the population every record stands for."""

from __future__ import annotations

import numpy as np

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.table import Table
from shoal.types import Matrix


def sampling_weights(table: Table, name: str | None = None) -> Matrix | None:
    """The weights in the column named, else in the column of role weight; None if there is neither.

    >>> from shoal import as_table
    >>> sampling_weights(as_table({"age": [30, 40], "w": [10.0, 30.0]}, roles={"weight": "w"}))
    array([10., 30.])
    """
    if name is None:
        known = table.names(role="weight")
        if not known:
            return None
        name = known[0]
    check_names(name, table.names())
    if table.attribute(name).kind != "numeric":
        raise InvalidInput(f"The weights in column {name!r} must be numbers.")
    values: Matrix = table.column(name)
    wrong = ~(values > 0) | np.isinf(values)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidInput(f"The weights in column {name!r} must be positive numbers, not so at row {row}.")
    return values
