"""Which columns an intruder knows and which should stay unknown, for the attribute disclosure risks."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.errors import NotApplicable
from shoal.measures.compared_columns import compared_columns
from shoal.table import Table


def keys_and_confidential(
    original: Table, masked: Table, columns: Iterable[str] | None
) -> tuple[list[str], list[str]]:
    """The compared columns that are not confidential, and the confidential ones the masked file still has.

    >>> from shoal import as_table
    >>> table = as_table({"age": [30], "ill": ["flu"]}, roles={"quasi": "age", "confidential": "ill"})
    >>> keys_and_confidential(table, table, None)
    (['age'], ['ill'])
    """
    names = compared_columns(original, masked, columns)
    confidential = [name for name in original.names(role="confidential") if name in masked.names()]
    if not confidential:
        raise NotApplicable("No column of the masked file has the role confidential.")
    keys = [name for name in names if name not in confidential]
    if not keys:
        raise NotApplicable("Every compared column is confidential, so an intruder knows none.")
    return keys, confidential
