"""Keys of linked tables: every child record finds its parent, and both get new numbers in step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.hierarchy.tree import as_text
from shoal.masking import number_randomly
from shoal.masking.cells import cells_of
from shoal.table import Table
from shoal.workflow.project.project import Join

Rows = NDArray[np.intp]


def parent_rows(join: Join, child: Table, parent: Table) -> Rows:
    """For every record of the child the row of its parent.

    >>> from shoal import as_table
    >>> homes, persons = as_table({"id": [7, 8]}), as_table({"home": [8, 7, 8]})
    >>> parent_rows(Join("persons", "home", "homes", "id"), persons, homes)
    array([1, 0, 1])
    """
    check_names(join.child_column, child.names(), what=f"column of {join.child}")
    check_names(join.parent_column, parent.names(), what=f"column of {join.parent}")
    place: dict[str, int] = {}
    for row, value in enumerate(cells_of(parent, join.parent_column)):
        if value is None:
            raise InvalidInput(f"Column {join.parent_column!r} of {join.parent} has a gap at row {row}.")
        if place.setdefault(as_text(value), row) != row:
            raise InvalidInput(
                f"Column {join.parent_column!r} of {join.parent} names a record twice, at rows "
                f"{place[as_text(value)]} and {row}; the parent of a join needs one record per key."
            )
    found = np.empty(len(child), dtype=np.intp)
    for row, value in enumerate(cells_of(child, join.child_column)):
        found[row] = -1 if value is None else place.get(as_text(value), -1)
        if found[row] < 0:
            raise InvalidInput(
                f"Column {join.child_column!r} of {join.child} has no partner in {join.parent} at row {row}; "
                "mend the key or leave the record out."
            )
    return found


def with_parent(child: Table, parent: Table, rows: Rows, columns: Iterable[str]) -> Table:
    """The child with these columns of its parents, in place of its own of the same name or added to it.

    >>> from shoal import as_table
    >>> homes, persons = as_table({"town": ["a", "b"]}), as_table({"age": [4, 5]})
    >>> with_parent(persons, homes, np.array([1, 1]), ["town"]).frame["town"].to_list()
    ['b', 'b']
    """
    frame, above = nw.from_native(child.frame, eager_only=True), nw.from_native(parent.frame, eager_only=True)
    attributes = {a.name: a for a in child.attributes}
    added = []
    for name in columns:
        added.append(nw.new_series(name, above[name][rows.tolist()].to_list(), backend=frame.implementation))
        attributes[name] = parent.attribute(name)
    return Table(frame.with_columns(*added).to_native(), tuple(attributes.values()))


def numbered_in_step(
    tables: Mapping[str, Table], joins: Iterable[Join], rng: np.random.Generator
) -> dict[str, Table]:
    """All tables with new random numbers in their keys, the same number for the same record everywhere.

    >>> from shoal import as_table
    >>> tables = {"homes": as_table({"id": ["x"]}), "persons": as_table({"home": ["x", "x"]})}
    >>> join = Join("persons", "home", "homes", "id")
    >>> done = numbered_in_step(tables, [join], np.random.default_rng(1))
    >>> done["homes"].frame["id"][0] == done["persons"].frame["home"][0] != "x"
    True
    """
    done = dict(tables)
    keys: dict[tuple[str, str], int] = {}
    for join in joins:
        for name, column in ((join.parent, join.parent_column), (join.child, join.child_column)):
            keys.setdefault((name, column), len(keys))
    for linked in _linked(list(keys), list(joins)):
        known: dict[str, int] = {}
        for name, column in linked:
            done[name], known = number_randomly(done[name], known=known, columns=column, rng=rng)
    return done


def _linked(keys: list[tuple[str, str]], joins: list[Join]) -> list[list[tuple[str, str]]]:
    """Columns that name the same records, directly or by way of others."""
    group = {key: {key} for key in keys}
    for join in joins:
        both = group[join.parent, join.parent_column] | group[join.child, join.child_column]
        group |= dict.fromkeys(both, both)
    return [sorted(found) for found in {frozenset(found) for found in group.values()}]


def joined_cells(child: pl.DataFrame, parent: pl.DataFrame, join: Join, columns: list[str]) -> pl.DataFrame:
    """What an intruder joins from two written files: the child's cells and these of its parent.

    >>> persons, homes = pl.DataFrame({"home": ["1", "1"]}), pl.DataFrame({"id": ["1"], "town": ["a"]})
    >>> joined_cells(persons, homes, Join("p", "home", "h", "id"), ["town"]).rows()
    [('1', 'a'), ('1', 'a')]
    """
    above = parent.select(pl.col(join.parent_column).alias(join.child_column), *(pl.col(c) for c in columns))
    mine = child.drop([name for name in columns if name in child.columns])
    return mine.join(above, on=join.child_column, how="left", maintain_order="left")
