"""Missing cells in the geometry: a gap lies at the mean of its column and is marked beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from shoal._door import takes_frames
from shoal.encode.encode_table import Scale, pair_blocks
from shoal.table import Table
from shoal.types import Matrix

# How far a gap lies from a value, in standard deviations of the column. On average over the files of
# benchmarks/quality/gaps.csv half of it loses 2.4 times the cells, double of it an eighth more information.
GAP_DISTANCE = 1.5


@takes_frames
def encode_gaps(
    table: Table,
    columns: Iterable[str] | None = None,
    *,
    scale: Scale = "zscore",
    weights: Mapping[str, float] | None = None,
) -> Matrix:
    """As `encode`, but complete: gaps are near gaps, and some way from every value.

    Parameters
    ----------
    table, columns, scale, weights
        As in `encode`.

    Returns
    -------
    Matrix
        The matrix of `encode` with the mean of a column in place of its gaps and, beside it, one more column
        for every column with gaps: 0 where there is a value, 1.5 standard deviations where there is none.

    Notes
    -----
    A single encoded column gets no second one, so that it can still be sorted: its gaps lie above all values.
    A constant column counts as if its standard deviation were 1. Time and memory O(n d).

    Examples
    --------
    >>> from shoal import as_table
    >>> encode_gaps(as_table({"age": [20, None, 40], "pay": [1, 2, 3]}), ["age", "pay"]).round(2)
    array([[-0.71,  0.  , -1.  ],
           [ 0.  ,  1.06,  0.  ],
           [ 0.71,  0.  ,  1.  ]])
    """
    blocks = [block for block, _ in pair_blocks(table, table, columns, scale=scale, weights=weights)]
    alone = sum(block.shape[1] for block in blocks) == 1
    return np.hstack([_complete(block, alone) for block in blocks])


def _complete(block: Matrix, alone: bool) -> Matrix:
    gaps = np.isnan(block[:, 0])
    if not gaps.any():
        return block
    if gaps.all():
        return np.zeros_like(block)
    seen = block[~gaps]
    unit = max(float(np.abs(seen).max()), 1.0)  # squares of huge numbers stay in range
    means = (seen / unit).mean(axis=0) * unit
    spread = float(np.sqrt(((seen / unit - means / unit) ** 2).sum(axis=1).mean())) * unit
    apart = GAP_DISTANCE * (spread if np.ptp(seen, axis=0).any() else 1.0)
    if alone:
        largest = np.finfo(np.float64).max
        return np.where(gaps[:, None], seen.max() + min(apart, largest - max(float(seen.max()), 0.0)), block)
    return np.column_stack([np.where(gaps[:, None], means, block), np.where(gaps, apart, 0.0)])
