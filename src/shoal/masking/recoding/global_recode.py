"""Global recoding: every value of a column is replaced by a coarser one, in the same way in all records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names, check_number
from shoal._door import takes_frames
from shoal._shared.options import reported
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput, NotApplicable
from shoal.hierarchy import Hierarchy, hierarchy_from_rows, hierarchy_of, with_hierarchies
from shoal.hierarchy.builders import interval_labels
from shoal.hierarchy.tree import as_text, check_level, nodes_of
from shoal.masking.recoding.labels_left import labels_left
from shoal.masking.takes_where import takes_where
from shoal.table import Table, as_table
from shoal.types import Callback, Kind

# the new text of every category of a column (None: it stays as it is), and the new order (empty: nominal)
Recoding = tuple[list[str] | None, tuple[str, ...]]


@takes_where
@takes_frames
def global_recode(
    table: Table,
    *,
    levels: Mapping[str, int] | None = None,
    cuts: Mapping[str, Sequence[float]] | None = None,
    merge: Mapping[str, Mapping[str, Iterable[Any]]] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    callback: Callback | None = None,
) -> Table:
    """Replace values by coarser ones: levels of a hierarchy, intervals, or merged categories.

    Parameters
    ----------
    table
        The table to protect.
    levels
        By column name, the level of its hierarchy to release: 0 leaves it as it is.
    cuts
        By name of a numeric column, ascending cut points: [20, 40] gives "< 20", "[20, 40)" and ">= 40".
    merge
        By column name, what a new category is made of: ``{"town": {"coast": ["Vigo", "Gijon"]}}``; categories
        that are not named stay.
    hierarchies
        How columns generalise, see `shoal.hierarchy.with_hierarchies`; those the table has need not be said.
    callback
        Called with `Progress` before every column;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order. Recoded columns become text: ordinal where the new categories follow the order
        of the old ones (intervals always do), else nominal.

    Raises
    ------
    InvalidInput
        If a value is not named by its hierarchy, or a merge names a category the column does not have.

    Notes
    -----
    Missing cells stay missing. The same options recode the next file in the same way. Time O(n) a column.

    References
    ----------
    Samarati, Sweeney: Protecting privacy when disclosing information, SRI-CSL-98-04 (1998).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [18, 35, 70], "town": ["Vigo", "Lugo", "Gijon"]})
    >>> coast = {"coast": ["Vigo", "Gijon"]}
    >>> global_recode(table, cuts={"age": [20, 65]}, merge={"town": coast}).frame.rows()
    [('< 20', 'coast'), ('[20, 65)', 'Lugo'), ('>= 65', 'coast')]
    """
    table = with_hierarchies(table, hierarchies)
    wanted = [*(levels or {}), *(cuts or {}), *(merge or {})]
    if not wanted:
        raise InvalidInput("Nothing to recode; give `levels`, `cuts` or `merge` for at least one column.")
    check_names(wanted, table.names())
    for name in wanted:
        if table.attribute(name).role == "identifier":
            raise InvalidInput(
                f"Column {name!r} is an identifier: drop it on release instead of recoding it."
            )
    changed: dict[str, NDArray[Any]] = {}
    kinds: dict[str, Kind | tuple[str, ...]] = {}
    for name in reported(wanted, callback):
        codes, categories = categorise(table, name)
        if levels and name in levels:
            texts, order = _to_level(table, name, categories, levels[name])
        elif cuts and name in cuts:
            texts, order = _into_intervals(table, name, categories, cuts[name])
        else:
            texts, order = _merged(table, name, categories, (merge or {})[name])
        if texts is not None:
            changed[name] = np.array([*texts, None], dtype=object)[codes]
            kinds[name] = order or "nominal"
    merged = {name: _merge_hierarchy(table, name, changed[name]) for name in merge or {} if name in changed}
    recoded = as_table(table.assign(**changed), kinds=kinds)
    attributes = tuple(replace(a, hierarchy=merged.get(a.name, a.hierarchy)) for a in recoded.attributes)
    return labels_left(table, Table(recoded.frame, attributes), changed)


def _merge_hierarchy(table: Table, name: str, released: NDArray[Any]) -> Hierarchy | None:
    """What the new categories stand for, so that whoever measures the file knows."""
    codes, categories = categorise(table, name)
    first = {int(code): row for row, code in reversed(list(enumerate(codes.tolist()))) if code >= 0}
    rows = [[as_text(categories[code]), released[row], "*"] for code, row in sorted(first.items())]
    return hierarchy_from_rows(rows) if rows else None


def _to_level(table: Table, name: str, categories: tuple[Any, ...], level: int) -> Recoding:
    hierarchy = hierarchy_of(table, name)
    if check_level(hierarchy, level, f"level of {name}") == 0:
        return None, ()
    found = hierarchy.ancestors[nodes_of(hierarchy, categories), level]
    texts = [hierarchy.labels[node] for node in found]
    return texts, _order(table, name, texts)


def _into_intervals(table: Table, name: str, categories: tuple[Any, ...], cuts: Sequence[float]) -> Recoding:
    if not table.is_number(name) or table.attribute(name).kind == "nominal":
        raise NotApplicable(
            f"Column {name!r} is not numeric, so cut points make no sense; use levels or merge."
        )
    points = [check_number(f"cuts of {name}", cut, -np.inf) for cut in cuts]
    if not points or any(low >= high for low, high in pairwise(points)):
        raise InvalidInput(f"The cut points of column {name!r} must ascend; sort them.")
    labels = interval_labels(points)
    texts = labels[np.searchsorted(points, np.array(categories, dtype=np.float64), side="right")]
    return texts.tolist(), tuple(labels)


def _merged(
    table: Table, name: str, categories: tuple[Any, ...], groups: Mapping[str, Iterable[Any]]
) -> Recoding:
    texts = [as_text(category) for category in categories]
    new: dict[str, str] = {}
    for label, members in groups.items():
        for member in map(as_text, [members] if isinstance(members, str) else members):
            if member not in texts:
                raise InvalidInput(
                    f"`merge` names {member!r} for column {name!r}, which has no such category."
                )
            if new.setdefault(member, label) != label:
                raise InvalidInput(f"`merge` puts {member!r} of column {name!r} into two categories.")
    recoded = [new.get(text, text) for text in texts]
    return recoded, _order(table, name, recoded)


def _order(table: Table, name: str, texts: list[str]) -> tuple[str, ...]:
    """The order of the new categories, if the old ones had one and the new ones do not break it."""
    runs = [text for position, text in enumerate(texts) if position == 0 or texts[position - 1] != text]
    ordered = table.attribute(name).kind != "nominal" and len(set(runs)) == len(runs)
    return tuple(runs) if ordered else ()
