"""Annealing side by side: several partitions of a file, or several parts of one partition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.partition._anneal.spatial_file import Nearby
from shoal.partition.labels import means, relabel
from shoal.partition.local_search import usual_neighbours
from shoal.types import Labels, MapLike, Matrix

PART = 5_000  # records of a part of a large file: what one searcher reads again and again stays close to it
REBUILT = 0.03  # share of the moves in a part, times k, that rebuild groups


class Guide(NamedTuple):
    """Where records look for another group, and which records do."""

    near: NDArray[np.int32]
    closest: bool  # the first in the lists are the closest, and preferred
    turns: NDArray[np.int32]
    rebuilt: float  # share of the moves that group the records of a few groups anew


class Task(NamedTuple):
    """What a searcher is told; it can be sent to another process."""

    X: Matrix
    warmth: Matrix
    labels: Labels
    guide: Guide
    k: int
    sweeps: int
    heat: float
    rng: np.random.Generator


def everyone(near: NDArray[np.int32], rebuilt: float) -> Guide:
    """Every record looks at its near ones."""
    return Guide(near, True, np.arange(len(near), dtype=np.int32), rebuilt)


def anneal_whole(
    near: Nearby,
    population: Sequence[Labels],
    guide: Guide,
    k: int,
    *,
    sweeps: int,
    heat: float,
    rng: np.random.Generator,
    workers: MapLike,
) -> list[Labels]:
    """Anneal several partitions of a file at one temperature, each by itself."""
    streams = rng.spawn(len(population))
    return list(
        workers(
            anneal_task,
            [
                Task(near.X, near.warmth, labels, guide, k, sweeps, heat, stream)
                for labels, stream in zip(population, streams, strict=True)
            ],
        )
    )


def anneal_parts(
    near: Nearby,
    labels: Labels,
    k: int,
    *,
    sweeps: int,
    heat: float,
    rng: np.random.Generator,
    workers: MapLike,
) -> Labels:
    """Anneal every part at one temperature; the cut is another one every time.

    Which parts there are depends on the file and the generator alone, so the number of workers changes
    nothing but the time.
    """
    parts = cut(near.X, labels, max(2, len(labels) // PART), rng)
    streams = rng.spawn(len(parts))
    tasks = [
        Task(
            near.X[rows],
            near.warmth[rows],
            relabel(labels[rows]),
            everyone(_inside(near.near, rows), REBUILT / k),
            k,
            sweeps,
            heat,
            stream,
        )
        for rows, stream in zip(parts, streams, strict=True)
    ]
    return _together(parts, workers(anneal_task, tasks), len(labels))


def _together(parts: list[Labels], found: Iterable[Labels], n: int) -> Labels:
    """Labels of the file from those of its parts."""
    labels, count = np.empty(n, dtype=np.intp), 0
    for rows, inside in zip(parts, found, strict=True):
        labels[rows] = inside + count
        count += int(inside.max()) + 1
    return labels


def cut(X: Matrix, labels: Labels, count: int, rng: np.random.Generator) -> list[Labels]:
    """Rows of parts with about equally many groups each, side by side in a random direction.

    >>> cut(np.arange(8.0)[:, None], np.array([0, 0, 1, 1, 2, 2, 3, 3]), 2, np.random.default_rng(0))
    [array([0, 1, 2, 3]), array([4, 5, 6, 7])]
    """
    centres = means(X, labels)
    direction = rng.normal(size=X.shape[1]) / np.maximum(centres.std(axis=0), 1e-300)
    rank = np.argsort(np.argsort(centres @ direction, kind="stable"), kind="stable")
    part = rank * min(count, len(centres)) // len(centres)
    order = np.argsort(part[labels], kind="stable")
    return np.split(order, np.cumsum(np.bincount(part[labels]))[:-1])


def _inside(near: NDArray[np.int32], rows: Labels) -> NDArray[np.int32]:
    """Lists of near records among the rows; one outside becomes the record itself, which no move heeds."""
    position = np.full(len(near), -1, dtype=np.int32)
    position[rows] = np.arange(len(rows))
    found = position[near[rows]]
    return np.where(found < 0, np.arange(len(rows), dtype=np.int32)[:, None], found)


def anneal_task(task: Task) -> Labels:
    """The labels (0..g-1) after some tries per record."""
    from shoal._kernels.groups.groups import groups_of
    from shoal._kernels.groups.simmer import simmer
    from shoal._kernels.random import dice_of

    groups, (near, closest, turns, rebuilt) = groups_of(task.X, task.labels, task.k), task.guide
    dice = dice_of(task.rng)
    simmer(groups, near, task.warmth, task.k, turns, task.sweeps, task.heat, closest, rebuilt, dice)
    return relabel(groups.labels.astype(np.intp))


def rest(near: Nearby, labels: Labels, k: int) -> Labels:
    """Down to where no move helps."""
    from shoal._kernels.groups.descend import descend_and_regroup
    from shoal._kernels.groups.groups import groups_of

    groups = groups_of(near.X, relabel(labels), k)
    descend_and_regroup(groups, near.near, k, usual_neighbours(len(labels)))
    return relabel(groups.labels.astype(np.intp))
