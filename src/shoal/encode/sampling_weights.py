"""Sampling weights: how many people of the population every record stands for."""

from __future__ import annotations

import numpy as np

from shoal._check import check_names
from shoal.encode.categories import categorise
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
    if not table.is_number(name):
        raise InvalidInput(f"The weights in column {name!r} must be numbers.")
    values: Matrix = table.numbers(name)
    wrong = ~(values > 0) | np.isinf(values)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidInput(f"The weights in column {name!r} must be positive numbers, not so at row {row}.")
    return values


def check_household_weights(table: Table) -> None:
    """Who lives together was drawn together and has one weight, above 0; else the row is named.

    >>> from shoal import as_table
    >>> roles = {"household": "home", "weight": "w"}
    >>> check_household_weights(as_table({"home": [1, 1], "w": [5, 5]}, roles=roles))
    """
    weights, name = sampling_weights(table), next(iter(table.names(role="weight")), "")
    if weights is None:
        return
    for home in table.names(role="household"):
        codes = categorise(table, home)[0]
        first = np.zeros(int(codes.max(initial=-1)) + 2)  # the last one is for those without a household
        first[codes[::-1]] = weights[::-1]
        differs = (codes >= 0) & (weights != first[codes])
        if differs.any():
            raise InvalidInput(
                f"Column {name!r} has two weights in the household of row {int(np.argmax(differs))}; a "
                "household needs one: give the column another role, or mend it."
            )
