"""IL1s to IL5 and their mean: how values, means, covariances, variances and correlations of numbers moved."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.errors import NotApplicable
from shoal.measures._shared.moments import ZERO, column_means, correlations, covariances
from shoal.measures.numeric_pair import numeric_pair, varying
from shoal.table import Table


@takes_frames
def il1s(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean absolute change of the numeric cells in percent of sqrt(2) standard deviations; unbounded above.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (nothing changed) upwards; 100 is the typical distance of two records drawn at random.

    Notes
    -----
    100 * mean of |x - x'| / (sqrt(2) S), S the original's standard deviation (n-1), over all cells that the
    original has. A suppressed cell counts as replaced by its column's mean; a changed cell of a column that
    is constant in the original counts one standard deviation. Time O(n d).

    References
    ----------
    Mateo-Sanz, Domingo-Ferrer, Sebé: Probabilistic information loss measures in confidentiality protection
    of continuous microdata, Data Mining and Knowledge Discovery 11 (2005).

    Examples
    --------
    >>> from shoal import as_table
    >>> il1s(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [2.0, 2.0, 2.0]})).__round__(2)
    47.14
    """
    pair = numeric_pair(original, masked, columns)
    varying(pair)  # only constants: nothing to scale by
    return 100.0 * float(np.abs(pair.difference).sum() / np.sqrt(2.0) / pair.observed.sum())


@takes_frames
def il2(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean relative change of the numeric columns' means, in percent; unbounded above.

    Parameters
    ----------
    original, masked, columns
        As in `il1s`.

    Returns
    -------
    float
        0 (all means kept) upwards.

    Notes
    -----
    100 * mean over columns of |m - m'| / |m|. A mean of zero (below a billionth of the standard deviation)
    gives no scale; the standard deviation is used instead, and for a constant column the share of its cells
    that changed. Means rest on the observed cells of each file; a column suppressed as a whole counts 100.
    Time O(n d).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> il2(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [1.0, 2.0, 6.0]})).__round__(2)
    50.0
    """
    pair = numeric_pair(original, masked, columns)
    change = np.abs(column_means(pair.Y) - column_means(pair.X))
    scale = np.where(np.abs(pair.mean) > ZERO, np.abs(pair.mean), 1.0)
    return 100.0 * float(np.where(np.isnan(change), 1.0, change / scale).mean())


@takes_frames
def il3(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean relative change of the numeric columns' variances and covariances, in percent; unbounded above.

    Parameters
    ----------
    original, masked, columns
        As in `il1s`.

    Returns
    -------
    float
        0 (all covariances kept) upwards; a covariance near zero can make it huge (`pil_loss` cannot).

    Notes
    -----
    100 * mean over i >= j of |v_ij - v'_ij| / |v_ij|. A covariance of zero (below a billionth of the product
    of standard deviations) gives no scale; that product is used instead. Covariances (n-1) rest on the rows
    that have both values; one that can no longer be computed counts 100. Time O(n d^2).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> il3(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [1.0, 1.0, 1.0]}))
    100.0
    """
    pair = numeric_pair(original, masked, columns)
    varying(pair)
    before, after = covariances(pair.X), covariances(pair.Y)
    lower = np.tril(np.ones_like(before, dtype=bool)) & ~np.isnan(before)
    if not lower.any():
        raise NotApplicable("No two records have values in the same numeric column.")
    scale = np.where(np.abs(before[lower]) > ZERO, np.abs(before[lower]), 1.0)
    change = np.abs(before[lower] - after[lower]) / scale
    return 100.0 * float(np.where(np.isnan(change), 1.0, change).mean())


@takes_frames
def il4(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean relative change of the variances of the numeric columns, in percent; unbounded above.

    Parameters
    ----------
    original, masked, columns
        As in `il1s`.

    Returns
    -------
    float
        0 (all variances kept) upwards; 100 if the masked columns are constant.

    Notes
    -----
    100 * mean over columns of |v - v'| / v. A column that is constant in the original counts the variance of
    "was changed" (0 or 1). Variances (n-1) rest on the observed cells; one that can no longer be computed
    counts 100. Time O(n d).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> il4(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [0.0, 2.0, 4.0]}))
    300.0
    """
    pair = numeric_pair(original, masked, columns)
    varying(pair)
    before = np.array([covariances(column[:, None])[0, 0] for column in pair.X.T])
    after = np.array([covariances(column[:, None])[0, 0] for column in pair.Y.T])
    known = ~np.isnan(before)
    scale = np.where(pair.constant, 1.0, before)[known]
    change = np.abs(before - after)[known] / scale
    return 100.0 * float(np.where(np.isnan(change), 1.0, change).mean())


@takes_frames
def il5(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean absolute change of the correlations of the numeric columns, in percent; 0 to 200.

    Parameters
    ----------
    original, masked, columns
        As in `il1s`.

    Returns
    -------
    float
        0 (all correlations kept) to 200 (all turned from 1 to -1).

    Notes
    -----
    100 * mean over i > j of |r_ij - r'_ij|. Columns that are constant in the original have no correlation and
    are left out; a column that masking made constant or suppressed has correlation 0. Correlations rest on
    the rows that have both values. Time O(n d^2).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> before = as_table({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]})
    >>> il5(before, as_table({"a": [1.0, 2.0, 3.0], "b": [3.0, 2.0, 1.0]}))
    200.0
    """
    pair = varying(numeric_pair(original, masked, columns))
    if len(pair.names) < 2:
        raise NotApplicable("Correlations need two numeric columns that vary.")
    below = np.tril_indices(len(pair.names), -1)
    return 100.0 * float(np.abs(correlations(pair.X) - correlations(pair.Y))[below].mean())


PARTS = (il1s, il2, il3, il4, il5)


@takes_frames
def il_loss(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean of il1s (values), il2 (means), il3 (covariances), il4 (variances), il5 (correlations); unbounded.

    Parameters
    ----------
    original, masked, columns
        As in `il1s`.

    Returns
    -------
    float
        0 (nothing lost) upwards; `pil_loss` is the bounded relative.

    Notes
    -----
    Each part has weight 0.2; with a single numeric column there are no correlations and the other four count
    alike. Missing values: as in the parts. Time O(n d^2).

    References
    ----------
    Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata, in:
    Confidentiality, disclosure, and data access, Elsevier (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> il_loss(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [1.0, 2.0, 3.0]}))
    0.0
    """
    parts = []
    for part in PARTS:
        try:
            parts.append(part(original, masked, columns=columns))
        except NotApplicable:
            if part is not il5:
                raise
    return float(np.mean(parts))
