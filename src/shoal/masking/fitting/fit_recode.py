"""What global recoding learns: hierarchies that were built or read become part of the recipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.hierarchy import hierarchy_of, with_hierarchies
from shoal.table import Table

RULES = {"cuts", "widths", "prefixes", "dates"}  # made anew for the values of any file, in the same way


def fit_global_recode(table: Table, **options: Any) -> dict[str, Any]:
    """The hierarchies of the recoded columns, row by row, where they are not a rule that fits any file.

    >>> from shoal import as_table
    >>> fit_global_recode(as_table({"age": [18]}), levels={"age": 1}, hierarchies={"age": {"widths": [10]}})
    {'hierarchies': {'age': {'widths': [10]}}}
    """
    given = options.get("hierarchies") or {}
    whole = with_hierarchies(table, given)
    kept: dict[str, Any] = {}
    for name in options.get("levels") or ():
        said = given.get(name)
        if isinstance(said, Mapping) and set(said) <= RULES:
            kept[name] = dict(said)
        else:
            kept[name] = {"rows": [list(path) for path in hierarchy_of(whole, name).paths]}
    return {"hierarchies": kept} if kept else {}
