"""The desk of the worker: the table that was read, and the last protected ones."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.hierarchy import with_hierarchies
from shoal.io import read_table
from shoal.studio.plan import Plan, hierarchies_in, roles_in
from shoal.table import Table, as_table

KEPT_CELLS = 40_000_000  # of protected tables kept for undo; a cell is eight bytes or more


class Desk:
    """What the worker process remembers from one question to the next.

    >>> Desk().kept("nothing") is None
    True
    """

    def __init__(self) -> None:
        self._source: tuple[str, Table] | None = None
        self._kept: OrderedDict[str, tuple[Any, int]] = OrderedDict()

    def read(self, source: str, read: Mapping[str, Any]) -> Table:
        """The table of a file, read once."""
        mark = mark_of({"source": source, "read": read})
        if self._source is None or self._source[0] != mark:
            if not source:
                raise InvalidInput("No file is open; choose one on the page File.")
            self._source = None
            self._kept.clear()
            self._source = mark, read_table(Path(source), **read)
        return self._source[1]

    def described(self, plan: Plan) -> Table:
        """The table with the roles, kinds and hierarchies of a plan."""
        table = self.read(plan["source"], plan["read"])
        return with_hierarchies(
            as_table(table, roles=roles_in(plan), kinds=plan["kinds"]), hierarchies_in(plan)
        )

    def keep(self, mark: str, value: Any, cells: int) -> None:
        """Remember a result, and forget the oldest where they become too many."""
        self._kept[mark] = value, cells
        self._kept.move_to_end(mark)
        while len(self._kept) > 1 and sum(size for _, size in self._kept.values()) > KEPT_CELLS:
            self._kept.popitem(last=False)

    def kept(self, mark: str) -> Any:
        """The result of that mark, or None."""
        return self._kept[mark][0] if mark in self._kept else None


def mark_of(part: Mapping[str, Any]) -> str:
    """A text that is the same for the same values.

    >>> mark_of({"b": 1, "a": 2})
    '{"a": 2, "b": 1}'
    """
    return json.dumps(part, sort_keys=True)
