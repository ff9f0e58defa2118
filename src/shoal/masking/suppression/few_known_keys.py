"""Suppression against who knows a few of the keys: every set of so many columns reaches k."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from shoal.masking.suppression.resplit import fewer_cells
from shoal.masking.suppression.wildcards import Codes, Mask, suppress_strictly
from shoal.models.row_classes import row_classes
from shoal.types import Matrix


def suppress_subsets(codes: Codes, k: int, weights: Matrix, most: int) -> Mask:
    """Cells to suppress so that in any `most` columns every record looks like k, a gap being a value.

    Two ways in, and the lighter one is taken: all columns reach k together, or sets of columns take turns
    until none has a record without company. Then cells are restored where no set needs them.
    """
    subsets = list(combinations(range(codes.shape[1]), min(most, codes.shape[1])))
    together = fewer_cells(codes, suppress_strictly(codes, k, weights), k, weights)
    ways = (together, _in_turns(codes, k, weights, subsets))
    found = [restore_subsets(codes, mask, k, weights, subsets) for mask in ways]
    return min(found, key=lambda mask: float((mask @ weights).sum()))


def _in_turns(codes: Codes, k: int, weights: Matrix, subsets: list[tuple[int, ...]]) -> Mask:
    mask = np.zeros(codes.shape, dtype=bool)
    changed = True
    while changed:
        changed = False
        for subset in map(list, subsets):
            part = np.where(mask[:, subset], -1, codes[:, subset])
            labels = row_classes(part)
            if (np.bincount(labels) >= k).all():
                continue
            mask[:, subset] |= suppress_strictly(part, k, weights[subset])
            changed = True
    return mask


def restore_subsets(
    codes: Codes, mask: Mask, k: int, weights: Matrix, subsets: list[tuple[int, ...]]
) -> Mask:
    """Restore cells, the heaviest columns first, while every set of columns keeps k."""
    released = np.where(mask, -1, codes)
    counted = _Counted(released, subsets)
    changed = bool(mask.any())
    while changed:
        changed = False
        for column in np.argsort(-weights, kind="stable").tolist():
            rows = np.flatnonzero((released[:, column] < 0) & (codes[:, column] >= 0))
            if not len(rows):
                continue
            wanted = released[rows].copy()
            wanted[:, column] = codes[rows, column]
            groups = row_classes(wanted)
            for members in np.split(
                rows[np.argsort(groups, kind="stable")], np.cumsum(np.bincount(groups))[:-1]
            ):
                old, value = released[members[0]].copy(), int(codes[members[0], column])
                back = len(members) if counted.move(old, column, value, len(members), k) else 0
                while back < len(members) and counted.move(old, column, value, 1, k):
                    back += 1
                released[members[:back], column] = value
                changed |= back > 0
    return np.asarray((released < 0) & (codes >= 0))


class _Counted:
    """How many records look alike in every set of columns, kept up to date."""

    def __init__(self, released: Codes, subsets: list[tuple[int, ...]]) -> None:
        self.by_column: dict[int, list[tuple[tuple[int, ...], dict[tuple[int, ...], int]]]] = {}
        for subset in subsets:
            rows, counts = np.unique(released[:, subset], axis=0, return_counts=True)
            found = dict(zip(map(tuple, rows.tolist()), counts.tolist(), strict=True))
            for column in subset:
                self.by_column.setdefault(column, []).append((subset, found))

    def move(self, old: Codes, column: int, value: int, size: int, k: int) -> bool:
        """Give so many records of one released row this value, if every set of columns keeps k."""
        steps = []
        for subset, found in self.by_column[column]:
            before = tuple(int(old[c]) for c in subset)
            after = tuple(value if c == column else code for c, code in zip(subset, before, strict=True))
            left = found[before] - size
            if 0 < left < k or found.get(after, 0) + size < k:
                return False
            steps.append((found, before, after))
        for found, before, after in steps:
            found[before] -= size
            found[after] = found.get(after, 0) + size
        return True
