"""People of a population table with the very values of a record."""

from __future__ import annotations

from typing import Any

from shoal.hierarchy.population_table import population_table
from shoal.hierarchy.tree import as_text
from shoal.models.population_counts import people_by_record
from shoal.table import Table
from shoal.types import Matrix


def people_alike(table: Table, population: Any, names: list[str]) -> Matrix:
    """For every record its share of the people with the same values, before anything is coarsened.

    Whoever has the values of a member fits the class it is released in, so that classes stand for at least
    the sum. A missing cell fits nobody here.

    >>> from shoal import as_table
    >>> people_alike(as_table({"age": [30, 30, 41]}), as_table({"age": [30, 30, 30, 41]}), ["age"])
    array([1.5, 1.5, 1. ])
    """
    people = population_table(population, names)
    return people_by_record(_rows(table, names, "\0"), _rows(people, names, "\1"))


def _rows(table: Table, names: list[str], gap: str) -> list[tuple[str, ...]]:
    cells = [[gap if cell is None else as_text(cell) for cell in table.cells(name)] for name in names]
    return list(zip(*cells, strict=True))
