"""CTBIL: how much the contingency tables changed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from shoal._door import takes_frames
from shoal.encode.categories import categorise
from shoal.errors import InvalidInput
from shoal.measures._shared.spread_counts import SpreadColumn, plain_column, spread_column, spread_difference
from shoal.measures.coded_pair import code_pair
from shoal.measures.column_covers import column_covers
from shoal.measures.compared_columns import compared_columns
from shoal.models.row_classes import compress, refine
from shoal.table import Table

DENSE = 1 << 22  # a table of at most this many cells is counted cell by cell


@takes_frames
def ctbil(
    original: Table,
    masked: Table,
    *,
    order: int = 2,
    per_cell: bool = False,
    columns: Iterable[str] | None = None,
) -> float:
    """Percent of the records that moved to another cell, averaged over the contingency tables of few columns.

    Parameters
    ----------
    original, masked
        The two files; rows need not correspond.
    order
        Largest number of columns in a table: all tables of 1 to `order` categorical columns are compared.
    per_cell
        Give instead the mean absolute difference per cell, empty cells included, as in the first
        publication; this is not a percentage and has no upper limit.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).
        Only ordinal and nominal ones count.

    Returns
    -------
    float
        0 (all tables the same) to 100 (no cell in common).

    Notes
    -----
    100 * sum of |cell - cell'| / (2 n * number of tables). A missing value is a category of its own. A record
    with labels, intervals or sets is spread evenly over the cells they may stand for; a label that may be
    anything counts as missing. Order 2 has d + d(d-1)/2 tables. Time O(n) per table, with labels O(labels x
    categories), memory O(n d).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> ctbil(as_table({"town": ["a", "b", "c", "c"]}), as_table({"town": ["a", "a", "c", "c"]}))
    25.0
    """
    names = compared_columns(original, masked, columns, kinds=("ordinal", "nominal"))
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise InvalidInput(f"`order` must be a whole number of at least 1, got {order!r}.")
    sets = [s for size in range(1, min(order, len(names)) + 1) for s in combinations(range(len(names)), size)]
    coded = [_joint_codes(original, masked, name) for name in names]
    coarse = {j: column for j, name in enumerate(names) if (column := _coarse(original, masked, name))}
    moved = 0.0
    for s in sets:
        if coarse.keys() & set(s):
            moved += spread_difference([coarse.get(j) or _plain(coded[j], len(original)) for j in s])
        else:
            moved += _difference([coded[j] for j in s], len(original))
    if per_cell:
        return moved / sum(prod(coarse[j].width if j in coarse else coded[j][1] for j in s) for s in sets)
    return 100.0 * moved / (2 * len(original) * len(sets))


def _coarse(original: Table, masked: Table, name: str) -> SpreadColumn | None:
    """The column spread over its covers; None if its cells are the original's values, or cannot be read."""
    column = column_covers(original, masked, name)
    new = len(code_pair(original, masked, name)[2]) - len(categorise(original, name)[1])
    return spread_column(column) if new > int(column.covers.unread.sum()) else None


Coded = tuple[NDArray[np.intp], int]


def _joint_codes(original: Table, masked: Table, name: str) -> Coded:
    """Codes of the original's, then of the masked records; the number of categories, missing included."""
    before, after, categories = code_pair(original, masked, name)
    codes = np.concatenate([before, after])
    gone = bool((codes < 0).any())
    return codes + gone, len(categories) + gone


def _plain(coded: Coded, n: int) -> SpreadColumn:
    codes, count = coded
    return plain_column(codes[:n], codes[n:], count)


def _difference(columns: list[Coded], n: int) -> int:
    """Sum of the absolute differences of all cells of one table."""
    keys, cells = columns[0]
    for codes, count in columns[1:]:
        if cells * count > DENSE:
            keys = refine(compress(keys, cells), codes)
            cells = int(keys.max()) + 1
        else:
            keys, cells = keys * count + codes, cells * count
    counts = np.bincount(keys[:n], minlength=cells) - np.bincount(keys[n:], minlength=cells)
    return int(np.abs(counts).sum())
