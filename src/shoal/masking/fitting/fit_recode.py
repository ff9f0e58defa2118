"""What global recoding learns: hierarchies that were built or read become part of the recipe."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from shoal._door import takes_frames
from shoal.hierarchy import hierarchy_of, with_hierarchies
from shoal.table import Table

RULES = {"cuts", "widths", "prefixes", "dates"}  # made anew for the values of any file, in the same way


@takes_frames
def fit_global_recode(table: Table, **options: Any) -> dict[str, Any]:
    """The hierarchies of the recoded columns, row by row, where they are not a rule that fits any file.

    >>> from shoal import as_table
    >>> fit_global_recode(as_table({"age": [18]}), levels={"age": 1}, hierarchies={"age": {"widths": [10]}})
    {'hierarchies': {'age': {'widths': [10]}}}
    """
    kept = kept_hierarchies(table, options.get("hierarchies"), options.get("levels") or ())
    return {"hierarchies": kept} if kept else {}


@takes_frames
def kept_hierarchies(table: Table, given: Mapping[str, Any] | None, names: Collection[str]) -> dict[str, Any]:
    """The hierarchies given for these columns as a recipe can hold them: a rule, or all values with parents.

    >>> from shoal import as_table
    >>> kept_hierarchies(as_table({"sex": ["f", "m"]}), None, ["sex"])
    {}
    """
    said = {name: hierarchy for name, hierarchy in (given or {}).items() if name in names}
    whole = with_hierarchies(table, said)
    kept: dict[str, Any] = {}
    for name in names:
        mine = said.get(name)
        if isinstance(mine, Mapping) and set(mine) <= RULES:
            kept[name] = dict(mine)
        elif name in said:
            kept[name] = {"rows": [list(path) for path in hierarchy_of(whole, name).paths]}
    return kept
