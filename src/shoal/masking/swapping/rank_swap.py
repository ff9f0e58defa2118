"""Rank swapping: values change places with values of nearby rank."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal._door import takes_frames
from shoal._shared.options import reported
from shoal.encode.categories import categorise
from shoal.errors import PrivacyWarning
from shoal.masking.cells import move_cells
from shoal.masking.households.by_household import by_household
from shoal.masking.microaggregation.strata import strata_of
from shoal.masking.protected_columns import protected_columns
from shoal.masking.takes_where import takes_where
from shoal.partition.labels import members
from shoal.table import Table
from shoal.types import Callback, RandomState

Rows = NDArray[np.intp]


@takes_where
@by_household
@takes_frames
def rank_swap(
    table: Table,
    *,
    percent: float,
    strata: Iterable[str] | str | None = None,
    columns: Iterable[str] | None = None,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> Table:
    """Swap every value once with one whose rank is at most so many percent of the records away.

    Parameters
    ----------
    table
        The table to protect.
    percent
        The window, above 0 and up to 100 percent of the records; it has no default because it is the
        protection.
    strata
        Column(s) whose classes are swapped apart.
    columns
        The columns to swap, each by itself; the numeric and ordinal quasi-identifiers if not given.
    rng
        Seed or generator; a seed is a secret.
    callback
        Called with `Progress` before every column;
        returning True stops: `Stopped` is raised and nothing is done.

    Returns
    -------
    Table
        Same rows, same order; every column has the same values as before, at other records.

    Notes
    -----
    Equal values are ranked at random. Missing cells stay missing; of an odd number of values one stays.
    Relations between columns fade as the window grows. An intruder who knows the window knows between which
    ranks a value was. Time O(n log n) a column.

    References
    ----------
    Moore: Controlled data-swapping techniques for masking public use microdata sets, US Bureau of the Census,
    research report 96-04 (1996).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"pay": [10, 20, 30, 40]}, roles={"quasi": ["pay"]})
    >>> rank_swap(table, percent=25, rng=1).frame["pay"].to_list()
    [20, 10, 40, 30]
    """
    rng = np.random.default_rng(rng)
    names = protected_columns(table, columns, strata=strata, kinds=("numeric", "ordinal"))
    check_number("percent", percent, np.nextafter(0, 1), 100)
    strata_rows = members(strata_of(table, strata)) if len(table) else []
    sources, alone = {}, 0
    for name in reported(names, callback):
        codes = categorise(table, name)[0]
        sources[name] = np.arange(len(table))
        for rows in strata_rows:
            present = rows[codes[rows] >= 0]
            present = rng.permutation(present)  # equal values in random order
            ranked = present[np.argsort(codes[present], kind="stable")]
            partner = _partners(len(ranked), max(1, int(len(ranked) * percent / 100)), rng)
            sources[name][ranked] = ranked[partner]
            alone += len(ranked) == 1
    if alone:
        warnings.warn(
            f"{alone} times a stratum had one value only, which stays where it is; merge strata.",
            PrivacyWarning,
            stacklevel=3,
        )
    return move_cells(table, sources)


def _partners(n: int, window: int, rng: np.random.Generator) -> Rows:
    """For every rank the rank it changes places with.

    From low to high, a rank not yet taken draws one of the free ranks in the window above it. The rank at the
    end of its window is always free, since only ranks below could have taken it and it is too far for them.
    The ranks left free among the last ones, all within a window, are paired at random.
    """
    partner = list(range(n))
    taken = bytearray(n)
    draws: Iterator[int] = iter(())
    for low in range(n - window):
        if taken[low]:
            continue
        high = low
        while taken[high] or high == low:
            step = next(draws, 0)
            if not step:
                draws = iter(rng.integers(1, window + 1, n).tolist())
            high = low + step
        taken[low] = taken[high] = 1
        partner[low], partner[high] = high, low
    free = rng.permutation([rank for rank in range(max(n - window, 0), n) if not taken[rank]]).tolist()
    for low, high in zip(free[::2], free[1::2], strict=False):
        partner[low], partner[high] = high, low
    return np.array(partner, dtype=np.intp)
