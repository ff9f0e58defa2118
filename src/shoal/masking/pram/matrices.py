"""Transition matrices for PRAM: frequencies of the categories in, a row-stochastic matrix out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from shoal._check import check_number
from shoal.errors import InvalidInput
from shoal.types import Matrix


def frequency_matrix(frequencies: ArrayLike, *, p: float) -> Matrix:
    """Every category stays with probability p, and else changes to a rare one rather than to a common one.

    Parameters
    ----------
    frequencies
        How many records have each category.
    p
        The probability to stay, from 0 to 1; it has no default because it is the protection.

    Returns
    -------
    Matrix
        Row k has the probabilities of what category k becomes: (1 - p) (N - T(k) - T(l)) / ((n - 2) (N -
        T(k))) for another category l, with T the frequencies, N their sum and n the number of categories.

    Notes
    -----
    Of two categories, each changes to the other with 1 - p. Time and memory O(n^2).

    References
    ----------
    De Wolf, Van Gelder: An empirical evaluation of PRAM, Statistics Netherlands discussion paper 04012
    (2004).

    Examples
    --------
    >>> frequency_matrix([50, 30, 20], p=0.8).round(3)
    array([[0.8  , 0.08 , 0.12 ],
           [0.057, 0.8  , 0.143],
           [0.075, 0.125, 0.8  ]])
    """
    T = _check_frequencies(frequencies)
    check_number("p", p, 0, 1)
    n = len(T)
    weights = np.maximum(T.sum() - T[:, None] - T[None, :], 0.0)  # of two categories all are 0: spread evenly
    return _with_diagonal(weights, np.full(n, float(p)))


def inverse_frequency_matrix(frequencies: ArrayLike, *, theta: float) -> Matrix:
    """Common categories mostly stay, the rarest stays with probability 1 - theta; changes go anywhere alike.

    Parameters
    ----------
    frequencies
        How many records have each category.
    theta
        How often the rarest category changes, from 0 to 1; it has no default because it is the protection.

    Returns
    -------
    Matrix
        Category k stays with 1 - theta T(K) / T(k), where K is the rarest category anyone has; the rest of
        the row is spread evenly. As many records are expected to leave one category as any other.

    Notes
    -----
    A category nobody has counts like the rarest. Time and memory O(n^2) for n categories.

    References
    ----------
    Domingo-Ferrer, Torra: A quantitative comparison of disclosure control methods for microdata, in
    Confidentiality, Disclosure and Data Access (2001).

    Examples
    --------
    >>> inverse_frequency_matrix([50, 30, 20], theta=0.5).round(3)
    array([[0.8  , 0.1  , 0.1  ],
           [0.167, 0.667, 0.167],
           [0.25 , 0.25 , 0.5  ]])
    """
    T = _check_frequencies(frequencies)
    check_number("theta", theta, 0, 1)
    rarest = float(T[T > 0].min())
    return _with_diagonal(np.ones((len(T), len(T))), 1 - theta * rarest / np.maximum(T, rarest))


def invariant_matrix(frequencies: ArrayLike, *, p: float) -> Matrix:
    """The expected frequencies after PRAM are those before: t P = t; every category stays with at least p.

    Parameters
    ----------
    frequencies
        How many records have each category.
    p
        The least probability to stay, from 0 to 1, reached by the category that stays least; common
        categories stay more often, because their frequency could not hold otherwise. It has no default
        because it is the protection.

    Returns
    -------
    Matrix
        Only categories that someone has are drawn; one that nobody has stays.

    Notes
    -----
    Two stages: a first matrix, then the one that by Bayes' rule brings the frequencies back; their product is
    mixed with the identity until the smallest diagonal entry is p. Time O(n^3) for n categories.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg, de Wolf: Post randomisation for statistical disclosure control: theory
    and implementation, Journal of Official Statistics 14 (1998).

    Examples
    --------
    >>> P = invariant_matrix([50, 30, 20], p=0.8)
    >>> (np.array([50, 30, 20]) @ P).round(12)
    array([50., 30., 20.])
    >>> float(P.diagonal().min().round(12))
    0.8
    """
    T = _check_frequencies(frequencies)
    check_number("p", p, 0, 1)
    seen = np.flatnonzero(T > 0)
    t = T[seen] / T.sum()
    first = frequency_matrix(t, p=1 / len(t))
    arriving = t @ first
    product = first @ (first * t[:, None] / arriving).T
    mixed = min(1.0, (1 - p) / max(1 - product.diagonal().min(), 1e-12))
    P: Matrix = np.eye(len(T))
    P[np.ix_(seen, seen)] = (1 - mixed) * np.eye(len(t)) + mixed * product
    return P


def estimate_frequencies(realised: ArrayLike, matrix: ArrayLike) -> Matrix:
    """Unbiased estimate of the frequencies before PRAM, from those after it and the matrix: realised P^-1.

    Parameters
    ----------
    realised
        Frequencies in the released file, in the order of the matrix.
    matrix
        The transition matrix that was used; the data owner has to publish it.

    Returns
    -------
    Matrix
        One estimate per category; they add up to the number of records, and a rare one can be below 0.

    Notes
    -----
    An analyst who does not correct for PRAM is biased towards what the matrix produces (unless it is an
    invariant one). Time O(n^3) for n categories.

    References
    ----------
    Kooiman, Willenborg, Gouweleeuw: PRAM, a method for disclosure limitation of microdata, Statistics
    Netherlands research paper 9705 (1997).

    Examples
    --------
    >>> P = frequency_matrix([50, 30, 20], p=0.8)
    >>> estimate_frequencies(np.array([50, 30, 20]) @ P, P).round(9)
    array([50., 30., 20.])
    """
    counts = np.asarray(realised, dtype=np.float64)
    P = check_transitions(matrix, len(counts))
    if np.linalg.cond(P) > 1e12:
        raise InvalidInput(
            "The matrix has no inverse: it mixes categories beyond recall; use one with a larger diagonal."
        )
    estimates: Matrix = np.linalg.solve(P.T, counts).astype(np.float64)
    return estimates


def check_transitions(matrix: Any, count: int, what: str = "The matrix") -> Matrix:
    """The matrix as float64, if it is square, of that size, not negative, and its rows add up to 1."""
    try:
        P: Matrix = np.array(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"{what} must be made of numbers, one row per category.") from None
    if P.shape != (count, count):
        raise InvalidInput(f"{what} must have {count} rows and columns, one per category, got {P.shape}.")
    bad = np.flatnonzero(~((P >= 0).all(axis=1) & (np.abs(P.sum(axis=1) - 1) < 1e-9)))
    if len(bad):
        raise InvalidInput(
            f"Row {bad[0]} of {what[0].lower()}{what[1:]} must have numbers from 0 to 1 that add up to 1, "
            f"got a sum of {P[bad[0]].sum():g}."
        )
    return P


def _check_frequencies(frequencies: ArrayLike) -> Matrix:
    T: Matrix = np.asarray(frequencies, dtype=np.float64)
    if T.ndim != 1 or not np.isfinite(T).all() or (T < 0).any() or not T.sum() > 0:
        raise InvalidInput("`frequencies` needs one count per category, at least one of them above 0.")
    return T


def _with_diagonal(weights: Matrix, diagonal: Matrix) -> Matrix:
    """Rows in proportion to the weights off the diagonal, which gets what is asked for."""
    if len(weights) == 1:
        return np.ones((1, 1))
    others = 1 - np.eye(len(weights))
    P = weights * others
    P = np.where(P.sum(axis=1, keepdims=True) > 0, P, others)
    P *= ((1 - diagonal) / P.sum(axis=1))[:, None]
    np.fill_diagonal(P, diagonal)
    return P
