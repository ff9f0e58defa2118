"""Regions as values: an interval, a set of categories or a common ancestor, the same for a whole group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.encode.categories import categorise
from shoal.hierarchy.tree import as_text, common_ancestors, nodes_of
from shoal.masking.microaggregation.aggregate import Missing
from shoal.partition.labels import sizes
from shoal.table import Table, as_table
from shoal.types import Labels


def release_regions(table: Table, labels: Labels, *, missing: Missing, columns: list[str]) -> Table:
    """Replace the values of every group by what holds them all.

    Parameters
    ----------
    table, labels
        The table and the group of every record.
    missing
        As in `aggregate`.
    columns
        The columns to replace. One with a hierarchy releases the lowest common ancestor; else a numeric or
        ordinal one releases "[low, high]" and a nominal one "{a, b}", or the value itself where a group has
        one only. A column whose groups all have one value stays as it is; the others become nominal text.

    Returns
    -------
    Table

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [20, 25, 61, 61], "town": ["a", "b", "c", "c"]})
    >>> release_regions(table, np.array([0, 0, 1, 1]), missing="keep", columns=["age", "town"]).frame.rows()
    [('[20, 25]', '{a, b}'), ('[20, 25]', '{a, b}'), ('61', 'c'), ('61', 'c')]
    """
    released = {name: _regions_of(table, name, labels, missing) for name in columns}
    changed = {name: values for name, values in released.items() if values is not None}
    return as_table(table.assign(**changed), kinds=dict.fromkeys(changed, "nominal"))


def _regions_of(table: Table, name: str, labels: Labels, missing: Missing) -> NDArray[Any] | None:
    codes, categories = categorise(table, name)
    seen = codes >= 0
    count = len(sizes(labels))
    low, high = np.full(count, len(categories)), np.full(count, -1)
    np.minimum.at(low, labels[seen], codes[seen])
    np.maximum.at(high, labels[seen], codes[seen])
    gone = ~seen
    mixed = np.bincount(labels, weights=gone, minlength=count) > 0
    if (low >= high).all() and (missing == "keep" or not (mixed & (high >= 0)).any()):
        return None
    texts = _texts(table, name, codes, categories, labels, low, high)
    released = texts[labels]
    if missing in ("together", "suppress"):
        gone = mixed[labels]
    if missing != "fill":
        released[gone] = None
    return released


def _texts(
    table: Table,
    name: str,
    codes: NDArray[np.intp],
    categories: tuple[Any, ...],
    labels: Labels,
    low: NDArray[np.intp],
    high: NDArray[np.intp],
) -> NDArray[Any]:
    """What every group releases; None where nothing was observed."""
    attribute = table.attribute(name)
    texts = np.full(len(low), None, dtype=object)
    known = np.array([as_text(category) for category in categories] + [None], dtype=object)
    single = low == high
    texts[single] = known[low[single]]
    wide = np.flatnonzero(low < high)
    seen = codes >= 0
    if attribute.hierarchy is not None:
        nodes = nodes_of(attribute.hierarchy, categories)
        found = common_ancestors(attribute.hierarchy, nodes[codes[seen]], labels[seen])
        texts[wide] = np.array(attribute.hierarchy.labels, dtype=object)[found[wide]]
    elif attribute.kind == "nominal":
        inside = seen & (low < high)[labels]
        pairs = np.unique(labels[inside] * len(categories) + codes[inside])
        groups, members = np.divmod(pairs, len(categories))
        parts = np.split(known[members], np.flatnonzero(np.diff(groups)) + 1)
        texts[wide] = ["{" + ", ".join(part) + "}" for part in parts if len(part)]
    else:
        texts[wide] = [f"[{known[a]}, {known[b]}]" for a, b in zip(low[wide], high[wide], strict=True)]
    return texts
