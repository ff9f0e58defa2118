"""What record swapping did: the share that moved, and every area before and after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal._check import check_names
from shoal._door import takes_frames
from shoal._shared.display import Shown
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.table import Table


@dataclass(frozen=True)
class SwapFacts(Shown):
    """Shares of moved records by area column, in percent, and records by area before and after.

    `changed_cells` is, by area column and other column, the percent of records that sit in another cell of
    the two-way table (half the sum of absolute differences of its counts): what a table of areas loses.
    """

    records: int
    moved: dict[str, float]
    areas: dict[str, list[tuple[Any, int, int]]]
    changed_cells: dict[str, dict[str, float]]

    def __str__(self) -> str:
        lines = [
            f"{share:.1f} % of the records moved to another {name}." for name, share in self.moved.items()
        ]
        for area, others in self.changed_cells.items():
            lines += [
                f"Table {area} x {other}: {share:.1f} % of the records count in another cell."
                for other, share in others.items()
            ]
        return "\n".join(lines)


@takes_frames
def swap_facts(
    original: Table, masked: Table, *, areas: Iterable[str] | str, columns: Iterable[str] | None = None
) -> SwapFacts:
    """What record swapping did to areas: shares that moved, and tables of areas before and after.

    Parameters
    ----------
    original, masked
        The two tables, row by row.
    areas
        The columns that were swapped.
    columns
        The columns tabled by area; the other quasi-identifiers if not given.

    Returns
    -------
    SwapFacts
        Prints as sentences; the records by area are in `.areas`.

    Notes
    -----
    Time O(n log n) a pair of columns.

    References
    ----------
    Shlomo, Tudor, Groom: Data swapping for protecting census tables, Privacy in Statistical Databases (2010).

    Examples
    --------
    >>> from shoal import as_table
    >>> before = as_table({"town": ["a", "b"], "job": ["cook", "spy"]}, roles={"quasi": ["town", "job"]})
    >>> print(swap_facts(before, before.assign(town=["b", "a"]), areas="town"))
    100.0 % of the records moved to another town.
    Table town x job: 100.0 % of the records count in another cell.
    """
    if len(original) != len(masked):
        raise InvalidInput(
            f"The files have {len(original)} and {len(masked)} records; they must be the same."
        )
    areas = check_names(areas, original.names())
    check_names(areas, masked.names(), what="column of the masked file")
    given = original.names(role="quasi") if columns is None else check_names(columns, original.names())
    others = [name for name in given if name not in areas]
    moved, counts, changed = {}, {}, {}
    for area in areas:
        codes, names = _codes_of_both(original, masked, area)
        before, after = codes[: len(original)], codes[len(original) :]
        width = len(names) + 1
        moved[area] = 100.0 * float(np.mean(before != after)) if len(before) else 0.0
        totals = [np.bincount(side, minlength=width).tolist() for side in (before, after)]
        rows = list(zip((None, *names), *totals, strict=True))
        counts[area] = [row for row in rows if row[0] is not None or row[1] or row[2]]
        changed[area] = {
            other: _moved_cells(before, after, categorise(original, other)[0] + 1, width) for other in others
        }
    return SwapFacts(len(original), moved, counts, changed)


def _codes_of_both(original: Table, masked: Table, name: str) -> tuple[np.ndarray, tuple[Any, ...]]:
    """Codes 0 (missing), 1, 2, ... of the column in both files, by the categories of the original."""
    mine, names = categorise(original, name)
    theirs, their_names = categorise(masked, name)
    position = {value: code + 1 for code, value in enumerate(names)}
    new = [value for value in their_names if value not in position]
    position |= {value: len(names) + 1 + code for code, value in enumerate(new)}
    lookup = np.array([position[value] for value in their_names] + [0], dtype=np.intp)
    return np.concatenate([mine + 1, lookup[theirs]]), (*names, *new)


def _moved_cells(before: np.ndarray, after: np.ndarray, other: np.ndarray, width: int) -> float:
    if not len(before):
        return 0.0
    size = width * (int(other.max()) + 1)
    counts = [np.bincount(side + width * other, minlength=size) for side in (before, after)]
    return 50.0 * float(np.abs(counts[0] - counts[1]).sum()) / len(before)
