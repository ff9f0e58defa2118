"""What a recoding by search learns: the level of every column, and the hierarchies it was found in."""

from __future__ import annotations

import inspect
from typing import Any

from shoal.masking.fitting import kept_hierarchies
from shoal.search.recoding.recode_to_k import find_recoding
from shoal.table import Table
from shoal.types import Callback


def fit_recode_to_k(table: Table, *, callback: Callback | None = None, **options: Any) -> dict[str, Any]:
    """The levels that were found as the only ones allowed, so that the next file is recoded alike.

    Local recoding has no levels: its classes are those of every file itself.

    >>> from shoal import as_table
    >>> people = as_table({"age": [21, 25, 34, 38]}, roles={"quasi": "age"})
    >>> fit_recode_to_k(people, k=2, hierarchies={"age": {"widths": [10, 20]}})
    {'levels': {'age': 1}, 'hierarchies': {'age': {'widths': [10, 20]}}}
    """
    if options.get("scheme", "global") == "local":
        return {}
    known = inspect.signature(find_recoding).parameters
    given = {name: value for name, value in options.items() if name in known}
    found = find_recoding(table, **given, callback=callback)
    levels = dict(found.levels or {})
    kept = kept_hierarchies(table, options.get("hierarchies"), levels)
    return {"levels": levels} | ({"hierarchies": kept} if kept else {})
