"""How two columns go together, before and after: correlations of numbers, association of categories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from shoal._door import takes_frames
from shoal.encode.categories import Codes, categorise
from shoal.measures.compared_columns import compared_columns
from shoal.measures.description.column_losses import shared_columns
from shoal.measures.released_numbers import with_values
from shoal.table import Table
from shoal.types import Matrix

LEVELS = 50  # categories a column may have; with more every association looks perfect


@dataclass(frozen=True)
class PairChange:
    """Two columns and how they go together: a correlation (-1 to 1) or an association (0 to 1).

    >>> PairChange("age", "pay", "correlation", 0.5, 0.25).change
    0.25
    """

    one: str
    other: str
    what: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """How far apart the two figures are."""
        return abs(self.before - self.after)


@takes_frames
def pair_changes(
    original: Table, masked: Table, *, columns: Iterable[str] | None = None
) -> tuple[PairChange, ...]:
    """Compare how the columns of a file go together before and after masking, most changed first.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to pair; all that both files have but identifiers if not given.

    Returns
    -------
    tuple of PairChange
        Pairs of numbers by their correlation (Pearson, over records that have both), pairs of categories by
        Cramer's V; columns without spread, of more than 50 categories, or of another kind are left out.

    Notes
    -----
    Intervals of numbers count as their middle, sets and labels as one of the values they may stand for, drawn
    in the same way every time. An association is told here, not tested. Time O(n d^2).

    References
    ----------
    Cramer: Mathematical methods of statistics, Princeton University Press (1946), chapter 21.

    Examples
    --------
    >>> before = {"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 2.0, 3.0, 4.0]}
    >>> pair = pair_changes(before, {**before, "y": [2.0, 1.0, 4.0, 3.0]})[0]
    >>> pair.what, pair.before, round(pair.after, 2)
    ('correlation', 1.0, 0.6)
    """
    names = compared_columns(
        original, masked, shared_columns(original, masked) if columns is None else columns
    )
    masked = with_values(original, masked, names, np.random.default_rng(0))
    found = []
    numbers = [name for name in names if _numeric(original, name) and _numeric(masked, name)]
    for one, other in combinations(numbers, 2):
        before, after = (_correlation(t.column(one), t.column(other)) for t in (original, masked))
        found.append(PairChange(one, other, "correlation", before, after))
    coded = {
        name: (categorise(original, name)[0], categorise(masked, name)[0])
        for name in names
        if name not in numbers
    }
    for one, other in combinations(coded, 2):
        before, after = (_cramer(coded[one][file], coded[other][file]) for file in (0, 1))
        found.append(PairChange(one, other, "association", before, after))
    told = [pair for pair in found if np.isfinite([pair.before, pair.after]).all()]
    return tuple(sorted(told, key=lambda pair: -pair.change))


def _numeric(table: Table, name: str) -> bool:
    return table.attribute(name).kind == "numeric"


def _correlation(x: Matrix, y: Matrix) -> float:
    both = np.isfinite(x) & np.isfinite(y)
    x, y = x[both], y[both]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))


def _cramer(one: Codes, other: Codes) -> float:
    """Cramer's V of the records that have both; not a number without spread, or with too many values."""
    both = (one >= 0) & (other >= 0)
    one, a = (np.unique(one[both], return_inverse=True)[place] for place in (0, 1))
    other, b = (np.unique(other[both], return_inverse=True)[place] for place in (0, 1))
    if not 2 <= min(len(one), len(other)) <= max(len(one), len(other)) <= LEVELS:
        return float("nan")
    counts = np.bincount(a.reshape(-1) * len(other) + b.reshape(-1), minlength=len(one) * len(other))
    table = counts.reshape(len(one), len(other))
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    square = float(((table - expected) ** 2 / expected).sum() / table.sum())
    return float(min(np.sqrt(square / (min(table.shape) - 1)), 1.0))
