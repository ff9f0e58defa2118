"""Classes of look-alikes of a table: what an intruder may know makes the key, the rest is to stay hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from shoal._check import check_names
from shoal._door import takes_frames
from shoal._once import once
from shoal.encode.categories import Codes, categorise
from shoal.encode.encode_table import quasi_columns
from shoal.hierarchy.tree import Hierarchy, as_text, nodes_of
from shoal.models.classes import Classes, Hidden, hidden_column
from shoal.models.row_classes import row_classes
from shoal.table import Table
from shoal.types import Labels


@takes_frames
def look_alikes(
    table: Table,
    *,
    columns: Iterable[str] | str | None = None,
    confidential: Iterable[str] | str | None = None,
) -> Classes:
    """The classes of records with the same values in all an intruder may know.

    Parameters
    ----------
    table
        The table; its roles household and weight are carried along.
    columns
        What an intruder may know; the quasi-identifiers if not given. Strata are always part of it.
    confidential
        What should stay hidden; the columns of that role if not given.

    Returns
    -------
    Classes

    Notes
    -----
    A missing value is a value of its own. Time O(n log n) a column.

    Examples
    --------
    >>> from shoal import as_table
    >>> look_alikes(as_table({"age": [30, 30, None]}, roles={"quasi": "age"})).sizes.tolist()
    [1, 2]
    """
    hidden = table.names("confidential") if confidential is None else check_names(confidential, table.names())
    weights, household = table.names("weight"), table.names("household")
    return Classes(
        class_labels(table, key_columns(table, columns)),
        {name: hidden_values(table, name) for name in hidden},
        categorise(table, household[0])[0] if household else None,
        table.column(weights[0]).astype(np.float64) if weights else None,
    )


def key_columns(table: Table, columns: Iterable[str] | str | None = None) -> list[str]:
    """What an intruder may know: these columns or the quasi-identifiers, and the strata.

    >>> from shoal import as_table
    >>> key_columns(as_table({"age": [30], "area": ["n"]}, roles={"quasi": "age", "stratum": "area"}))
    ['age', 'area']
    """
    names = quasi_columns(table) if columns is None else check_names(columns, table.names())
    return [*names, *(name for name in table.names("stratum") if name not in names)]


def hidden_values(table: Table, name: str) -> Hidden:
    """A confidential column as a promise looks at it; an empty text is no value, as in a csv file.

    >>> from shoal import as_table
    >>> hidden_values(as_table({"ill": ["flu", None, ""]}), "ill").codes.tolist()
    [0, -1, -1]
    """
    codes, categories = categorise(table, name)
    if "" in categories:
        empty = categories.index("")
        codes = np.where(codes == empty, -1, codes - (codes > empty))
        categories = (*categories[:empty], *categories[empty + 1 :])
    return hidden_column(codes, table.attribute(name).kind, ancestors_of(table, name, categories))


def ancestors_of(table: Table, name: str, categories: Sequence[Any]) -> Codes | None:
    """The labels above every category; None without a hierarchy that names them all.

    >>> from shoal import as_table
    >>> ancestors_of(as_table({"ill": ["flu"]}), "ill", ["flu"])
    """
    hierarchy = table.attribute(name).hierarchy
    known = isinstance(hierarchy, Hierarchy) and all(as_text(value) in hierarchy.node for value in categories)
    return hierarchy.ancestors[nodes_of(hierarchy, categories)] if known and categories else None


@once
def class_labels(table: Table, names: list[str]) -> Labels:
    """The class of every record: equal in all these columns.

    >>> from shoal import as_table
    >>> class_labels(as_table({"town": ["b", "a", "b"]}), ["town"]).tolist()
    [1, 0, 1]
    """
    return row_classes(code_matrix(table, names))


def code_matrix(table: Table, names: list[str]) -> Codes:
    """The codes of several columns side by side, -1 where missing.

    >>> from shoal import as_table
    >>> code_matrix(as_table({"town": ["b", "a"], "age": [30, 30]}), ["town", "age"]).tolist()
    [[1, 0], [0, 0]]
    """
    return np.column_stack([categorise(table, name)[0] for name in names])
