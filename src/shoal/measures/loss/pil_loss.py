"""PIL: would the change of a statistic be noticed against its sampling error?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.measures._shared.moments import centred, column_means, correlations, covariances
from shoal.measures.numeric_pair import NumericPair, numeric_pair, varying
from shoal.table import Table
from shoal.types import Matrix

QUANTILES = np.arange(1, 20) / 20  # 5 %, 10 % ... 95 %
ROUNDING = 1e-12  # a change of a standardised statistic below this is no change


@takes_frames
def pil_loss(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> float:
    """Mean probability, in percent, that sampling error changes a statistic less than masking did.

    Parameters
    ----------
    original, masked
        The two files; rows correspond by position.
    columns
        The columns to compare; the quasi-identifiers if not given (all but identifiers if there are none).

    Returns
    -------
    float
        0 (no statistic changed) to 100 (all changed more than chance ever would).

    Notes
    -----
    100 * P(|Z| <= |t - t'| / sd(t)) averaged over the columns (or pairs) of each statistic t, then over
    means, variances, covariances, correlations and quantiles (5 % to 95 %); `pil_parts` gives the five.
    sd(t) is asymptotic and falls with sqrt(n): in a large file even small changes come near 100. A quantile
    is compared on the scale of ranks, where its sd needs no density. Statistics rest on observed cells;
    one that can no longer be computed counts 100. Time O(n d^2 + d n log n).

    References
    ----------
    Mateo-Sanz, Domingo-Ferrer, Sebé: Probabilistic information loss measures in confidentiality protection
    of continuous microdata, Data Mining and Knowledge Discovery 11 (2005).

    Examples
    --------
    >>> from shoal import as_table
    >>> pil_loss(as_table({"a": [1.0, 2.0, 3.0]}), as_table({"a": [1.0, 2.0, 3.0]}))
    0.0
    """
    return float(np.mean(list(pil_parts(original, masked, columns=columns).values())))


@takes_frames
def pil_parts(original: Table, masked: Table, *, columns: Iterable[str] | None = None) -> dict[str, float]:
    """The probabilistic loss of means, variances, covariances, correlations and quantiles, in percent.

    Covariances and correlations are left out where fewer than two numeric columns vary, or never together.

    >>> from shoal import as_table
    >>> table = as_table({"a": [1.0, 2.0, 3.0]})
    >>> pil_parts(table, table)
    {'means': 0.0, 'variances': 0.0, 'quantiles': 0.0}
    """
    pair = numeric_pair(original, masked, columns)
    varying(pair)
    parts = {"means": _means(pair), "variances": _variances(pair)}
    if (~pair.constant).sum() > 1:
        parts |= {"covariances": _covariances(varying(pair)), "correlations": _correlations(varying(pair))}
    parts["quantiles"] = np.concatenate([_quantiles(x, y) for x, y in zip(pair.X.T, pair.Y.T, strict=True)])
    return {name: 100.0 * float(values.mean()) for name, values in parts.items() if len(values)}


def _probability(change: Matrix, variance: Matrix) -> Matrix:
    """P(|Z| <= |change| / sd); 1 where the statistic is gone or could not vary but did."""
    from scipy.special import erf

    change = np.where(np.abs(change) <= ROUNDING, 0.0, np.abs(change))
    surely = np.isnan(change) | ((variance <= ROUNDING**2) & (change > 0))
    sd = np.sqrt(np.where(variance > ROUNDING**2, variance, 1.0))
    probability: Matrix = erf(np.where(surely, 0.0, change) / sd / np.sqrt(2.0))
    return np.where(surely, 1.0, probability)


def _means(pair: NumericPair) -> Matrix:
    count = pair.observed.sum(axis=0)
    variance = (centred(pair.X) ** 2).sum(axis=0) / count**2
    return _probability(column_means(pair.Y) - column_means(pair.X), variance)


def _variances(pair: NumericPair) -> Matrix:
    """Var(v) = (mu4 - mu2^2) / n."""
    C, count = centred(pair.X), pair.observed.sum(axis=0)
    second, fourth = (C**2).sum(axis=0) / count, (C**4).sum(axis=0) / count
    before, after = np.diag(covariances(pair.X)), np.diag(covariances(pair.Y))
    known = ~np.isnan(before)
    return _probability((after - before)[known], ((fourth - second**2) / count)[known])


def _covariances(pair: NumericPair) -> Matrix:
    """Var(v_ij) = (mu22 - mu11^2) / n."""
    C, observed = centred(pair.X), pair.observed.astype(np.float64)
    count = np.maximum(observed.T @ observed, 1.0)
    variance = ((C**2).T @ (C**2) / count - (C.T @ C / count) ** 2) / count
    before = covariances(pair.X)
    known = np.tril(np.ones_like(before, dtype=bool), -1) & ~np.isnan(before)
    return _probability((covariances(pair.Y) - before)[known], variance[known])


def _correlations(pair: NumericPair) -> Matrix:
    """Var(r) by the delta method, in moments of the standardised columns, so that r = 0 needs no care."""
    observed = pair.observed.astype(np.float64)
    C = centred(pair.X)
    C = C / np.sqrt((C**2).sum(axis=0) / observed.sum(axis=0))
    count = np.maximum(observed.T @ observed, 1.0)
    m22, m31, m40 = (C**2).T @ (C**2) / count, (C**3).T @ C / count, (C**4).T @ observed / count
    before = correlations(pair.X)
    variance = (m22 + before**2 / 4 * (m40 + m40.T + 2 * m22) - before * (m31 + m31.T)) / count
    below = np.tril_indices(len(before), -1)
    return _probability((correlations(pair.Y) - before)[below], np.maximum(variance, 0.0)[below])


def _quantiles(x: Matrix, y: Matrix) -> Matrix:
    """Where the masked quantile lies among the original's ranks, against Var(F(q)) = q (1 - q) / n."""
    x, y = np.sort(x[~np.isnan(x)]), y[~np.isnan(y)]
    if not len(y):
        return np.ones(len(QUANTILES))
    after = np.quantile(y, QUANTILES, method="inverted_cdf")
    low = np.searchsorted(x, after, side="left") / len(x)
    high = np.searchsorted(x, after, side="right") / len(x)
    change = np.maximum(np.maximum(low - QUANTILES, QUANTILES - high), 0.0)
    return _probability(change, QUANTILES * (1 - QUANTILES) / len(x))
