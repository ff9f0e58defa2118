"""What gaps protect from an intruder who knows all keys: the chance to pick the right record."""

from __future__ import annotations

import numpy as np

from shoal.masking.suppression.wildcards import Codes, Mask, number_rows
from shoal.types import Matrix


def gap_risk(codes: Codes, mask: Mask) -> Matrix:
    """For every record the chance that an intruder who knows all its keys picks it out of the released file.

    Candidates are the records that agree wherever they have a value. One with gaps is as likely as the values
    it would have to hide are frequent, so that blank records protect nobody but themselves.

    >>> codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> gap_risk(codes, np.zeros((4, 2), dtype=bool)).tolist()
    [1.0, 1.0, 1.0, 1.0]
    >>> mask = np.array([[True, True], [False, False], [False, False], [False, False]])
    >>> gap_risk(codes, mask).round(2).tolist()
    [1.0, 0.8, 0.8, 0.8]
    """
    released = np.where(mask, -1, codes)
    chances = np.ones(codes.shape)  # of a value: how frequent it is in the file
    for column, values in enumerate(codes.T):
        known = values >= 0
        shares = np.bincount(values[known]) / max(int(known.sum()), 1)
        chances[known, column] = shares[values[known]]
    patterns, own = np.unique(released >= 0, axis=0, return_inverse=True)
    total, weight = np.zeros(len(codes)), np.empty(len(codes))
    for number, observed in enumerate(patterns):
        rows = np.flatnonzero(own.reshape(-1) == number)
        likely = chances[:, ~observed].prod(axis=1)
        total += likely * _matches(codes[:, observed], released[np.ix_(rows, np.flatnonzero(observed))])
        weight[rows] = likely[rows]
    return np.where(total > 0, weight / np.maximum(total, 1e-300), 0.0)


def _matches(known: Codes, released: Codes) -> Matrix:
    """How many of the released rows agree with each known one; what is not known agrees with all."""
    counts = np.zeros(len(known))
    patterns, of = np.unique(known >= 0, axis=0, return_inverse=True)
    for number, columns in enumerate(patterns):
        rows = np.flatnonzero(of.reshape(-1) == number)
        labels = number_rows(np.concatenate([released, known[rows]])[:, columns])
        found = np.bincount(labels[: len(released)], minlength=labels.max() + 1)
        counts[rows] = found[labels[len(released) :]]
    return counts


def agreeing_counts(known: Codes, released: Codes) -> Codes:
    """How many of the released rows agree with each known one wherever both have a value.

    >>> agreeing_counts(np.array([[0, 1]]), np.array([[0, -1], [0, 1], [1, 1]])).tolist()
    [2]
    """
    counts = np.zeros(len(known))
    patterns, own = np.unique(released >= 0, axis=0, return_inverse=True)
    for number, observed in enumerate(patterns):
        rows = np.flatnonzero(own.reshape(-1) == number)
        counts += _matches(known[:, observed], released[np.ix_(rows, np.flatnonzero(observed))])
    return counts.astype(np.intp)
