"""A picture of single records before and after; for the data owner, never for the public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from shoal._door import takes_frames
from shoal.errors import InvalidInput
from shoal.report.style import BLUE, GREY, ORANGE, drawn, label, new_figure
from shoal.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_RECORDS = 2000  # points of a picture; more hide each other


@drawn
@takes_frames
def plot_records(original: Table, masked: Table, columns: Sequence[str]) -> Figure:
    """Draw every record in two numeric columns, before, and joined to where it is released.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position. At most 2,000 records.
    columns
        Two numeric columns: across and up.

    Returns
    -------
    matplotlib.figure.Figure
        Left the original records; right what is released, larger where more records share a point.

    Notes
    -----
    It shows original records: for the data owner's eyes and for made-up files only. Records with a missing
    cell are left out. Needs the extra `report` (matplotlib). Time O(n log n).

    Examples
    --------
    >>> from shoal import microaggregate
    >>> from shoal.datasets import load_sme
    >>> table = load_sme()
    >>> len(plot_records(table, microaggregate(table, k=3), table.names(role="quasi")[:2]).axes)
    2
    """
    names = _two_numeric(original, masked, columns)
    before, after = (np.column_stack([table.column(name) for name in names]) for table in (original, masked))
    here = np.isfinite(before).all(axis=1) & np.isfinite(after).all(axis=1)
    before, after = before[here], after[here]
    figure = new_figure(10, 4.6)
    left, right = figure.subplots(1, 2, sharex=True, sharey=True)
    left.scatter(*before.T, s=28, color=BLUE)
    left.set_title(f"before: {len(before)} records")
    for start, end in zip(before, after, strict=True):
        right.plot(*zip(start, end, strict=True), color=GREY, linewidth=0.8, zorder=1)
    right.scatter(*before.T, s=14, color=BLUE, alpha=0.35, zorder=2)
    points, counts = np.unique(after, axis=0, return_counts=True)
    right.scatter(*points.T, s=22 * counts, color=ORANGE, zorder=3)
    right.set_title(f"after: {len(points)} points of at least {counts.min()} records")
    for axis in (left, right):
        axis.set_xlabel(label(original.attribute(names[0]).label or names[0]))
    left.set_ylabel(label(original.attribute(names[1]).label or names[1]))
    return figure


def _two_numeric(original: Table, masked: Table, columns: Sequence[str]) -> list[str]:
    names = list(columns)
    kinds = {table.attribute(name).kind for table in (original, masked) for name in names}
    if len(names) != 2 or kinds != {"numeric"}:
        raise InvalidInput("`columns` must name two columns that are numeric in both files.")
    if not 0 < len(original) == len(masked) <= MOST_RECORDS:
        raise InvalidInput(
            f"Single records are drawn of files of 1 to {MOST_RECORDS} records that correspond row by row, "
            f"got {len(original)} and {len(masked)}; plot_distribution is for larger ones."
        )
    return names
