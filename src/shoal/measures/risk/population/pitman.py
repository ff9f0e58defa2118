"""Pitman's sampling formula: how the number of classes grows with the sample."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.errors import NotApplicable
from shoal.measures.risk.population.sample_classes import SampleClasses, as_share, sample_classes
from shoal.table import Table
from shoal.types import Matrix

STARTS = ((0.2, 1.0), (0.5, 10.0), (0.8, 100.0), (0.1, 1000.0))  # alpha, theta + alpha


@takes_frames
def pitman_uniques(
    table: Table, *, fraction: float | None = None, columns: Iterable[str] | None = None
) -> float:
    """The expected number of records of a sample that are alone in the population, by Pitman's model.

    Parameters
    ----------
    table
        The sample, as released.
    fraction
        The share of the population that was sampled; records / sum of the weights if not given and a column
        has the role weight.
    columns
        The columns an intruder may know; the quasi-identifiers if not given.

    Returns
    -------
    float
        From 0 to the number of records that are alone in the sample.

    Notes
    -----
    alpha and theta maximise the likelihood of the class sizes; a population of N people then has
    N (theta+alpha)_(N-1) / (theta+1)_(N-1) uniques ((x)_j rising factorials), of which the sample holds its
    fraction. Not applicable where every record is alone or one class holds all. Time O(n log n).

    References
    ----------
    Hoshino: Applying Pitman's sampling formula to microdata disclosure risk assessment, Journal of Official
    Statistics 17 (2001).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30] * 6 + [31, 31, 40, 50]}, roles={"quasi": "age"})
    >>> round(pitman_uniques(table, fraction=0.1), 2)
    0.19
    """
    return estimate_pitman(sample_classes(table, fraction, columns))


def estimate_pitman(sample: SampleClasses) -> float:
    """The same, from class sizes."""
    from scipy.special import gammaln

    alone = sample.of_size(1)
    if not alone:
        return 0.0
    if sample.fraction == 1:
        return float(alone)
    alpha, theta = fit_pitman(sample)
    N = sample.population
    logs = np.log(N) + gammaln(theta + alpha + N - 1) - gammaln(theta + alpha)
    logs += gammaln(theta + 1) - gammaln(theta + N)
    return as_share(sample.fraction * float(np.exp(logs)), sample)


def fit_pitman(sample: SampleClasses) -> tuple[float, float]:
    """alpha (0 to 1) and theta (above -alpha) of the largest likelihood."""
    from scipy.optimize import minimize
    from scipy.special import logit

    if sample.of_size(1) == sample.records or sample.classes == 1:
        raise NotApplicable("Pitman's model needs records that are alone and records that are not.")

    def loss(point: Matrix) -> float:
        alpha, theta = _unfold(point)
        return -log_likelihood(sample, alpha, theta)

    found = [
        minimize(loss, [logit(a), np.log(t)], method="Nelder-Mead", options={"maxiter": 2000})
        for a, t in STARTS
    ]
    best = min(found, key=lambda result: result.fun)
    if not best.success or not np.isfinite(best.fun):
        raise NotApplicable("Pitman's model does not fit the sizes of the classes.")
    return _unfold(best.x)


def _unfold(point: Matrix) -> tuple[float, float]:
    """alpha and theta from a point of the plane; the ends of both are as good as reached."""
    from scipy.special import expit

    alpha = float(expit(np.clip(point[0], -15, 15)))
    return alpha, float(np.exp(np.clip(point[1], -30, 60))) - alpha


def log_likelihood(sample: SampleClasses, alpha: float, theta: float) -> float:
    """Of the sizes of the classes, up to a constant."""
    from scipy.special import gammaln

    if not 0 < alpha < 1 or theta <= -alpha:
        return -np.inf
    u, n = sample.classes, sample.records
    new = (u - 1) * np.log(alpha) + gammaln(theta / alpha + u) - gammaln(theta / alpha + 1)
    all_ = gammaln(theta + n) - gammaln(theta + 1)
    old = sample.counts @ (gammaln(sample.sizes - alpha) - gammaln(1 - alpha))
    value = float(new - all_ + old)
    return value if np.isfinite(value) else -np.inf
