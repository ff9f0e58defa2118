"""Strata: classes of records that a masker treats apart."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._check import check_names
from shoal.encode.categories import categorise
from shoal.errors import Infeasible
from shoal.partition.labels import sizes
from shoal.table import Table
from shoal.types import Labels


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


def check_strata(stratum: Labels, k: int) -> None:
    """Refuse strata of fewer than k records, where no record could be hidden."""
    counts = sizes(stratum)
    small = np.flatnonzero(counts < k)
    if len(small):
        row = int(np.argmax(stratum == small[0]))
        raise Infeasible(
            f"{len(small)} of {len(counts)} strata have fewer than k = {k} records (the one of row {row} has "
            f"{counts[small[0]]}); merge strata or lower k."
        )
