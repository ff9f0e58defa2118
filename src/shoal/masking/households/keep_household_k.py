"""k counted in households: a class whose records come from too few of them loses its members' columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.masking.cells import cells_of
from shoal.masking.microaggregation.strata import strata_of
from shoal.table import Table
from shoal.types import Labels


def keep_household_k(
    table: Table, homes: Labels, k: int, shared: Sequence[str], own: Sequence[str], strata: Sequence[str] = ()
) -> Table:
    """Make the members' columns missing where fewer than k different households look alike.

    Parameters
    ----------
    table
        The masked table.
    homes
        The household 0..h-1 of every record.
    k
        How many different households a class must have.
    shared, own
        The columns of the household and those of its members that were masked.
    strata
        Columns whose classes were masked apart; no class may cross them.

    Returns
    -------
    Table
        The records that lost their members' columns form a class of their own among those with equal columns
        of the household; if it has too few households, further classes are taken into it, the smallest
        first. Where even all of them have too few, the columns stay missing and the count says so.

    Notes
    -----
    Time O(n log n).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40, 40]})
    >>> keep_household_k(table, np.array([0, 0, 1, 2]), 2, [], ["age"]).frame["age"].to_list()
    [None, None, None, None]
    """
    if not own or not len(table):
        return table
    fixed = [*shared, *(name for name in strata if name not in {*shared, *own})]
    outer = strata_of(table, fixed or None)
    inner = strata_of(table, [*fixed, *own])
    blank = _blank(outer, inner, homes, k)
    if not blank.any():
        return table
    released: dict[str, NDArray[Any]] = {}
    for name in own:
        cells = cells_of(table, name)
        cells[blank[inner]] = None
        released[name] = cells
    return table.assign(**released)


def _blank(outer: Labels, inner: Labels, homes: Labels, k: int) -> NDArray[np.bool_]:
    """Which of the inner classes must go: those too small, and more until what is blank is large enough."""
    size = int(inner.max()) + 1
    households = _different(inner, homes, size)
    outside = np.zeros(size, dtype=np.intp)
    outside[inner] = outer
    blank = households < k
    pairs = np.unique(np.column_stack([inner, homes]), axis=0)
    starts = np.searchsorted(pairs[:, 0], np.arange(size + 1))
    for area in np.unique(outside[blank]).tolist():
        classes = np.flatnonzero(outside == area)
        classes = classes[np.lexsort((households[classes], ~blank[classes]))]
        together: set[int] = set()
        for found in classes.tolist():
            if not blank[found] and len(together) >= k:
                break
            blank[found] = True
            together.update(pairs[starts[found] : starts[found + 1], 1].tolist())
    return blank


def _different(classes: Labels, homes: Labels, size: int) -> NDArray[np.intp]:
    """How many different households every class has."""
    pairs = np.unique(classes * (int(homes.max()) + 1) + homes)
    return np.bincount(pairs // (int(homes.max()) + 1), minlength=size)
