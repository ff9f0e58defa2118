"""Hierarchical t-closeness: values that meet low in the hierarchy are near each other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_number
from shoal.errors import InvalidInput
from shoal.models.classes import Classes, thresholds
from shoal.models.value_shares import known_shares, value_shares
from shoal.types import Matrix


def hierarchical_t_close(classes: Classes, *, t: float | Mapping[str, float]) -> NDArray[np.bool_]:
    """Whether every class is at most t from the file, the distance of values being where they meet.

    Parameters
    ----------
    classes
        The classes of look-alikes, with their confidential columns.
    t
        The greatest distance, 0 to 1, for all confidential columns or by column.

    Returns
    -------
    NDArray[bool]
        One verdict per class.

    Notes
    -----
    Earth mover's distance, two values being as far as the level of their common ancestor / height: at
    every label, what the parts below cannot settle among themselves moves up. It needs a hierarchy. Missing
    values are left out. Time O(n log n + classes x values x levels).

    References
    ----------
    Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity, ICDE (2007).

    Examples
    --------
    >>> from shoal.models import Classes, hidden_column
    >>> lines = np.array([[0, 3, 5], [1, 3, 5], [2, 4, 5]])
    >>> ill = hidden_column(np.array([0, 1, 2, 2]), "nominal", lines)
    >>> hierarchical_t_close(Classes(np.array([0, 0, 1, 1]), {"ill": ill}), t=0.4)
    array([False, False])
    """
    kept = np.ones(classes.count, dtype=bool)
    for name, most in thresholds(classes, "t", t).items():
        distance = hierarchical_distances(classes, name)
        kept &= distance <= check_number(f"t of {name}", most, 0, 1) + 1e-12
    return kept


def hierarchical_distances(classes: Classes, name: str) -> Matrix:
    """The distance of every class from the whole file, over the hierarchy of a confidential column."""
    lines = classes.hidden[name].ancestors
    if lines is None:
        raise InvalidInput(f"Column {name!r} has no hierarchy, which hierarchical t needs; give it one.")
    found, whole = value_shares(classes, name), known_shares(classes, name)
    extra = np.zeros((classes.count, len(whole)))
    extra[found.owner, found.codes] = found.shares
    extra[np.bincount(found.owner, minlength=classes.count) > 0] -= whole
    height, total = max(lines.shape[1] - 1, 1), np.zeros(classes.count)
    below = np.arange(len(whole))
    for level in range(1, lines.shape[1]):
        labels, above = np.unique(lines[:, level], return_inverse=True)
        above = above.reshape(-1)
        parts = np.unique(below, return_index=True)[1]  # one value of every label of the level below
        gain, loss = np.zeros((classes.count, len(labels))), np.zeros((classes.count, len(labels)))
        for part in parts.tolist():
            moved = extra[:, below == below[part]].sum(axis=1)
            gain[:, above[part]] += np.maximum(moved, 0)
            loss[:, above[part]] -= np.minimum(moved, 0)
        total += np.minimum(gain, loss).sum(axis=1) * level / height
        below = above
    return total
