"""A table of everybody, or the name of its file: whom released cells may stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.io import read_table
from shoal.table import Table, as_table


def population_table(given: Any, names: list[str]) -> Table:
    """The population table itself, or read from a file; it needs these columns.

    >>> population_table(as_table({"age": [30, 41]}), ["age"]).names()
    ['age']
    """
    people = read_table(Path(given)) if isinstance(given, str | Path) else as_table(given)
    check_names(names, people.names(), what="column of the population table")
    if not len(people):
        raise InvalidInput("The population table has no records.")
    return people
