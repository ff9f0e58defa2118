"""The levels of a hierarchy on a file: how many labels each has, and how few records share one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.errors import InvalidInput
from shoal.hierarchy.tree import Hierarchy, as_text
from shoal.types import Labels


@dataclass(frozen=True)
class LevelCounts:
    """One level: its labels that occur, with the records of each, in the order of the hierarchy.

    >>> LevelCounts(1, ("young", "old"), (3, 1)).smallest
    1
    """

    level: int
    labels: tuple[str, ...]
    records: tuple[int, ...]

    @property
    def smallest(self) -> int:
        """Records of the rarest label; 0 where the file has none."""
        return min(self.records, default=0)


def level_counts(hierarchy: Hierarchy, column: Iterable[Any]) -> list[LevelCounts]:
    """How many records every label of every level stands for.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    column
        The values of the column; None and NaN are passed over.

    Returns
    -------
    list of LevelCounts
        Level 0, the values, first.

    Raises
    ------
    InvalidInput
        If a value is not named; the sentence gives its position.

    Notes
    -----
    A value that is a label itself counts for its own and all higher levels, and as itself below. Time O(n +
    values x levels).

    Examples
    --------
    >>> from shoal.hierarchy import hierarchy_from_widths
    >>> found = level_counts(hierarchy_from_widths([18, 19, 35], [10]), [18, 19, 35, None])
    >>> [(one.labels, one.records) for one in found[1:]]
    [(('[10, 20)', '[30, 40)'), (2, 1)), (('*',), (3,))]
    """
    places: dict[Any, int] = {}
    counts: dict[int, int] = {}
    for row, value in enumerate(column):
        if value is None or value != value:
            continue
        if value not in places:
            text = as_text(value)
            if text not in hierarchy.node:
                raise InvalidInput(f"The hierarchy does not name the value at row {row}; add a row for it.")
            places[value] = hierarchy.node[text]
        counts[places[value]] = counts.get(places[value], 0) + 1
    nodes: Labels = np.array(sorted(counts), dtype=np.intp)
    weights = np.array([counts[node] for node in nodes.tolist()], dtype=np.intp)
    found = []
    for level in range(hierarchy.height + 1):
        above, place = np.unique(hierarchy.ancestors[nodes, level], return_inverse=True)
        records = np.bincount(place.reshape(-1), weights=weights, minlength=len(above)).astype(int)
        labels = tuple(hierarchy.labels[node] for node in above.tolist())
        found.append(LevelCounts(level, labels, tuple(records.tolist())))
    return found
