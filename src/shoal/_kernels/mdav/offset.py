"""Take large offsets out of columns; a difference between two records changes no more than rounding must."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix


def remove_offset(X: Matrix) -> None:
    """In place: columns come near zero, a constant one becomes all zeros, the largest number about 1.

    All by multiples and powers of two: whole numbers keep their exact differences, so that ties remain ties.
    Squares neither overflow nor vanish.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    X -= np.where(low < high, 0.0, low)
    _scale(X)
    low, high = X.min(axis=0), X.max(axis=0)
    step = np.ldexp(1.0, np.frexp(high - low)[1] + 2)  # at least four times the range
    X -= np.round((low + high) / 2 / step) * step
    _scale(X)


def _scale(X: Matrix) -> None:
    np.ldexp(X, -np.frexp(max(X.max(), -X.min()))[1], out=X)
