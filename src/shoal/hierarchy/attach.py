"""Hierarchies as part of a table: which column generalises how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from shoal._check import check_choice, check_names
from shoal._door import takes_frames
from shoal.errors import InvalidInput
from shoal.hierarchy.hierarchy_files import as_hierarchy
from shoal.hierarchy.tree import Hierarchy, as_text
from shoal.table import Table


@takes_frames
def with_hierarchies(
    table: Table, hierarchies: Mapping[str, Any] | None, *, unnamed: Literal["refuse", "leave"] = "refuse"
) -> Table:
    """Say how columns generalise: the same table, its attributes with hierarchies.

    Parameters
    ----------
    table
        The table.
    hierarchies
        By column name, whatever `as_hierarchy` takes: a `Hierarchy`, the name of a csv file, or a mapping,
        e.g. ``{"widths": [5, 10, 20]}``.
    unnamed
        A column with a value that its hierarchy does not name is refused, or, "leave", left without it, as
        the means of a masked file are.

    Returns
    -------
    Table
        A nominal column with a hierarchy is compared by `semantic_distance`; numeric and ordinal ones keep
        their own distance and use the hierarchy only to generalise.

    Raises
    ------
    InvalidInput
        If a column has a value that its hierarchy does not name; the sentence gives the row.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = with_hierarchies(as_table({"age": [18, 35]}), {"age": {"widths": [10]}})
    >>> table.attribute("age").hierarchy
    Hierarchy of 2 values and 2 levels above them
    """
    check_choice("unnamed", unnamed, ("refuse", "leave"))
    names = check_names(hierarchies or (), table.names())
    found = {name: _fitting(table, name, hierarchies[name], unnamed) for name in names} if hierarchies else {}
    attributes = tuple(replace(a, hierarchy=found.get(a.name) or a.hierarchy) for a in table.attributes)
    return Table(table.frame, attributes)


@takes_frames
def hierarchy_of(table: Table, name: str) -> Hierarchy:
    """The hierarchy of a column, or a sentence that asks for it.

    >>> from shoal import as_table
    >>> table = with_hierarchies(as_table({"age": [18, 35]}), {"age": {"widths": [10]}})
    >>> hierarchy_of(table, "age").height
    2
    """
    hierarchy = table.attribute(name).hierarchy
    if not isinstance(hierarchy, Hierarchy):
        raise InvalidInput(
            f"Column {name!r} has no hierarchy; say how it generalises, e.g. "
            f"hierarchies={{{name!r}: {{'widths': [5, 10]}}}} or the name of a csv file (on the command line "
            "`--hierarchies FOLDER`, with a csv file that `shoal hierarchy make` writes)."
        )
    return hierarchy


def _fitting(table: Table, name: str, given: Any, unnamed: str) -> Hierarchy | None:
    values = table.column(name).tolist()
    try:
        present = {value: None for value in values if value is not None and value == value}
    except TypeError:  # lists and the like
        raise InvalidInput(
            f"Column {name!r} holds values that no hierarchy can name; make them text first."
        ) from None
    hierarchy = as_hierarchy(given, present)
    unknown = {value for value in present if as_text(value) not in hierarchy.node}
    if unknown and unnamed == "leave":
        return None
    if unknown:
        file = f" {Path(given).name!r}" if isinstance(given, str | Path) else ""
        row = next(row for row, value in enumerate(values) if value in unknown)
        raise InvalidInput(
            f"Column {name!r} has a value at row {row} that its hierarchy{file} does not name; add it there."
        )
    return hierarchy
