"""Intruder: turns a published PRAM matrix round, by Bayes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal.errors import InvalidInput, NotApplicable
from shoal.measures.attack.scene import Finding, Scene, most_exposed, standard_error
from shoal.measures.coded_pair import code_pair
from shoal.types import Labels, Matrix

ROUNDS = 500  # of the estimate of the true shares
CLOSE = 1e-9  # of probabilities that are the same but for rounding


def pram_inversion(scene: Scene) -> Finding:
    """Guess the likeliest original category of every released one; the coin says the most frequent one."""
    names = [
        name for name in scene.matrices if name in scene.original.names() and name in scene.masked.names()
    ]
    if not names:
        raise NotApplicable("It needs the PRAM matrices of columns of both files.")
    found = []
    for name in names:
        before, after, categories = code_pair(scene.original, scene.masked, name)
        rows = np.flatnonzero((before >= 0) & (after >= 0))
        M = matrix_of(name, scene.matrices[name], categories)
        shares = estimated_shares(M, np.bincount(after[rows], minlength=len(categories)))
        guess = np.argmax(shares[:, None] * M, axis=0)
        right = (guess[after[rows]] == before[rows]).astype(np.float64)
        coin = float((before[rows] == shares.argmax()).mean())
        found.append((name, rows, right, coin))
    name, rows, right, coin = max(found, key=lambda one: float(one[2].mean() - one[3]))
    return Finding(
        "pram_inversion",
        "PRAM turned round",
        "the published matrix and the released category",
        f"categories of {name!r} guessed right",
        float(right.mean()),
        coin,
        standard_error(right, coin),
        len(right),
        f"column {name!r} is the easiest of {len(found)} to turn round",
        most_exposed(right, rows),
    )


def matrix_of(name: str, given: Mapping[Any, Mapping[Any, float]], categories: tuple[Any, ...]) -> Matrix:
    """The matrix in the order of the categories; a category without a row stays what it is.

    >>> matrix_of("sex", {"f": {"f": 0.9, "m": 0.1}, "m": {"m": 1.0}}, ("f", "m")).tolist()
    [[0.9, 0.1], [0.0, 1.0]]
    """
    if not isinstance(given, Mapping) or not all(isinstance(row, Mapping) for row in given.values()):
        raise InvalidInput(
            f"The matrix of column {name!r} must map every category to its row: released category and chance."
        )
    by_text = {str(category): place for place, category in enumerate(categories)}
    M = np.eye(len(categories))
    for category, row in given.items():
        place = by_text.get(str(category))
        if place is None:
            continue
        M[place] = 0.0
        for released, chance in row.items():
            if str(released) in by_text:
                M[place, by_text[str(released)]] = float(chance)
        if (M[place] < 0).any() or M[place].sum() > 1 + 1e-6:
            raise InvalidInput(f"A row of the matrix of column {name!r} is no distribution; let it sum to 1.")
    return M


def estimated_shares(M: Matrix, counts: Labels) -> Matrix:
    """The shares of the original categories that make the released counts likeliest, by EM.

    >>> estimated_shares(np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([82, 18])).round(3).tolist()
    [0.9, 0.1]
    """
    shares, seen = np.full(len(M), 1 / len(M)), counts / counts.sum()
    for _ in range(ROUNDS):
        expected = shares @ M
        ratio = np.divide(seen, expected, out=np.zeros_like(seen), where=expected > 0)
        after = shares * (M @ ratio)
        after = after / after.sum() if after.sum() > 0 else shares
        if np.abs(after - shares).max() < CLOSE:
            break
        shares = after
    return shares
