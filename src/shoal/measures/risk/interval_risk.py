"""Interval disclosure: how many original values lie close to the masked one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from shoal._check import check_choice, check_number
from shoal._door import takes_frames
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import comparable_columns
from shoal.measures.numeric_pair import numeric_pair
from shoal.table import Table
from shoal.types import Labels, Matrix

Interval = Literal["rank", "value", "sd"]
INTERVALS: tuple[Interval, ...] = ("rank", "value", "sd")
ROUNDING = 1e-12  # of numbers that are the same but for rounding, in units of the interval


@takes_frames
def interval_risk(
    original: Table,
    masked: Table,
    *,
    interval: Interval = "rank",
    widths: Sequence[float] | float | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """Percent of the original values that lie in an interval round the masked value.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    interval
        "rank": between the masked values some ranks below and above; "value": the masked value differs from
        the original by at most some percent of the original; "sd": by at most some percent of a standard
        deviation.
    widths
        Half widths in percent (of the number of values, of the value, of the standard deviation), averaged
        over; 1 to 10 if not given, for "value" only 10.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (no value is nearly disclosed) to 100 (all are).

    Notes
    -----
    Ordinal columns take part by rank ("rank") or count where the category is unchanged ("value", "sd");
    nominal ones count where it is unchanged. Equal masked values share one interval, from the lowest to the
    highest of their ranks. A suppressed cell is not disclosed; cells missing in the original do not count. A
    width of p % is floor(p n / 100) ranks, n the number of masked values. Time O(d n log n).

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz, Torra: Comparing SDC methods for microdata on the basis of information loss
    and disclosure risk, Proceedings of ETK-NTTS (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> before, after = as_table({"pay": [100.0, 200.0, 300.0]}), as_table({"pay": [109.0, 250.0, 300.0]})
    >>> round(interval_risk(before, after, interval="value"), 2)
    66.67
    """
    check_choice("interval", interval, INTERVALS)
    names = comparable_columns(original, masked, columns)
    halves = _widths(interval, widths)
    disclosed, cells = 0.0, 0
    for name in names:
        hits, known = _column_hits(original, masked, name, interval, halves)
        disclosed, cells = disclosed + hits, cells + known
    if not cells:
        raise NotApplicable("No compared column has a value in the original.")
    return 100.0 * disclosed / cells


def _widths(interval: Interval, widths: Sequence[float] | float | None) -> list[float]:
    if widths is None:
        return [10.0] if interval == "value" else [float(p) for p in range(1, 11)]
    halves = [widths] if isinstance(widths, int | float) else list(widths)
    if not halves:
        raise InvalidInput("`widths` is empty; give at least one half width in percent.")
    return [check_number("widths", half, 0) for half in halves]


def _column_hits(
    original: Table, masked: Table, name: str, interval: Interval, halves: list[float]
) -> tuple[float, int]:
    """Disclosed cells, averaged over the half widths, and the cells that count."""
    if original.attribute(name).kind == "numeric":
        x, y = original.column(name), masked.column(name)
        if interval == "sd":
            x, y = _in_deviations(original, masked, name)
    else:
        before, after, _ = code_pair(original, masked, name)
        if interval != "rank" or original.attribute(name).kind == "nominal":
            return float((before == after)[before >= 0].sum()), int((before >= 0).sum())
        x, y = (np.where(codes < 0, np.nan, codes) for codes in (before, after))
    kept = ~np.isnan(x) & ~np.isnan(y)
    if interval == "rank":
        hits = _rank_hits(x[kept], y[kept], np.sort(y[~np.isnan(y)]), halves)
    else:
        scale = np.abs(x[kept]) if interval == "value" else 1.0
        gap, near = np.abs(y[kept] - x[kept]), scale * (1 + ROUNDING) / 100
        hits = float(np.mean([(gap <= half * near).sum() for half in halves]))
    return hits, int((~np.isnan(x)).sum())


def _in_deviations(original: Table, masked: Table, name: str) -> tuple[Matrix, Matrix]:
    try:
        pair = numeric_pair(original, masked, [name])
    except NotApplicable:  # the original has no value here
        return original.column(name), masked.column(name)
    return pair.X[:, 0], pair.Y[:, 0]


def _places(ordered: Matrix, values: Matrix) -> tuple[Labels, Labels]:
    """Where every value begins and ends in the ordered ones; looked up in order, which memory likes."""
    order = np.argsort(values)
    first, last = np.empty((2, len(values)), dtype=np.intp)
    first[order] = np.searchsorted(ordered, values[order], side="left")
    last[order] = np.searchsorted(ordered, values[order], side="right")
    return first, last


def _rank_hits(x: Matrix, y: Matrix, ordered: Matrix, halves: list[float]) -> float:
    """How many x lie between the masked values `half` percent of the ranks below and above y, on average."""
    (first, last), (low, high) = _places(ordered, y), _places(ordered, x)
    # ranks to go down from y to a value of at most x, up to one of at least x; nothing lies beyond the ends
    needed = np.maximum(np.maximum(first - (high - 1), low - (last - 1)), 0)
    needed[(high == 0) | (low == len(ordered))] = len(ordered)
    reaches = [int(np.floor(half * len(ordered) / 100 + ROUNDING)) for half in halves]
    return float(np.mean([((needed <= reach) & (needed < len(ordered))).sum() for reach in reaches]))
