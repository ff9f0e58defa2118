"""Transition matrices as genes: drawing, mutating and crossing rows, and keeping them within limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from shoal._check import check_number
from shoal.errors import InvalidInput
from shoal.masking.pram.matrices import frequency_matrix, invariant_matrix, inverse_frequency_matrix
from shoal.types import Matrix

Genes: TypeAlias = tuple[Matrix, ...]  # one row-stochastic matrix per column, of the categories someone has
# The strengths the first matrices are made with
SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9)


def standard_genes(frequencies: Sequence[Matrix]) -> list[Genes]:
    """The matrices of the three builders in many settings.

    >>> len(standard_genes([np.array([5.0, 3.0])]))
    30
    """
    found = []
    for share in SHARES:
        found.append(tuple(frequency_matrix(t, p=1 - share) for t in frequencies))
        found.append(tuple(inverse_frequency_matrix(t, theta=share) for t in frequencies))
        found.append(tuple(invariant_matrix(t, p=1 - share) for t in frequencies))
    return found


def random_genes(frequencies: Sequence[Matrix], rng: np.random.Generator) -> Genes:
    """Rows drawn at random, mixed with the identity by a share drawn once."""
    stay = rng.random()
    drawn = (rng.random((len(t), len(t))) for t in frequencies)
    return tuple(stay * np.eye(len(P)) + (1 - stay) * P / P.sum(axis=1, keepdims=True) for P in drawn)


def mutate_row(genes: Genes, rng: np.random.Generator) -> Genes:
    """Entries of one row are drawn anew, anywhere or near the old ones, and the row is normalised.

    >>> child = mutate_row((np.eye(3),), np.random.default_rng(1))
    >>> child[0].sum(axis=1).round(12)
    array([1., 1., 1.])
    """
    column, row = _rows(genes)[int(rng.integers(len(_rows(genes))))]
    P = genes[column].copy()
    chosen = rng.random(len(P)) < 0.5
    chosen[int(rng.integers(len(P)))] = True
    if rng.random() < 0.5:
        P[row, chosen] = rng.random(int(chosen.sum()))
    else:
        P[row, chosen] = (P[row, chosen] + 0.01) * np.exp(rng.normal(size=int(chosen.sum())))
    P[row] = P[row] / P[row].sum() if P[row].sum() > 0 else np.eye(len(P))[row]
    return (*genes[:column], P, *genes[column + 1 :])


def cross_rows(first: Genes, second: Genes, rng: np.random.Generator) -> tuple[Genes, Genes]:
    """Two children by exchanging a block of rows, counted through all matrices."""
    rows = _rows(first)
    low, high = np.sort(rng.integers(len(rows) + 1, size=2))
    one, other = [P.copy() for P in first], [P.copy() for P in second]
    for column, row in rows[low:high]:
        one[column][row], other[column][row] = second[column][row], first[column][row]
    return tuple(one), tuple(other)


def _rows(genes: Genes) -> list[tuple[int, int]]:
    """Column and row of everything that can change; a single category cannot."""
    return [(column, row) for column, P in enumerate(genes) if len(P) > 1 for row in range(len(P))]


def check_diagonal(diagonal: Any, invariant: bool) -> tuple[float, float]:
    """The limits of the diagonal, if they are limits, and can be kept."""
    try:
        low, high = diagonal
    except (TypeError, ValueError):
        raise InvalidInput(f"`diagonal` must be two numbers, as (0.2, 0.9), got {diagonal!r}.") from None
    check_number("diagonal", low, 0, 1)
    check_number("diagonal", high, 0, 1)
    if low > high:
        raise InvalidInput(f"`diagonal` must be (lowest, highest), got {diagonal!r}.")
    if invariant and high < 1:
        raise InvalidInput(
            "An invariant matrix has no upper limit of the diagonal: a common category keeps its frequency "
            "only if it mostly stays; give diagonal=(low, 1), or invariant=False."
        )
    return float(low), float(high)


def within_limits(P: Matrix, low: float, high: float) -> Matrix:
    """The matrix with its diagonal moved into the limits; the rest of a row keeps its proportions.

    >>> within_limits(np.array([[1.0, 0.0], [0.6, 0.4]]), 0.5, 0.9).round(12)
    array([[0.9, 0.1],
           [0.5, 0.5]])
    """
    if len(P) == 1:
        return np.ones((1, 1))
    stay = np.clip(P.diagonal(), low, high)
    others = 1 - np.eye(len(P))
    rest = P * others
    rest = np.where(rest.sum(axis=1, keepdims=True) > 0, rest, others)
    rest *= ((1 - stay) / rest.sum(axis=1))[:, None]
    return rest + np.diag(stay)


def made_invariant(P: Matrix, frequencies: Matrix, low: float) -> Matrix:
    """Two stages: the matrix, then the one that by Bayes' rule brings the frequencies back.

    Their product is mixed with the identity where a category would stay with less than `low`.

    >>> t = np.array([50.0, 30.0, 20.0])
    >>> (t @ made_invariant(np.array([[0.5, 0.5, 0.0], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]), t, 0.6)).round(9)
    array([50., 30., 20.])
    """
    t = frequencies / frequencies.sum()
    arriving = t @ P
    back = (P * t[:, None] / np.where(arriving > 0, arriving, 1.0)).T
    back[arriving <= 0] = np.eye(len(P))[arriving <= 0]
    product = P @ back
    mixed = min(1.0, (1 - low) / max(1 - float(product.diagonal().min()), 1e-12))
    kept: Matrix = (1 - mixed) * np.eye(len(P)) + mixed * product
    return kept
