"""Which columns belong to the household: those that are the same for all its members."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._check import check_names
from shoal.encode.categories import categorise
from shoal.errors import Infeasible, InvalidInput
from shoal.table import Table
from shoal.types import Labels


def household_of(table: Table, household: str | None = None) -> Labels:
    """The household 0..h-1 of every record; without a column of that role every record is its own.

    >>> from shoal import as_table
    >>> household_of(as_table({"home": [7, 3, 7]}), "home")
    array([1, 0, 1])
    """
    given = table.names(role="household") if household is None else check_names(household, table.names())
    if not given:
        return np.arange(len(table), dtype=np.intp)
    codes = categorise(table, given[0])[0]
    if (codes < 0).any():
        raise InvalidInput(
            f"Column {given[0]!r} has no household at row {int(np.argmax(codes < 0))}; give every record one."
        )
    return np.asarray(np.unique(codes, return_inverse=True)[1].reshape(-1), dtype=np.intp)


def household_variables(
    table: Table, *, household: str | None = None, columns: Iterable[str] | None = None
) -> list[str]:
    """The columns that have one value in every household, such as its region or the material of its roof.

    Parameters
    ----------
    table
        The table, one record per person.
    household
        The column that says who lives together; the one with the role household if not given.
    columns
        Where to look; all columns but that one if not given.

    Returns
    -------
    list
        Names in the order of the table; none if every household has one member, or there is no such column.
        A gap is a value of its own here.

    Notes
    -----
    Time O(n) a column.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"home": [1, 1, 2], "roof": ["tin", "tin", "tile"], "age": [40, 4, 33]})
    >>> household_variables(table, household="home")
    ['roof']
    """
    given = table.names(role="household") if household is None else [household]
    names = table.names() if columns is None else check_names(columns, table.names())
    homes = household_of(table, household)
    if not given or not len(table) or int(homes.max()) + 1 == len(table):
        return []
    return [name for name in names if name not in given and first_difference(table, name, homes) < 0]


def first_difference(table: Table, name: str, homes: Labels) -> int:
    """The first row whose value differs from another one of its household, -1 if there is none.

    >>> from shoal import as_table
    >>> first_difference(as_table({"age": [40, 4]}), "age", np.array([0, 0]))
    1
    """
    codes = categorise(table, name)[0]
    found = np.empty(int(homes.max(initial=-1)) + 1, dtype=np.intp)
    found[homes[::-1]] = codes[::-1]  # the first member's
    differs = codes != found[homes]
    return int(np.argmax(differs)) if differs.any() else -1


def check_households(homes: Labels, k: int) -> None:
    """Refuse fewer households than k: nobody could hide among them."""
    households = int(homes.max(initial=-1)) + 1
    if households < k:
        raise Infeasible(
            f"There are {households} households, fewer than k = {k}; k counts households where a column has "
            "that role."
        )
