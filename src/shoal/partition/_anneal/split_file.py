"""A file cut between its groups, side by side in some direction, so that the parts are searched at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.partition._anneal.spatial_file import SpatialFile
from shoal.partition.labels import means, relabel
from shoal.types import Labels, Matrix


def cut_file(X: Matrix, labels: Labels, direction: Matrix, count: int) -> list[Labels]:
    """Rows of parts with about equally many groups each, side by side in a direction.

    >>> cut_file(np.arange(8.0)[:, None], np.array([0, 0, 2, 2, 1, 1, 3, 3]), np.ones(1), 2)
    [array([0, 1, 2, 3]), array([4, 5, 6, 7])]
    """
    from shoal._kernels.groups.split_file import part_of_group

    part = part_of_group(means(X, labels), direction, count)[labels]
    return np.split(np.argsort(part, kind="stable"), np.cumsum(np.bincount(part, minlength=count))[:-1])


def part_of(file: SpatialFile, labels: Labels, rows: Labels) -> tuple[SpatialFile, Labels]:
    """What a search needs to know of a part, and its labels 0..g-1.

    A near record outside becomes the record itself, which no move heeds.
    """
    position = np.full(len(file.near), -1, dtype=np.int32)
    position[rows] = np.arange(len(rows), dtype=np.int32)
    inside: NDArray[np.int32] = position[file.near[rows]]
    outside = inside < 0
    inside[outside] = np.nonzero(outside)[0]
    return SpatialFile(file.X[rows], rows, inside, file.temperature_unit[rows]), relabel(labels[rows])


def join_parts(parts: Sequence[Labels], found: Iterable[Labels], n: int) -> Labels:
    """Labels (0..g-1) of the file from those of its parts, each 0..g-1."""
    labels, count = np.empty(n, dtype=np.intp), 0
    for rows, inside in zip(parts, found, strict=True):
        labels[rows] = inside + count
        count += int(inside.max()) + 1
    return relabel(labels)
