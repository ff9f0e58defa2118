"""The slide negative binomial model: class sizes of the population are one more than negative binomial."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.errors import NotApplicable
from shoal.measures.risk.population.sample_classes import (
    SampleClasses,
    as_share,
    falling_powers,
    sample_classes,
)
from shoal.table import Table
from shoal.types import Matrix

# Where the search for (alpha, beta) begins: small and large, so that one leads to the top
STARTS = ((0.5, 0.5), (0.1, 0.1), (0.05, 0.01), (1.0, 0.05), (2.0, 0.5), (0.2, 0.9), (0.02, 0.001))
CLOSE = 1e-6  # relative: the two equations hold


@takes_frames
def snb_uniques(
    table: Table, *, fraction: float | None = None, columns: Iterable[str] | None = None
) -> float:
    """The expected number of records of a sample that are alone in the population, by the SNB model.

    Parameters
    ----------
    table, fraction, columns
        As in `pitman_uniques`.

    Returns
    -------
    float
        From 0 to the number of records that are alone in the sample.

    Notes
    -----
    The number of classes K of the population is Shlosser's estimate; alpha and beta are such that as many
    classes of one and of two records are expected in the sample as there are; K beta^alpha classes are then
    of one person. Not applicable where no alpha and beta do that. Time O(n log n).

    References
    ----------
    Chen, Keller-McNulty: Estimation of identification disclosure risk in microdata, Journal of Official
    Statistics 14 (1998); Haas, Stokes: Estimating the number of classes in a finite population, Journal of
    the American Statistical Association 93 (1998), for Shlosser's estimate.

    Examples
    --------
    >>> from shoal import as_table
    >>> ages = [30] * 6 + [31, 31, 32, 32, 33, 33, 33, 40, 50, 60]
    >>> round(snb_uniques(as_table({"age": ages}, roles={"quasi": "age"}), fraction=0.5), 2)
    0.94
    """
    return estimate_snb(sample_classes(table, fraction, columns))


def estimate_snb(sample: SampleClasses) -> float:
    """The same, from class sizes."""
    alone = sample.of_size(1)
    if not alone:
        return 0.0
    if sample.fraction == 1:
        return float(alone)
    K = shlosser(sample)
    alpha, beta = _fit(K, sample.fraction, alone, sample.of_size(2))
    return as_share(sample.fraction * K * beta**alpha, sample)


def shlosser(sample: SampleClasses) -> float:
    """The number of classes of the population, from the classes of the sample."""
    q, i, c = sample.fraction, sample.sizes.astype(np.float64), sample.counts
    unseen = falling_powers(1 - q, sample.sizes)
    once = float((i * q * falling_powers(1 - q, sample.sizes - 1)) @ c)
    twice = float((i * q**2 * falling_powers(1 - q**2, sample.sizes - 1)) @ c)
    more = float((falling_powers(1 - q**2, sample.sizes) - unseen) @ c)
    return sample.classes + sample.of_size(1) * (twice / more) * (float(unseen @ c) / once) ** 2


def expected_classes(K: float, q: float, alpha: float, beta: float) -> tuple[float, float]:
    """Classes of one and of two records expected in a sample of fraction q."""
    s = 1 - q
    base = 1 - (1 - beta) * s
    ratio = alpha * (1 - beta) / base
    G = (beta / base) ** alpha
    first = G * ratio  # the derivative of G in s, and the second one
    second = first * (alpha + 1) * (1 - beta) / base
    return K * q * (G + s * first), K * q**2 * (2 * first + s * second) / 2


def _fit(K: float, q: float, once: int, twice: int) -> tuple[float, float]:
    from scipy.optimize import root
    from scipy.special import expit, logit

    def gaps(point: Matrix) -> list[float]:
        alpha, beta = np.exp(point[0]), expit(point[1])
        expected = expected_classes(K, q, alpha, beta)
        return [expected[0] / once - 1, expected[1] / max(twice, 0.5) - 1]

    with np.errstate(all="ignore"):
        for alpha, beta in STARTS:
            found = root(gaps, [np.log(alpha), logit(beta)])
            if found.success and np.abs(found.fun).max() < CLOSE:
                return float(np.exp(found.x[0])), float(expit(found.x[1]))
    raise NotApplicable("The slide negative binomial model does not fit the sizes of the classes.")
