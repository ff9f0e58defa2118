"""Where groups lie in a direction, and what a search needs to know of half a file."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit


@jit
def group_places(X: Matrix, labels: Rows, direction: Matrix, places: Matrix) -> None:
    """The mean of every group along a direction; column by column, so that every machine agrees."""
    sizes = np.zeros(len(places), np.intp)
    for i in range(len(X)):
        g, along = labels[i], 0.0
        for c in range(X.shape[1]):
            along += X[i, c] * direction[c]
        sizes[g] += 1
        places[g] += (along - places[g]) / sizes[g]


@jit
def copy_half(
    X: Matrix, near: Slots, warmth: Matrix, labels: Rows, rows: Rows, half: tuple[Matrix, Slots, Matrix, Rows]
) -> None:
    """Fill in records, near records, warmth and labels 0..g-1 of these rows.

    A near record elsewhere becomes the record itself, which no move heeds.
    """
    place, number, groups = np.full(len(X), -1, np.int32), np.full(len(X), -1, np.int32), 0
    own_X, own_near, own_warmth, own_labels = half
    for p in range(len(rows)):
        place[rows[p]] = p
    for p in range(len(rows)):
        i, g = rows[p], labels[rows[p]]
        for q in range(near.shape[1]):
            there = place[near[i, q]]
            own_near[p, q] = there if there >= 0 else p
        if number[g] < 0:
            number[g] = groups
            groups += 1
        for c in range(X.shape[1]):
            own_X[p, c] = X[i, c]
        own_warmth[p], own_labels[p] = warmth[i], number[g]
