"""Which columns a masker works on, checked at the door."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from shoal._check import check_names
from shoal.encode import quasi_columns
from shoal.errors import InvalidInput, NotApplicable
from shoal.table import KINDS, Table
from shoal.types import Kind, Matrix


def protected_columns(
    table: Table,
    columns: Iterable[str] | str | None,
    *,
    strata: Iterable[str] | str | None = None,
    kinds: Collection[Kind] = KINDS,
) -> list[str]:
    """The named columns, or the quasi-identifiers of these kinds; one that cannot be protected is refused.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 41], "town": ["a", "b"]}, roles={"quasi": ["age", "town"]})
    >>> protected_columns(table, None, kinds=["numeric"])
    ['age']
    """
    if columns is None:
        names = [name for name in quasi_columns(table) if table.attribute(name).kind in kinds]
        if not names:
            raise NotApplicable(f"No quasi-identifier is {' or '.join(kinds)}; name the columns to protect.")
    else:
        names = check_names(columns, table.names())
        if not names:
            raise InvalidInput("`columns` is empty; name at least one column to protect.")
    for name in names:
        if table.attribute(name).role == "identifier":
            raise InvalidInput(f"Column {name!r} is an identifier: drop it on release instead of masking it.")
        if table.attribute(name).kind not in kinds:
            raise NotApplicable(_wrong_kind(table, name, kinds))
    _refuse_overlap(names, strata)
    return names


def _wrong_kind(table: Table, name: str, kinds: Collection[Kind]) -> str:
    attribute = table.attribute(name)
    wrong = f"Column {name!r} is {attribute.kind}, this method is for columns that are {' or '.join(kinds)}"
    if "numeric" in kinds and attribute.kind == "ordinal" and table.is_number(name) and not attribute.order:
        return f"{wrong}; few whole numbers are taken as ranks: declare it numeric if they are amounts."
    return f"{wrong}."


def finite_column(table: Table, name: str) -> Matrix:
    """The values of a numeric column, NaN where missing; an infinite one is refused.

    >>> from shoal import as_table
    >>> finite_column(as_table({"age": [30, None]}), "age")
    array([30., nan])
    """
    values = table.column(name)
    if np.isinf(values).any():
        row = int(np.argmax(np.isinf(values)))
        raise InvalidInput(
            f"Column {name!r} has an infinite value at row {row}; replace it or make it missing."
        )
    return values


def _refuse_overlap(names: list[str], strata: Iterable[str] | str | None) -> None:
    chosen = {strata} if isinstance(strata, str) else set(strata or ())
    both = [name for name in names if name in chosen]
    if both:
        raise InvalidInput(f"Column {both[0]!r} cannot both define strata and be protected; choose one.")
