"""Zayatz's estimate: the classes of the sample stand for those of the population."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal._door import takes_frames
from shoal.measures.risk.population.sample_classes import SampleClasses, as_share, sample_classes
from shoal.table import Table
from shoal.types import Matrix


@takes_frames
def zayatz_uniques(
    table: Table, *, fraction: float | None = None, columns: Iterable[str] | None = None
) -> float:
    """The expected number of records of a sample that are alone in the population, after Zayatz.

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
    The sizes of the classes seen are taken for those of the population; a unique record then comes from a
    class of one by Bayes, with hypergeometric chances. Time O(n log n).

    References
    ----------
    Zayatz: Estimation of the percent of unique population elements on a microdata file using the sample,
    Bureau of the Census, Statistical Research Division Report 91/08 (1991).

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"age": [30, 30, 40, 50]}, roles={"quasi": "age"})
    >>> round(zayatz_uniques(table, fraction=0.5), 2)
    1.27
    """
    return estimate_zayatz(sample_classes(table, fraction, columns))


def estimate_zayatz(sample: SampleClasses) -> float:
    """The same, from class sizes."""
    alone = sample.of_size(1)
    if not alone or sample.fraction == 1:
        return float(alone)
    shares = sample.counts / sample.classes
    chance = float(shares[sample.sizes == 1].sum()) * sample.fraction
    return as_share(alone * chance / float(shares @ _one_drawn(sample)), sample)


def _one_drawn(sample: SampleClasses) -> Matrix:
    """The chance that a class of every size has exactly one record in the sample (hypergeometric)."""
    N, n, sizes = round(sample.population), sample.records, sample.sizes.astype(np.float64)
    fits = (sizes <= N) & (n - 1 <= N - sizes)
    size = np.where(fits, sizes, 1.0)
    logs = np.log(size) + _log_choose(N - size, n - 1) - _log_choose(np.array([float(N)]), n)
    return np.where(fits, np.exp(logs), 0.0)


def _log_choose(N: Matrix, n: int) -> Matrix:
    from scipy.special import gammaln

    return np.asarray(gammaln(N + 1) - gammaln(n + 1.0) - gammaln(N - n + 1), dtype=np.float64)
