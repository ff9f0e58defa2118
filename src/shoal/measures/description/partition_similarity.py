"""How alike two partitions of the same records are: indices over pairs, and an entropy distance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import InvalidInput
from shoal.models.row_classes import refine


def rand_index(a: Any, b: Any) -> float:
    """Share of the pairs of records that both partitions keep together or both keep apart: 0 to 1 (the same).

    Parameters
    ----------
    a, b
        Labels: one per record, any values.

    Returns
    -------
    float
        1 for a single record.

    Notes
    -----
    Time O(n log n), as for all indices of this file.

    References
    ----------
    Rand: Objective criteria for the evaluation of clustering methods, Journal of the American Statistical
    Association 66 (1971).

    Examples
    --------
    >>> rand_index([0, 0, 1, 1], [0, 0, 1, 2]).__round__(3)
    0.833
    """
    both, in_a, in_b, pairs = _pair_counts(a, b)
    return 1.0 if pairs == 0 else (pairs + 2 * both - in_a - in_b) / pairs


def adjusted_rand_index(a: Any, b: Any) -> float:
    """The Rand index corrected for chance: 1 for the same partition, about 0 for unrelated ones.

    Two partitions without any freedom (all together or all apart in both) are the same: 1.

    References
    ----------
    Hubert, Arabie: Comparing partitions, Journal of Classification 2 (1985).

    Examples
    --------
    >>> adjusted_rand_index([0, 0, 1, 1], [0, 0, 1, 2]).__round__(3)
    0.571
    """
    both, in_a, in_b, pairs = _pair_counts(a, b)
    if pairs == 0 or both == in_a == in_b:
        return 1.0
    expected = in_a * in_b / pairs
    return (both - expected) / ((in_a + in_b) / 2 - expected)


def jaccard_index(a: Any, b: Any) -> float:
    """Of the pairs that either partition keeps together, the share both do: 0 to 1 (the same).

    Two partitions that keep no pair together are the same: 1.

    References
    ----------
    Jaccard: The distribution of the flora in the alpine zone, New Phytologist 11 (1912).

    Examples
    --------
    >>> jaccard_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    both, in_a, in_b, _ = _pair_counts(a, b)
    either = in_a + in_b - both
    return 1.0 if either == 0 else both / either


def fowlkes_mallows_index(a: Any, b: Any) -> float:
    """Geometric mean of the two Wallace indices: 0 to 1 (the same).

    References
    ----------
    Fowlkes, Mallows: A method for comparing two hierarchical clusterings, Journal of the American Statistical
    Association 78 (1983).

    Examples
    --------
    >>> fowlkes_mallows_index([0, 0, 1, 1], [0, 0, 1, 2]).__round__(3)
    0.707
    """
    return float(np.sqrt(wallace_index(a, b) * wallace_index(b, a)))


def wallace_index(a: Any, b: Any) -> float:
    """Of the pairs that `a` keeps together, the share that `b` does too: 0 to 1; not symmetric.

    If `a` keeps no pair together: 1 if `b` does not either, else 0.

    References
    ----------
    Wallace: A method for comparing two hierarchical clusterings: comment, Journal of the American
    Statistical Association 78 (1983).

    Examples
    --------
    >>> wallace_index([0, 0, 1, 1], [0, 0, 1, 2]), wallace_index([0, 0, 1, 2], [0, 0, 1, 1])
    (0.5, 1.0)
    """
    both, in_a, in_b, _ = _pair_counts(a, b)
    if in_a == 0:
        return 1.0 if in_b == 0 else 0.0
    return both / in_a


def mantaras_distance(a: Any, b: Any) -> float:
    """Information that one partition lacks about the other, over their joint entropy: 0 (the same) to 1.

    (H(a | b) + H(b | a)) / H(a, b); two partitions of a single group are the same: 0.

    References
    ----------
    Lopez de Mantaras: A distance-based attribute selection measure for decision tree induction, Machine
    Learning 6 (1991).

    Examples
    --------
    >>> mantaras_distance([0, 0, 1, 1], [0, 1, 0, 1])
    1.0
    """
    first, second = _labels(a, b)
    joint = _entropy(refine(first, second))
    if joint <= 1e-12:
        return 0.0
    return float(np.clip(2.0 - (_entropy(first) + _entropy(second)) / joint, 0.0, 1.0))


def _labels(a: Any, b: Any) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.asarray(a), np.asarray(b)
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise InvalidInput(
            "Two partitions need one label per record each, and at least one record; "
            f"got shapes {first.shape} and {second.shape}."
        )
    return np.unique(first, return_inverse=True)[1], np.unique(second, return_inverse=True)[1]


def _pair_counts(a: Any, b: Any) -> tuple[int, int, int, int]:
    """Pairs together in both, in a, in b, and all pairs; whole numbers, so that nothing overflows."""
    first, second = _labels(a, b)
    n = len(first)
    return _together(refine(first, second)), _together(first), _together(second), n * (n - 1) // 2


def _together(labels: NDArray[np.intp]) -> int:
    sizes = np.bincount(labels).astype(np.int64)
    return int((sizes * (sizes - 1) // 2).sum())


def _entropy(labels: NDArray[np.intp]) -> float:
    share = np.bincount(labels) / len(labels)
    return float(-(share[share > 0] * np.log(share[share > 0])).sum())
