"""What an analyst who knows the matrix can say about the file before PRAM, and how sure."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from shoal.errors import InvalidInput
from shoal.masking.pram.matrices import check_transitions, estimate_frequencies
from shoal.types import Matrix


def frequency_errors(realised: ArrayLike, matrix: ArrayLike) -> Matrix:
    """Standard errors of what `estimate_frequencies` gives: how far chance may have moved it.

    Parameters
    ----------
    realised
        Frequencies in the released file, in the order of the matrix.
    matrix
        The transition matrix that was used; the data owner has to publish it.

    Returns
    -------
    Matrix
        One standard error per category, in records. About 95 of 100 estimates lie within two of them of the
        truth. It is the error that PRAM adds; that of the sample comes on top.

    Notes
    -----
    The covariance of the released frequencies is the sum over categories of t_k (diag(p_k) -
    p_k p_k'), with row p_k of the matrix; the inverse of the matrix carries it over to the estimates. Time
    O(n^3) for n categories.

    References
    ----------
    Kooiman, Willenborg, Gouweleeuw: PRAM, a method for disclosure limitation of
    microdata, Statistics Netherlands research paper 9705 (1997).

    Examples
    --------
    >>> frequency_errors([500, 300, 200], [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]).round(1)
    array([16.3, 15. , 14.3])
    """
    P = check_transitions(matrix, np.asarray(realised).size)
    estimates = np.maximum(estimate_frequencies(realised, P), 0.0)
    released = np.diag(estimates @ P) - (P.T * estimates) @ P
    inverse = np.linalg.inv(P)
    variances = np.einsum("ij,ik,kj->j", inverse, released, inverse)
    errors: Matrix = np.sqrt(np.maximum(variances, 0.0))
    return errors


def estimate_crosstab(realised: ArrayLike, matrices: list[ArrayLike | None]) -> Matrix:
    """Unbiased estimate of a table of several columns before PRAM, from the released one.

    Parameters
    ----------
    realised
        Counts of the released file: one axis per column, categories in the order of the matrices.
    matrices
        A matrix per axis; None for a column that PRAM left alone.

    Returns
    -------
    Matrix
        Estimates, of the same shape; rare cells can be below 0.

    Notes
    -----
    PRAM draws for every column by itself, so the inverse of every matrix is applied along its
    axis. Time O(cells times categories).

    References
    ----------
    Van den Hout, Van der Heijden: Randomized response, statistical disclosure control
    and misclassification: a review, International Statistical Review 70 (2002).

    Examples
    --------
    >>> P = [[0.8, 0.2], [0.2, 0.8]]
    >>> estimate_crosstab([[41.0, 29.0], [24.0, 26.0]], [P, None]).round(1)
    array([[46.7, 30. ],
           [18.3, 25. ]])
    """
    counts: Matrix = np.asarray(realised, dtype=np.float64)
    if counts.ndim != len(matrices):
        raise InvalidInput(
            f"The table has {counts.ndim} axes, got {len(matrices)} matrices; give one or None for each."
        )
    for axis, matrix in enumerate(matrices):
        if matrix is not None:
            moved = np.moveaxis(counts, axis, 0)
            rows = moved.reshape(len(moved), -1).T
            solved = np.array([estimate_frequencies(row, matrix) for row in rows]).T
            counts = np.moveaxis(solved.reshape(moved.shape), 0, axis)
    return counts
