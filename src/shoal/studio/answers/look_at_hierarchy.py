"""A hierarchy on the file: its levels with their groups, the smallest, and who is alone if it is used."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.hierarchy import (
    Hierarchy,
    as_hierarchy,
    hierarchy_by_similarity,
    hierarchy_from_quantiles,
    hierarchy_from_rows,
    level_counts,
    with_hierarchies,
    write_hierarchy,
)
from shoal.hierarchy.builders import TOP
from shoal.masking import global_recode
from shoal.studio.answers.count_risk import known_to_others, sizes_of
from shoal.studio.answers.desk import Desk
from shoal.studio.plan import Plan
from shoal.table import Table
from shoal.types import Callback, Progress

RULES = ("widths", "cuts", "prefixes", "dates")  # they also make sense for next year's values
EDITED = 200  # values that can be grouped by hand
DRAWN = 300  # rows of the tree
Given = Mapping[str, Any]  # {way: what was said}


def look_at_hierarchy(
    desk: Desk, tell: Callback, *, plan: Plan, column: str, given: Given | None
) -> dict[str, Any]:
    """The levels of a hierarchy that is not kept yet, or the values of a column that has none."""
    table = desk.described(plan)
    cells = table.column(column).tolist()
    made = hierarchy_from_rows(_bare(cells)) if given is None else made_of(table, column, given)
    counts = level_counts(made, cells)
    records = [dict(zip(one.labels, one.records, strict=True)) for one in counts]
    keys = known_to_others(table)
    grown = with_hierarchies(table, {column: made})
    levels = []
    for one in counts[: 1 if given is None else -1 if made.height else None]:
        tell(Progress(one.level / (made.height + 1), "counting every level"))
        alone = _alone(grown, column, one.level, keys) if column in keys else None
        levels.append(
            {"level": one.level, "groups": len(one.labels), "smallest": one.smallest, "alone": alone}
        )
    return {
        "levels": levels,
        "tree": tree_of(made, records),
        "rows": _rows(made, records[0]) if len(made.paths) <= EDITED else [],
        "values": len(made.paths),
    }


def keep_hierarchy(
    desk: Desk, tell: Callback, *, plan: Plan, column: str, given: Given, folder: str
) -> dict[str, Any]:
    """Write a hierarchy into the project as csv; the plan holds its rule, or the name of that file."""
    table = desk.described(plan)
    made = made_of(table, column, given)
    level_counts(made, table.column(column).tolist())
    text = "\n".join(";".join(path) for path in made.paths)
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    safe = "".join(letter if letter.isalnum() else "-" for letter in column)[:40]
    name = f"hierarchies/{safe}-{mark}.csv"  # another one gets another name, so that undo finds the old one
    target = Path(folder) / name
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_hierarchy(made, target, overwrite=True)
    way = next(iter(given))
    return {"column": column, "given": dict(given) if way in RULES else name, "file": name}


def made_of(table: Table, column: str, given: Given) -> Hierarchy:
    """The hierarchy that was asked for.

    >>> from shoal import as_table
    >>> made_of(as_table({"age": [18, 35]}), "age", {"widths": [10]}).paths[0]
    ('18', '[10, 20)', '*')
    """
    way, said = next(iter(given.items()))
    values = [value for value in table.column(column).tolist() if value is not None and value == value]
    if way == "quantiles":
        return hierarchy_from_quantiles(values, said)
    if way == "similar":
        return hierarchy_by_similarity(table, column, said)
    if way == "table":
        return hierarchy_from_rows(_filled(said))
    if way == "file":
        return as_hierarchy(said, dict.fromkeys(values))
    return as_hierarchy({way: said}, dict.fromkeys(values))


def tree_of(made: Hierarchy, records: Sequence[Mapping[str, int]]) -> list[dict[str, Any]]:
    """The labels from the top down, each under its parent, with its records; the first of them if many.

    >>> from shoal.hierarchy import hierarchy_from_rows
    >>> made = hierarchy_from_rows([["a", "ab", "*"], ["b", "ab", "*"]])
    >>> [(row["depth"], row["label"]) for row in tree_of(made, [{"a": 1, "b": 2}, {"ab": 3}, {"*": 3}])]
    [(0, 'ab'), (1, 'a'), (1, 'b')]
    """
    shown: list[dict[str, Any]] = []
    before: tuple[str, ...] = ()
    for path in made.paths:
        for level in range(made.height - 1, -1, -1):
            again = before[level:] == path[level:] or (
                level < made.height - 1 and path[level] == path[level + 1]
            )
            if not again:
                count = records[level].get(path[level], 0)
                depth = made.height - 1 - level
                shown.append({"label": path[level], "level": level, "depth": depth, "records": count})
        before = path
        if len(shown) >= DRAWN:
            break
    return shown[:DRAWN]


def _alone(table: Table, column: str, level: int, keys: list[str]) -> int:
    recoded = global_recode(table, levels={column: level}) if level else table
    return sizes_of(recoded, keys).get(1, 0)


def _bare(cells: list[Any]) -> list[tuple[Any, str]]:
    values = dict.fromkeys(value for value in cells if value is not None and value == value)
    if not values:
        raise InvalidInput("The column has no value, so there is nothing to group.")
    return [(value, TOP) for value in values]


def _rows(made: Hierarchy, records: Mapping[str, int]) -> list[dict[str, Any]]:
    """What the table for grouping by hand shows."""
    return [
        {"value": path[0], "labels": list(path[1:-1]), "records": records.get(path[0], 0)}
        for path in made.paths
    ]


def _filled(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Rows as typed: a blank stays what it was one level below, and one label covers all."""
    filled = []
    for row in rows:
        line = [row[0]]
        for label in row[1:]:
            line.append(label.strip() or line[-1])
        filled.append([*line, TOP])
    return filled
