"""The labels of codes that still mean what they meant after a recoding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from shoal.encode.categories import categorise
from shoal.hierarchy.tree import as_text
from shoal.table import Table


def labels_left(before: Table, after: Table, columns: Iterable[str]) -> Table:
    """The recoded table without labels of codes that now stand for others too: "2" may be 2 to 8 now.

    >>> from shoal.table import Attribute
    >>> import polars as pl
    >>> origin = (Attribute("origin", "nominal", value_labels={1: "here", 2: "north", 3: "south"}),)
    >>> before = Table(pl.DataFrame({"origin": [1, 2, 3]}), origin)
    >>> after = Table(pl.DataFrame({"origin": ["1", "2", "2"]}), origin)
    >>> labels_left(before, after, ["origin"]).attribute("origin").value_labels
    {'1': 'here'}
    """
    left = {name: _left(before, after, name) for name in columns if before.attribute(name).value_labels}
    return Table(
        after.frame,
        tuple(replace(a, value_labels=left[a.name]) if a.name in left else a for a in after.attributes),
    )


def _left(before: Table, after: Table, name: str) -> dict[str, str]:
    (was, old), (now, new) = categorise(before, name), categorise(after, name)
    pairs = np.unique(np.stack([now, was], axis=1)[now >= 0], axis=0).tolist()
    meant: dict[str, set[str]] = {}
    for code, original in pairs:
        meant.setdefault(as_text(new[code]), set()).add(as_text(old[original]))
    labels = {as_text(code): label for code, label in before.attribute(name).value_labels.items()}
    return {code: label for code, label in labels.items() if meant.get(code) == {code}}
