"""What a user must be told about the result of an evolution."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from shoal.errors import PrivacyWarning
from shoal.search.files.file_fitness import Figures
from shoal.types import Matrix

HALF = 50.0  # percent of disclosure risk that are said aloud; no measurement on record
TELLING = 0.9  # chance of another category from which on a masked category gives it away; not measured


def warn_of_risk(figures: Figures, stacklevel: int = 3) -> None:
    """Say so if the best by its score still discloses more than half."""
    if figures.disclosure_risk > HALF:
        warnings.warn(
            f"The best found still has a disclosure risk of {figures.disclosure_risk:.0f} %: the score may "
            "reward a file that is hardly masked; look at loss and risk apart, and use fitness='max'.",
            PrivacyWarning,
            stacklevel=stacklevel,
        )


def warn_of_backwards(matrices: Mapping[str, Matrix], counts: Sequence[Matrix], stacklevel: int = 3) -> None:
    """Say so if whoever knows the matrix can tell another category from a masked one."""
    named = [name for (name, P), t in zip(matrices.items(), counts, strict=True) if reads_backwards(P, t)]
    if named:
        warnings.warn(
            f"The matrix of {', '.join(named)} can be read backwards: a masked category tells with over "
            f"{TELLING:.0%} which other one it was; raise the lower limit of `diagonal`.",
            PrivacyWarning,
            stacklevel=stacklevel,
        )


def reads_backwards(P: Matrix, counts: Matrix) -> bool:
    """Whether a masked category makes another one nearly certain that was not so before.

    >>> reads_backwards(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([5.0, 5.0]))
    True
    >>> reads_backwards(np.array([[0.6, 0.4], [0.4, 0.6]]), np.array([5.0, 5.0]))
    False
    """
    before = counts / max(counts.sum(), 1.0)
    joint = before[:, None] * P
    after = joint / np.maximum(joint.sum(axis=0), 1e-300)
    np.fill_diagonal(after, 0.0)
    return bool(((after > TELLING) & (before[:, None] <= 0.5)).any())
