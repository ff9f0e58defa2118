"""Interval disclosure of whole records, by robust Mahalanobis distances: outliers have wider intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from shoal._check import check_number
from shoal._door import takes_frames
from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.numeric_pair import NumericPair, numeric_pair, varying
from shoal.table import Table
from shoal.types import Matrix

NORMAL = 1.4826  # median of absolute deviations -> standard deviation of normal values
ROUNDING = 1e-9  # relative: a distance this close to the limit is within it


@takes_frames
def mahalanobis_risk(
    original: Table,
    masked: Table,
    *,
    widths: Sequence[float] | float | None = None,
    columns: Iterable[str] | None = None,
) -> float:
    """Percent of the records whose masked numbers lie close to the original ones, all columns together.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    widths
        Half widths in percent of a record's distance from the centre, averaged over; 1 to 10 if not given.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).
        Only numeric ones count.

    Returns
    -------
    float
        0 (no record is nearly disclosed) to 100 (all are).

    Notes
    -----
    Distances are Mahalanobis distances with a robust centre and scatter of the original (medians and median
    absolute deviations along orthogonal directions), so that outliers neither hide nor hide others. A record
    far from the centre is looked for in a wider interval: few others are there. A record with a suppressed
    number is not disclosed; one without any original number does not count, and a number missing in the
    original says nothing. Time O(n d^2).

    References
    ----------
    Templ, Meindl: Robust statistics meets SDC: new disclosure risk measures for continuous microdata masking,
    PSD (2008); Maronna, Zamar: Robust estimates of location and dispersion for high-dimensional datasets,
    Technometrics 44 (2002), for the scatter.

    Examples
    --------
    >>> from shoal import as_table
    >>> before, after = as_table({"pay": [1.0, 2.0, 3.0, 50.0]}), as_table({"pay": [1.5, 2.5, 3.5, 50.5]})
    >>> mahalanobis_risk(before, after)
    22.5
    """
    halves = [float(p) for p in range(1, 11)] if widths is None else np.atleast_1d(widths).tolist()
    if not halves:
        raise InvalidInput("`widths` is empty; give at least one half width in percent.")
    halves = [check_number("widths", half, 0) for half in halves]
    pair = varying(numeric_pair(original, masked, columns))
    counted = pair.observed.any(axis=1)
    if not counted.any():
        raise NotApplicable("No compared number has a value in the original.")
    out, moved = _distances(pair)
    gone = (pair.observed & np.isnan(pair.Y)).any(axis=1)
    close = [(moved <= half / 100 * out * (1 + ROUNDING) + ROUNDING) & ~gone for half in halves]
    return 100.0 * float(np.mean([found[counted].mean() for found in close]))


def _distances(pair: NumericPair) -> tuple[Matrix, Matrix]:
    """How far every original record lies from the centre, and from its masked one."""
    middle = np.nanmedian(pair.X, axis=0)
    X = np.where(pair.observed, pair.X, middle) - middle  # a missing number says nothing: the centre
    scales = np.array([_spread(column) for column in X.T])
    Z, step = X / scales, pair.difference / scales
    directions = np.linalg.eigh(_comovement(Z))[1]
    along = Z @ directions
    spreads = np.array([_spread(column) for column in along.T])
    out = (along - np.median(along, axis=0)) / spreads
    moved = step @ directions / spreads
    return np.sqrt((out**2).sum(axis=1)), np.sqrt((moved**2).sum(axis=1))


def _comovement(Z: Matrix) -> Matrix:
    """Robust correlations: how much further sums of two columns spread than their differences."""
    d = Z.shape[1]
    found = np.eye(d)
    for i in range(d):
        for j in range(i):
            together, apart = (_scatter(Z[:, i] + sign * Z[:, j]) for sign in (1, -1))
            found[i, j] = found[j, i] = (together**2 - apart**2) / 4
    return found


def _scatter(values: Matrix) -> float:
    """The robust spread; where more than half of the values are equal the standard deviation."""
    robust = NORMAL * float(np.median(np.abs(values - np.median(values))))
    return robust if robust > ROUNDING else float(values.std())


def _spread(values: Matrix) -> float:
    """The same, but never 0: what does not vary has a tiny scale, so that any change of it is far."""
    return max(_scatter(values), ROUNDING)
