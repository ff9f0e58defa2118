"""Risky combinations: which few columns together single people out, as mu-Argus lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal._check import check_count, check_names
from shoal._door import takes_frames
from shoal.encode.look_alikes import code_matrix, key_columns
from shoal.models.row_classes import row_classes
from shoal.table import Table


@takes_frames
def risky_combinations(
    table: Table,
    *,
    k: int,
    most: int = 3,
    levels: Mapping[str, int] | None = None,
    columns: Iterable[str] | None = None,
) -> pl.DataFrame:
    """For every set of a few columns how many combinations of values fewer than k records have.

    Parameters
    ----------
    table
        The file as it would be released.
    k
        A combination that fewer records have is risky; it has no default because it is the promise you make.
    most
        The largest number of columns an intruder knows at a time.
    levels
        How well a column identifies, by name: 1 most identifying, 2 more, 3 identifying, 0 not at all; 1 if
        not given. A set has one column of level 1, a second of level 2 at most, a third of level 3 at most
        and so on, as in mu-Argus.
    columns
        The columns an intruder may know; the quasi-identifiers if not given.

    Returns
    -------
    polars.DataFrame
        A row per set: `columns`, `size`, `risky` combinations, `records` that have one, and `new_records`
        that are risky in no smaller set inside it; the most records first.

    Notes
    -----
    A missing cell is no value: records with a gap in a set are left out of it, as in mu-Argus. Time
    O(n log n) a set.

    References
    ----------
    Hundepool and others: mu-ARGUS version 4.2 user's manual, Statistics Netherlands (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> people = as_table({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "a", "b"]})
    >>> found = risky_combinations(people, k=2, most=2, columns=["sex", "town"])
    >>> found.select("columns", "risky", "records", "new_records").rows()
    [('sex x town', 2, 2, 1), ('town', 1, 1, 1), ('sex', 0, 0, 0)]
    """
    check_count("k", k)
    names = key_columns(table, columns)
    known = dict.fromkeys(names, 1) | {
        name: (levels or {})[name] for name in check_names(levels or (), names)
    }
    codes = code_matrix(table, names)
    risky_in: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    rows = []
    for chosen in _sets([known[name] for name in names], check_count("most", most)):
        risky, combos = _below(codes[:, chosen], k)
        inner = [
            risky_in[part]
            for size in range(len(chosen))
            for part in combinations(chosen, size)
            if part in risky_in
        ]
        fresh = risky & ~np.any([np.zeros(len(codes), dtype=bool), *inner], axis=0)
        risky_in[chosen] = risky
        label = " x ".join(names[c] for c in chosen)
        rows.append((label, len(chosen), combos, int(risky.sum()), int(fresh.sum())))
    rows.sort(key=lambda row: (-row[3], row[1]))
    return pl.DataFrame(rows, schema=["columns", "size", "risky", "records", "new_records"], orient="row")


def _sets(levels: list[int], most: int) -> Iterator[tuple[int, ...]]:
    """Sets of columns whose levels, sorted, are at most 1, 2, 3 ...; level 0 is in none."""
    used = [column for column, level in enumerate(levels) if level > 0]
    for size in range(1, min(most, len(used)) + 1):
        for chosen in combinations(used, size):
            if all(level <= place for place, level in enumerate(sorted(levels[c] for c in chosen), 1)):
                yield chosen


def _below(codes: NDArray[np.intp], k: int) -> tuple[NDArray[np.bool_], int]:
    """Which records have a combination that fewer than k have, and how many combinations these are."""
    seen = (codes >= 0).all(axis=1)
    risky = np.zeros(len(codes), dtype=bool)
    if not seen.any():
        return risky, 0
    labels = row_classes(codes[seen])
    few = np.bincount(labels) < k
    risky[seen] = few[labels]
    return risky, int(few.sum())
