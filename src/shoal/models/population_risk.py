"""Individual risk: the chance that a record is the person of the population it looks like."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.models.classes import Classes
from shoal.models.k_map import people_of
from shoal.types import Matrix

TERMS = 120  # of the series for E(1/F); more than double precision can tell


def population_risk(classes: Classes, *, risk: float) -> NDArray[np.bool_]:
    """Whether the individual risk of the records of a class, E(1 / F | f), is at most the risk.

    Parameters
    ----------
    classes
        The classes of look-alikes, with the sampling weights of their records.
    risk
        The highest individual risk, a fraction above 0 and at most 1.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    f records of the sample and F people of the population look alike, F negative binomial given f with
    p = f / sum of weights; what `shoal.measures.individual_risks` says of every record. O(n).

    References
    ----------
    Benedetti, Franconi: Statistical and technological solutions for controlled data dissemination, New
    Techniques and Technologies for Statistics (1998).

    Examples
    --------
    >>> classes = Classes(np.array([0, 0, 1]), weights=np.array([10.0, 20.0, 2.0]))
    >>> population_risk(classes, risk=0.2)
    array([ True, False])
    """
    most = check_number("risk", risk, 1e-9, 1)
    there = classes.records > 0
    frequency = np.maximum(classes.records, 1).astype(np.float64)
    people = np.where(there, people_of(classes), 1.0)
    return ~there | (expected_inverse(frequency, np.minimum(frequency / people, 1.0)) <= most + 1e-12)


def expected_inverse(frequency: Matrix, p: Matrix) -> Matrix:
    """E(1/F | f) = p I, I the integral of (1-s)^(f-1) / (1 - (1-p) s) over 0..1 (Franconi and Polettini).

    >>> expected_inverse(np.array([1.0, 2.0]), np.array([0.1, 1.0])).round(3).tolist()
    [0.256, 0.5]
    """
    pairs, which = np.unique(np.column_stack([frequency, p]), axis=0, return_inverse=True)
    f, p = pairs.T
    short = (f < TERMS / 4) & (p < 0.5)  # the recursion halves errors there; the series converges elsewhere
    integrals = np.empty(len(f))
    integrals[short] = _integrals_by_recursion(f[short], p[short])
    integrals[~short] = _integrals_by_series(f[~short], p[~short])
    return np.minimum(p * integrals, 1.0)[which.reshape(-1)]


def _integrals_by_recursion(f: Matrix, p: Matrix) -> Matrix:
    """I_1 = log(1/p) / q, I_f = (1/(f-1) - p I_(f-1)) / q with q = 1 - p."""
    result = -np.log(p) / (1 - p)
    for step in range(2, int(f.max(initial=1)) + 1):
        result = np.where(step <= f, (1.0 / (step - 1) - p * result) / (1 - p), result)
    return result


def _integrals_by_series(f: Matrix, p: Matrix) -> Matrix:
    """I_f = 1/f * sum of q^n n! / ((f+1) ... (f+n))."""
    term, total = 1.0 / f, 1.0 / f
    for n in range(1, TERMS + 1):
        term = term * (1 - p) * n / (f + n)
        total = total + term
    return total
