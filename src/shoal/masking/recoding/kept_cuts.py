"""Mondrian's regions as plain values: what a fitted recipe keeps, and how a later file falls into them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.hierarchy.tree import as_text
from shoal.masking.microaggregation.constraints import Constraint
from shoal.masking.recoding.cut_tree import CutTree, regions_in
from shoal.masking.recoding.mondrian_cuts import Axis
from shoal.table import Table, as_table
from shoal.types import Labels

Kept: TypeAlias = Mapping[str, Any]
ENTRIES = ("columns", "strata", "cuts", "members", "unknown")
NO_VALUE = "(missing)"


def kept_cuts(
    table: Table, axes: Sequence[Axis], names: list[str], labels: Labels, tree: CutTree, strata: list[str]
) -> dict[str, Any] | None:
    """The cuts and what every region holds, as text and numbers; None where a column is neither.

    `cuts` are the nodes of a tree, the strata first: a region, or a column with the first value that goes
    above and where both parts go. `members` are by column the values each region was made of: the lowest and
    the highest, or all names.
    """
    values = {name: _plain(categorise(table, name)[1]) for name in names}
    if any(known is None for known in values.values()):
        return None
    members, first_value = {}, {}
    for name, axis in zip(names, axes, strict=True):
        members[name] = _members(table, name, axis, labels, values[name] or [])
        codes = categorise(table, name)[0]
        first_value[name] = dict(zip(axis.codes.tolist(), codes.tolist(), strict=True))
    cuts: list[dict[str, Any]] = []
    for axis_number, first, below, above, region in zip(
        tree.axis, tree.first, tree.below, tree.above, tree.region, strict=True
    ):
        if axis_number < 0:
            cuts.append({"region": region})
            continue
        name = names[axis_number]
        known = values[name] or []
        start = {} if first == 1 else {"from": known[first_value[name][first]]}
        cuts.append({"column": name, **start, "below": below, "above": above})
    kept = {"columns": names, "cuts": cuts, "members": members}
    return kept | ({"strata": _stratum_rows(table, strata)} if strata else {})


def cuts_of(given: Any, names: list[str]) -> Kept:
    """Those of several kept cuts that are of these columns.

    >>> cuts_of([{"columns": ["age"]}], ["age"])
    {'columns': ['age']}
    """
    listed = [given] if isinstance(given, Mapping) else list(given)
    for kept in listed:
        check_names(kept, ENTRIES, "entry of kept cuts")
        if list(kept.get("columns", ())) == names:
            return dict(kept)
    of = [", ".join(map(str, kept.get("columns", ()))) for kept in listed]
    raise InvalidInput(
        f"The kept cuts are of the columns {' and of '.join(of)}, not of {', '.join(names)}; protect the "
        "same ones, or fit the recipe again."
    )


def with_columns_of(table: Table, released: Table, names: list[str]) -> Table:
    """The table with the released cells of these columns, of which there may be more rows.

    >>> before, after = as_table({"age": [1]}), as_table({"age": ["[1, 2]", "[1, 2]"]})
    >>> with_columns_of(before, after, ["age"]).frame["age"].to_list()
    ['[1, 2]']
    """
    if len(released) == len(table):
        return released
    cells = {name: released.cells(name)[: len(table)] for name in names}
    changed = {name: new for name, new in cells.items() if not np.array_equal(new, table.cells(name))}
    return as_table(table.assign(**changed), kinds={name: released.attribute(name).kind for name in changed})


def placed_in_cuts(
    table: Table,
    kept: Kept,
    names: list[str],
    *,
    k: int,
    strata: list[str],
    constraint: Constraint | None,
    axis_of: Callable[[Table, str], Axis],
) -> tuple[Table, Labels]:
    """The columns with a record or more for every region below them, and the region of all these rows."""
    n, (whole, of_region) = len(table), _with_regions(table, kept, names)
    axes = [axis_of(whole, name) for name in names]
    tree = _tree_of(kept, names, whole, axes, n)
    roots = _roots(table, kept, strata)
    found = regions_in(tree, [axis.codes[:n] for axis in axes], roots, k, constraint)
    used, labels = np.unique(found, return_inverse=True)
    shown = np.isin(of_region, used)
    rows = np.concatenate([np.arange(n), n + np.flatnonzero(shown)])
    return whole.take(rows), np.concatenate([labels.reshape(-1), np.searchsorted(used, of_region[shown])])


def _members(table: Table, name: str, axis: Axis, labels: Labels, known: Sequence[Any]) -> list[list[Any]]:
    """By region the values in it: all names, else those at the ends."""
    codes = categorise(table, name)[0]
    rows = np.flatnonzero(codes >= 0)
    rows = rows[np.lexsort((axis.codes[rows], labels[rows]))]
    found: list[list[Any]] = [[] for _ in range(int(labels.max()) + 1)]
    if table.attribute(name).kind == "nominal" and table.attribute(name).hierarchy is None:
        pairs = np.unique(np.column_stack([labels[rows], codes[rows]]), axis=0)
    else:
        of = labels[rows]
        change = np.flatnonzero(of[1:] != of[:-1])
        border = [0, *change.tolist(), *(change + 1).tolist(), len(of) - 1] if len(of) else []
        pairs = np.column_stack([of, codes[rows]])[np.sort(np.array(border, dtype=np.intp))]
    for region, code in pairs.tolist():
        if known[code] not in found[region]:
            found[region].append(known[code])
    return found


def _with_regions(table: Table, kept: Kept, names: list[str]) -> tuple[Table, Labels]:
    """The columns of the table, and below them rows that hold what every region was made of."""
    members = {name: list(kept["members"][name]) for name in names}
    count = {len(regions) for regions in members.values()}
    if len(count) != 1:
        raise InvalidInput(
            "The kept cuts do not name as many regions for every column; fit the recipe again."
        )
    wide = [max(1, *(len(members[name][region]) for name in names)) for region in range(count.pop())]
    columns: dict[str, Any] = {}
    for name in names:
        added = [
            value
            for held, rows in zip(members[name], wide, strict=True)
            for value in ([*held, *held[-1:] * rows][:rows] if held else [None] * rows)
        ]
        columns[name] = _joined(table, name, added, bool(kept.get("unknown")))
    whole = Table(as_table(columns).frame, tuple(table.attribute(name) for name in names))
    return whole, np.repeat(np.arange(len(wide)), wide)


def _joined(table: Table, name: str, added: list[Any], unknown: bool) -> list[Any]:
    """The cells and the added values, of one type; new names are refused unless they were allowed."""
    cells = table.cells(name).tolist()
    numbers = [isinstance(value, int | float) for value in added if value is not None]
    if any(numbers) != table.is_number(name) and numbers and any(cell is not None for cell in cells):
        raise InvalidInput(
            f"Column {name!r} holds {'text' if any(numbers) else 'numbers'}, unlike the file the cuts were "
            "kept from; read it as the same type."
        )
    attribute = table.attribute(name)
    if attribute.kind == "nominal" and attribute.hierarchy is None and not unknown:
        known = {as_text(value) for value in added if value is not None}
        for row, cell in enumerate(cells):
            if cell is not None and as_text(cell) not in known:
                raise InvalidInput(
                    f"Column {name!r} has a value at row {row} that the kept cuts do not know; mend it, or "
                    "let it join others with --unknown top."
                )
    together = [*cells, *added]
    if any(isinstance(value, float) for value in together):
        return [float(value) if isinstance(value, int) else value for value in together]
    return together


def _tree_of(kept: Kept, names: list[str], whole: Table, axes: Sequence[Axis], n: int) -> CutTree:
    """The tree with the codes that values have in this file."""
    place = {}
    for name, axis in zip(names, axes, strict=True):
        cells, codes = whole.cells(name)[n:], axis.codes[n:]
        place[name] = {as_text(c): int(code) for c, code in zip(cells, codes, strict=True) if c is not None}
    tree = CutTree()
    try:
        for node in kept["cuts"]:
            name = node.get("column")
            tree.axis.append(-1 if name is None else names.index(name))
            tree.first.append(1 if "from" not in node else place[name][as_text(node["from"])])
            tree.below.append(node.get("below", -1))
            tree.above.append(node.get("above", -1))
            tree.region.append(node.get("region", -1))
    except (KeyError, ValueError, AttributeError) as error:
        raise InvalidInput(
            "The kept cuts name a value or a column that no region has; fit the recipe again."
        ) from error
    return tree


def _roots(table: Table, kept: Kept, strata: list[str]) -> NDArray[np.intp]:
    """The node every record begins at: that of its stratum."""
    if not strata:
        return np.zeros(len(table), dtype=np.intp)
    known = {tuple(row): place for place, row in enumerate(kept.get("strata", ()))}
    found = [known.get(row, -1) for row in stratum_texts(table, strata)]
    if -1 in found:
        raise InvalidInput(
            f"Row {found.index(-1)} is in a stratum that the kept cuts do not know; leave it out, or fit the "
            "recipe again."
        )
    return np.array(found, dtype=np.intp)


def stratum_texts(table: Table, strata: Sequence[str]) -> list[tuple[str, ...]]:
    """The stratum of every record as text.

    >>> stratum_texts(as_table({"region": ["n", None]}), ["region"])
    [('n',), ('(missing)',)]
    """
    cells = [[NO_VALUE if cell is None else as_text(cell) for cell in table.cells(name)] for name in strata]
    return list(zip(*cells, strict=True))


def _stratum_rows(table: Table, strata: list[str]) -> list[list[str]]:
    """The strata in the order of their numbers."""
    codes = np.column_stack([categorise(table, name)[0] for name in strata])
    first = np.unique(codes, axis=0, return_index=True)[1]
    texts = stratum_texts(table.take(first), strata)
    return [list(row) for row in texts]


def _plain(categories: Sequence[Any]) -> list[Any] | None:
    """The categories as text, numbers and truth values, or None if they are something else."""
    found = [value.item() if isinstance(value, np.generic) else value for value in categories]
    return found if all(isinstance(value, str | bool | int | float) for value in found) else None
