"""Where the bulk of the records lies and how it spreads, whatever outliers do (MCD)."""

from __future__ import annotations

import numpy as np

from shoal.errors import NotApplicable
from shoal.types import Matrix

STARTS = 300  # random starts; 500 in the paper, where files of that size gain nothing visible from the rest
BEST = 10  # starts that are followed to the end, as in the paper
SAMPLE_RECORDS = 1_500  # records the starts are tried on, as in the paper
STEPS = 100  # of a start at most: a guard, it ends when the half stays the same
TRIM = 0.975  # share of a normal bulk that counts in the end


def robust_covariance(X: Matrix) -> tuple[Matrix, Matrix]:
    """Centre and covariance of the half of the records that lie closest together, then of all that fit them.

    >>> rng = np.random.default_rng(1)
    >>> X = np.vstack([rng.normal(size=(200, 2)), np.full((40, 2), 50.0)])
    >>> centre, covariance = robust_covariance(X)
    >>> bool(np.abs(centre).max() < 0.3), bool(np.abs(covariance - np.eye(2)).max() < 0.4)
    (True, True)
    """
    n, d = X.shape
    if n < 2 * d + 2:
        raise NotApplicable(
            f"A robust covariance of {d} columns needs {2 * d + 2} records without gaps, got {n}; compare "
            "fewer columns."
        )
    rng = np.random.default_rng(0)
    sample = X if n <= SAMPLE_RECORDS else X[np.sort(rng.choice(n, SAMPLE_RECORDS, replace=False))]
    starts = [rng.choice(len(sample), d + 1, replace=False) for _ in range(STARTS)]
    tries = [try_ for rows in starts if (try_ := _concentrated(sample, rows, 2)) is not None]
    tries.sort(key=lambda found: found[2])
    ends = [_followed(X, centre, covariance, STEPS) for centre, covariance, _ in tries[:BEST]]
    known = [end for end in ends if end is not None]
    if not known:
        raise NotApplicable(
            "Half of the records lie in a line or plane of these columns, so they have no robust covariance; "
            "leave out columns that are mostly one value or follow from others."
        )
    centre, covariance, _ = min(known, key=lambda end: end[2])
    share = _half(n, d) / n
    covariance = covariance * (share / _chi2_share(chi2_limit(share, d), d + 2))
    near = squared_distances(X, centre, covariance) <= chi2_limit(TRIM, d)
    found = np.cov(X[near], rowvar=False).reshape(d, d) * (TRIM / _chi2_share(chi2_limit(TRIM, d), d + 2))
    return X[near].mean(axis=0), found


def squared_distances(X: Matrix, centre: Matrix, covariance: Matrix) -> Matrix:
    """Squared Mahalanobis distances from the centre.

    >>> squared_distances(np.array([[3.0, 0.0]]), np.zeros(2), np.diag([9.0, 1.0])).tolist()
    [1.0]
    """
    deviations = X - centre
    return np.asarray((deviations * np.linalg.solve(covariance, deviations.T).T).sum(axis=1))


def chi2_limit(share: float, d: int) -> float:
    """The squared distance that a share of normal records in d columns is within.

    >>> round(chi2_limit(0.95, 1), 3)
    3.841
    """
    from scipy.special import gammaincinv

    return float(2 * gammaincinv(d / 2, share))


def _chi2_share(limit: float, d: int) -> float:
    from scipy.special import gammainc

    return float(gammainc(d / 2, limit / 2))


Try = tuple[Matrix, Matrix, float]


def _half(n: int, d: int) -> int:
    return (n + d + 1) // 2


def _concentrated(X: Matrix, rows: Matrix, steps: int) -> Try | None:
    """A start of few records, widened by more of them until they span all directions."""
    d = X.shape[1]
    covariance = np.cov(X[rows], rowvar=False).reshape(d, d)
    if not _spans(covariance):
        rows = np.concatenate([rows, np.arange(min(len(X), 5 * d))])
        covariance = np.cov(X[rows], rowvar=False).reshape(d, d)
    return _followed(X, X[rows].mean(axis=0), covariance, steps) if _spans(covariance) else None


def _followed(X: Matrix, centre: Matrix, covariance: Matrix, steps: int) -> Try | None:
    """Take the nearest half, take its moments, until the determinant does not fall any more."""
    d, half, last = X.shape[1], _half(*X.shape), np.inf
    for _ in range(steps):
        nearest = np.argpartition(squared_distances(X, centre, covariance), half - 1)[:half]
        centre, covariance = X[nearest].mean(axis=0), np.cov(X[nearest], rowvar=False).reshape(d, d)
        if not _spans(covariance):
            return None
        size = float(np.linalg.slogdet(covariance)[1])
        if size >= last - 1e-12:
            break
        last = size
    return centre, covariance, last


def _spans(covariance: Matrix) -> bool:
    """Whether no direction is without spread, in units of the columns."""
    deviation = np.sqrt(np.diag(covariance))
    if not (deviation > 0).all():
        return False
    return bool(np.linalg.eigvalsh(covariance / np.outer(deviation, deviation))[0] > 1e-9)
