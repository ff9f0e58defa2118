"""What masking did to every column, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from shoal._door import takes_frames
from shoal.measures.coded_pair import code_pair
from shoal.measures.compared_columns import compared_columns
from shoal.table import Table


@takes_frames
def column_changes(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> pl.DataFrame:
    """For every column: percent of cells changed and suppressed, mean and deviation before and after.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    polars.DataFrame
        One row per column: `column`, `kind`, `changed`, `suppressed` (percent of the cells the original has,
        a suppressed cell is not also changed), and for numbers `mean_before`, `mean_after`, `sd_before`,
        `sd_after` over the observed cells (n-1), else missing.

    Notes
    -----
    Numbers that became text count as changed. Time O(n log n) a column.

    Examples
    --------
    >>> from shoal import as_table
    >>> before, after = as_table({"town": ["a", "b", "c", "c"]}), as_table({"town": ["a", "a", "c", None]})
    >>> column_changes(before, after).select("column", "changed", "suppressed").rows()
    [('town', 25.0, 25.0)]
    """
    rows = [_row(original, masked, name) for name in compared_columns(original, masked, columns)]
    numbers = {f"{what}_{when}": pl.Float64 for what in ("mean", "sd") for when in ("before", "after")}
    return pl.DataFrame(rows, schema_overrides=numbers)


def _row(original: Table, masked: Table, name: str) -> dict[str, Any]:
    before, after, _ = code_pair(original, masked, name)
    cells = max(int((before >= 0).sum()), 1)
    return {
        "column": name,
        "kind": original.attribute(name).kind,
        "changed": 100.0 * int(((before >= 0) & (after >= 0) & (before != after)).sum()) / cells,
        "suppressed": 100.0 * int(((before >= 0) & (after < 0)).sum()) / cells,
        "mean_before": _statistic(original, name, 1),
        "mean_after": _statistic(masked, name, 1),
        "sd_before": _statistic(original, name, 2),
        "sd_after": _statistic(masked, name, 2),
    }


def _statistic(table: Table, name: str, least: int) -> float | None:
    """Mean (of at least 1 value) or standard deviation (of at least 2); None if there are too few numbers."""
    if table.attribute(name).kind != "numeric":
        return None
    seen = table.column(name)
    seen = seen[~np.isnan(seen)]
    if len(seen) < least:
        return None
    return float(seen.mean() if least == 1 else seen.std(ddof=1))
