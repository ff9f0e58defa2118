"""The numeric columns of two files on the original's scale: what the numeric losses compare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal._once import once
from shoal.encode import encode_pair
from shoal.errors import NotApplicable
from shoal.measures.compared_columns import compared_columns
from shoal.measures.released_numbers import with_numbers
from shoal.table import Table
from shoal.types import Matrix


@dataclass(frozen=True)
class NumericPair:
    """Numeric columns in standard deviations (n-1) from the original's mean; NaN where missing.

    A column that is constant in the original has no scale of its own: `X` is 0 and `Y` is 1 where the
    masked file changed it. `mean` is the original's mean in its own standard deviations.
    """

    names: tuple[str, ...]
    X: Matrix
    Y: Matrix
    mean: Matrix
    constant: NDArray[np.bool_]

    @property
    def observed(self) -> NDArray[np.bool_]:
        """Where the original has a value."""
        return ~np.isnan(self.X)

    @property
    def difference(self) -> Matrix:
        """Masked minus original; 0 where the original is missing; a suppressed cell counts as the mean."""
        masked = np.where(np.isnan(self.Y), 0.0, self.Y)
        return np.where(self.observed, masked - np.where(self.observed, self.X, 0.0), 0.0)


@once
def numeric_pair(original: Table, masked: Table, columns: Iterable[str] | None = None) -> NumericPair:
    """The numeric compared columns that the original has values of; coarser cells count as their middle.

    >>> from shoal import as_table
    >>> numeric_pair(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [2.0, 2.0, 2.0]})).difference.tolist()
    [[1.0], [0.0], [-1.0]]
    """
    names = compared_columns(original, masked, columns, kinds=("numeric",))
    masked = with_numbers(original, masked, names)
    names = [name for name in names if not np.isnan(original.column(name)).all()]
    if not names:
        raise NotApplicable("No numeric column has a value in the original.")
    X, Y = encode_pair(original, masked, names)
    constant = np.array([_is_constant(column) for column in X.T])
    changed = np.where(np.isnan(Y), np.nan, np.nanmax(X, axis=0) != Y)
    X, Y = np.where(constant & ~np.isnan(X), 0.0, X), np.where(constant, changed, Y)
    mean = np.array([_mean_in_deviations(original.column(name)) for name in names])
    return NumericPair(tuple(names), X, Y, mean, constant)


def varying(pair: NumericPair) -> NumericPair:
    """The pair without the columns that are constant in the original."""
    kept = ~pair.constant
    if not kept.any():
        raise NotApplicable(
            "Every numeric column is constant in the original, so there is no scale to compare on."
        )
    names = tuple(name for name, keep in zip(pair.names, kept, strict=True) if keep)
    return NumericPair(names, pair.X[:, kept], pair.Y[:, kept], pair.mean[kept], pair.constant[kept])


def _is_constant(column: Matrix) -> bool:
    seen = column[~np.isnan(column)]
    return bool(seen.min() == seen.max())


def _mean_in_deviations(values: Matrix) -> float:
    """Mean / standard deviation, 0 for a constant; scaled first so that huge values stay finite."""
    seen = values[~np.isnan(values)]
    if _is_constant(seen):
        return 0.0
    seen = seen / np.abs(seen).max()
    return float(seen.mean() / seen.std(ddof=1))
