"""A file in two halves, cut between groups, that are searched at the same time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal.partition._anneal.spatial_file import Nearby
from shoal.partition.labels import relabel
from shoal.types import Labels, MapLike, Matrix

Search: TypeAlias = Callable[[Nearby, Labels, np.random.Generator], Labels]


def in_halves(
    near: Nearby, labels: Labels, search: Search, rng: np.random.Generator, workers: MapLike
) -> Labels:
    """Labels (0..g-1) after a search in either half, each with random numbers of its own.

    Which halves there are depends on the file and the generator alone, so the number of threads changes
    nothing but the time.
    """
    upper = upper_half(near.X, labels, rng.normal(size=near.X[0].shape))
    tasks = zip((False, True), rng.spawn(2), strict=True)
    found, count = np.empty(len(labels), dtype=np.intp), 0
    for rows, inside in workers(partial(_in_one, near, labels, search, upper), tasks):
        found[rows] = inside + count
        count += int(inside.max()) + 1
    return relabel(found)


def upper_half(X: Matrix, labels: Labels, direction: Matrix) -> NDArray[np.bool_]:
    """Which groups belong to the half that lies farther in a direction.

    >>> upper_half(np.arange(8.0)[:, None], np.array([0, 0, 2, 2, 1, 1, 3, 3]), np.ones(1))
    array([False,  True, False,  True])
    """
    from shoal._kernels.groups.split_file import group_places

    places = np.zeros(int(labels.max()) + 1)
    group_places(X, labels, direction, places)
    order = np.argsort(places, kind="stable")
    upper = np.ones(len(order), dtype=np.bool_)
    upper[order[: len(order) // 2]] = False
    return upper


def _in_one(
    near: Nearby,
    labels: Labels,
    search: Search,
    upper: NDArray[np.bool_],
    task: tuple[bool, np.random.Generator],
) -> tuple[Labels, Labels]:
    """The rows of a half and their labels after the search."""
    from shoal._kernels.groups.split_file import copy_half

    which, rng = task
    rows = np.flatnonzero(upper[labels] == which)
    X, inside = np.empty((len(rows), near.X.shape[1])), np.empty((len(rows), near.near.shape[1]), np.int32)
    warmth, own = np.empty(len(rows)), np.empty(len(rows), np.intp)
    copy_half(near.X, near.near, near.warmth, labels, rows, (X, inside, warmth, own))
    return rows, search(Nearby(X, rows, inside, warmth), own, rng)
