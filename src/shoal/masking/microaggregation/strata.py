"""Strata: classes of records that a masker treats apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from shoal._check import check_names
from shoal.encode.categories import categorise
from shoal.errors import Infeasible
from shoal.masking.households.household_variables import household_of
from shoal.models.classes import distinct_counts
from shoal.partition.labels import sizes
from shoal.table import Table
from shoal.types import Labels

F = TypeVar("F", bound=Callable[..., Any])


def strata_of(table: Table, strata: Iterable[str] | str | None) -> Labels:
    """The stratum of every record as 0..s-1; a missing value is a class of its own.

    >>> from shoal import as_table
    >>> strata_of(as_table({"region": ["north", "south", "north"]}), "region")
    array([0, 1, 0])
    """
    names = [] if strata is None else check_names(strata, table.names())
    if not names or not len(table):
        return np.zeros(len(table), dtype=np.intp)
    codes = np.column_stack([categorise(table, name)[0] for name in names])
    return np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1)


def check_strata(stratum: Labels, k: int, homes: Labels | None = None) -> None:
    """Refuse strata of fewer than k records, or households where given: nobody could hide there."""
    counts = sizes(stratum) if homes is None else distinct_counts(stratum, homes)
    counted = "records" if homes is None else "households"
    small = np.flatnonzero(counts < k)
    if len(small):
        row = int(np.argmax(stratum == small[0]))
        raise Infeasible(
            f"{len(small)} of {len(counts)} strata have fewer than k = {k} {counted} (the one of row {row} "
            f"has {counts[small[0]]}); merge strata or lower k."
        )


def zeros_apart(table: Table, columns: list[str], stratum: Labels, k: int) -> Labels:
    """Strata parted by which of the columns are zero; patterns that fewer than k have stay together.

    Where those who stay together are fewer than k themselves, the smallest pattern that is large enough joins
    them. What is counted are households where there are any.

    >>> from shoal import as_table
    >>> table = as_table({"pay": [0, 0, 5, 6, 7]})
    >>> zeros_apart(table, ["pay"], np.zeros(5, dtype=int), 2).tolist()
    [1, 1, 0, 0, 0]
    """
    zero = np.column_stack([stratum, *(table.column(name) == 0 for name in columns)])
    patterns, pattern = np.unique(zero, axis=0, return_inverse=True)
    pattern, homes = pattern.reshape(-1), household_of(table)
    counts = distinct_counts(pattern, homes)
    joined = np.arange(len(patterns))
    for area in np.unique(stratum):
        mine = np.flatnonzero(patterns[:, 0] == area)
        mine = mine[np.argsort(counts[mine], kind="stable")]
        few = int((counts[mine] < k).sum())
        while 0 < few < len(mine) and len(np.unique(homes[np.isin(pattern, mine[:few])])) < k:
            few += 1
        joined[mine[:few]] = mine[0]
    return np.unique(joined[pattern], return_inverse=True)[1].reshape(-1)


def treats_strata(masker: F) -> F:
    """The masker, which treats the columns with the role stratum apart where `strata` is not said."""

    @wraps(masker)
    def masked(table: Any, **options: Any) -> Any:
        named = table.names(role="stratum") if isinstance(table, Table) else []
        if named and options.get("strata") is None:
            options = {**options, "strata": named}
        return masker(table, **options)

    return cast(F, masked)
