"""GCP: how much of the values' detail the released cells still have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from shoal._check import check_names, check_number
from shoal._door import takes_frames
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.column_covers import column_covers
from shoal.measures.compared_columns import compared_columns
from shoal.table import Table


@takes_frames
def gcp(
    original: Table,
    masked: Table,
    *,
    weights: Mapping[str, float] | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """Global certainty penalty: mean share of a column's values that a cell may stand for, in percent.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    weights
        How much a column counts, 1 where not given.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (every cell is a value) to 100 (all cells suppressed, or as coarse as can be).

    Notes
    -----
    100 * mean over columns of the mean penalty (NCP) of their cells: 0 for a value; (b - a) / range for an
    interval of numbers; (values covered - 1) / (values - 1) for sets, labels of a hierarchy (its leaves) and
    ranges of categories; 1 for a suppressed cell. The values are those of the original and the leaves of the
    hierarchy. Cells missing in the original do not count. Perturbed columns, whose cells are other values and
    not coarser ones, are left out; in a column with both, a cell that does not cover its value counts 1. The
    coarser a hierarchy's level, the higher the figure. Time O(n d) and reading each distinct cell once.

    References
    ----------
    Xu, Wang, Pei, Wang, Shi, Fu: Utility-based anonymization using local recoding, KDD (2006); Ghinita,
    Karras, Kalnis, Mamoulis: Fast data anonymization with low information loss, VLDB (2007).

    Examples
    --------
    >>> from shoal import as_table
    >>> before, after = as_table({"age": [20, 25, 40]}), as_table({"age": ["[20, 25]", "[20, 25]", "40"]})
    >>> round(gcp(before, after), 1)
    16.7
    """
    found = column_penalties(original, masked, compared_columns(original, masked, columns))
    if not found:
        raise NotApplicable(
            "Every compared column holds other values, not coarser ones; see the other losses."
        )
    check_names(weights or (), original.names())
    given = [check_number(f"weight of {name}", (weights or {}).get(name, 1.0), 0) for name in found]
    if not sum(given):
        raise InvalidInput("All weights of columns are 0; give at least one a positive weight.")
    return float(np.average(list(found.values()), weights=given))


def column_penalties(original: Table, masked: Table, names: Iterable[str]) -> dict[str, float]:
    """The mean penalty of every column that was not perturbed, in percent.

    >>> from shoal import as_table
    >>> before = as_table({"age": [20, 25, 40], "town": ["a", "b", "c"]})
    >>> column_penalties(before, as_table({"age": [21, 25, 40], "town": ["*", "*", "*"]}), ["age", "town"])
    {'town': 100.0}
    """
    found = {}
    for name in names:
        column = column_covers(original, masked, name)
        seen = column.before >= 0
        if seen.any() and (column.generalised or column.unread or not column.perturbed):
            found[name] = 100.0 * float(column.ncp[seen].mean())
    return found
