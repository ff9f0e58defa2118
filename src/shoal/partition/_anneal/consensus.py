"""A population of partitions: what all agree on is settled, and the others tell a record its company."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.partition.labels import sizes
from shoal.types import Labels


def companions(population: Sequence[Labels], k: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Of every record k-1 others of its group in each partition, random ones of a larger group.

    Who keeps its company in most partitions is listed most often.

    >>> companions([np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])], 2, np.random.default_rng(0))
    array([[2, 1],
           [3, 0],
           [0, 3],
           [1, 2]], dtype=int32)
    """
    lists = [_companions(labels, k, rng) for labels in population]
    return np.concatenate(lists, axis=1)


def _companions(labels: Labels, k: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Members in a random order; everyone is followed by the next ones, after the last comes the first."""
    shuffled = rng.permutation(len(labels))
    order = shuffled[np.argsort(labels[shuffled], kind="stable")]
    count = sizes(labels)
    first = (np.cumsum(count) - count)[labels]
    place = np.empty(len(labels), dtype=np.intp)
    place[order] = np.arange(len(labels))
    steps = (place - first)[:, None] + np.arange(1, k)
    return order[first[:, None] + steps % count[labels][:, None]].astype(np.int32)


def disputed(population: Sequence[Labels]) -> NDArray[np.int32]:
    """Records whose group is not the same in all partitions.

    >>> disputed([np.array([0, 0, 1, 1, 1, 0]), np.array([0, 0, 2, 2, 1, 1])])
    array([0, 1, 2, 3, 4, 5], dtype=int32)
    >>> disputed([np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0])])
    array([], dtype=int32)
    """
    one = population[0]
    size, same = sizes(one)[one], np.ones(len(one), dtype=bool)
    for other in population[1:]:
        _, pair, shared = np.unique(one * len(one) + other, return_inverse=True, return_counts=True)
        same &= (shared[pair] == size) & (sizes(other)[other] == size)
    return np.flatnonzero(~same).astype(np.int32)
