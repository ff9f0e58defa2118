"""Simulated annealing by the clock or by count: two partitions of a small file, the parts of a large one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import NamedTuple

import numpy as np

from shoal.partition._anneal.merge_partitions import merge_partitions
from shoal.partition._anneal.spatial_file import SpatialFile
from shoal.partition._anneal.split_file import cut_file, join_parts, part_of
from shoal.partition.labels import means, relabel
from shoal.partition.local_search import usual_neighbours
from shoal.types import Labels, MapLike

Rounds = Iterable[tuple[int, float]]  # tries per record, and which share of the search is over
Stop = Callable[[float, Labels], bool]

COPIES = 2  # partitions of a small file, each by itself: two processors are the least there is
HOT, COLD = 1.0, 0.1  # first and last temperature, in units of `SpatialFile.temperature_unit`
HOT_PART, COLD_PART = 2.0, 0.2  # the same for a large file, where outliers are stuck at 1
# Share of the search between two looks at what the copies would come to if they were cold. Census, k = 5,
# 1,500 tries per record: half and double change the loss by less than 0.1 %, the time is 1.3 and 0.7.
TOLD = 0.1
REBUILT = 0.09  # rebuilt neighbourhoods per try and 1/k: about half of the time
REBUILT_PART = 0.03  # the same in parts of a large file; chosen, not measured
PART = 5_000  # records of a part of a large file: what one searcher reads again and again stays close to it


class AnnealTask(NamedTuple):
    """One partition at one temperature; it can be sent to another process."""

    file: SpatialFile
    labels: Labels
    k: int
    sweeps: int
    temperature: float
    rebuilt: float
    rng: np.random.Generator


def anneal_task(task: AnnealTask) -> Labels:
    """The labels (0..g-1) after some tries per record."""
    from shoal._kernels.groups.anneal import anneal
    from shoal._kernels.groups.groups import groups_of
    from shoal._kernels.groups.rebuild import rebuild_some
    from shoal._kernels.random import xorshift_state

    file, labels, k, sweeps, temperature, rebuilt, rng = task
    groups, state = groups_of(file.X, labels, k), xorshift_state(rng)
    anneal(groups, file.near, file.temperature_unit, k, sweeps, temperature, state)
    tries = int(rng.binomial(sweeps * len(labels), min(rebuilt / k, 1.0)))
    rebuild_some(groups, file.near, file.temperature_unit, k, tries, temperature, state)
    return relabel(groups.labels.astype(np.intp))


def anneal_copies(
    file: SpatialFile,
    labels: Labels,
    k: int,
    rounds: Rounds,
    rng: np.random.Generator,
    workers: MapLike,
    stop: Stop,
) -> list[Labels]:
    """The best partition found, and the copies it was put together from.

    Every copy cools down by itself; wherever one is better than the others, or than the start, it is kept.
    """
    best, copies, told = labels, [labels] * COPIES, 0.0
    for sweeps, fraction in rounds:
        temperature, each = HOT * (COLD / HOT) ** fraction, max(1, sweeps // COPIES)
        tasks = [
            AnnealTask(file, one, k, each, temperature, REBUILT, stream)
            for one, stream in zip(copies, rng.spawn(COPIES), strict=True)
        ]
        copies = list(workers(anneal_task, tasks))
        if fraction >= told + TOLD:
            best, told = _better(file, best, [descend_to_optimum(file, one, k) for one in copies]), fraction
        if stop(fraction, best):
            break
    cooled = [descend_to_optimum(file, one, k) for one in copies]
    return [descend_to_optimum(file, _better(file, best, cooled), k), *cooled]


def _better(file: SpatialFile, best: Labels, others: Sequence[Labels]) -> Labels:
    """The best of several partitions in every part of the file."""
    return reduce(partial(merge_partitions, file.X), others, best)


def anneal_parts(
    file: SpatialFile,
    labels: Labels,
    k: int,
    rounds: Rounds,
    rng: np.random.Generator,
    workers: MapLike,
    stop: Stop,
) -> list[Labels]:
    """The same for a large file, once and in parts that are cut along another direction in every round.

    Which parts there are depends on the file and the generator alone, so the number of workers changes
    nothing but the time.
    """
    current = labels
    for sweeps, fraction in rounds:
        temperature = HOT_PART * (COLD_PART / HOT_PART) ** fraction
        centres = means(file.X, current)
        direction = rng.normal(size=file.X.shape[1]) / np.maximum(centres.std(axis=0), 1e-300)
        parts = cut_file(file.X, current, direction, max(2, len(current) // PART))
        tasks = (
            AnnealTask(*part_of(file, current, rows), k, sweeps, temperature, REBUILT_PART, stream)
            for rows, stream in zip(parts, rng.spawn(len(parts)), strict=True)
        )
        current = join_parts(parts, workers(anneal_task, tasks), len(current))
        if stop(fraction, labels):
            break
    return [merge_partitions(file.X, labels, descend_to_optimum(file, current, k))]


def descend_to_optimum(file: SpatialFile, labels: Labels, k: int) -> Labels:
    """Down to where no move helps."""
    from shoal._kernels.groups.descend import descend_and_regroup
    from shoal._kernels.groups.groups import groups_of

    groups = groups_of(file.X, relabel(labels), k)
    descend_and_regroup(groups, file.near, k, usual_neighbours(len(labels)))
    return relabel(groups.labels.astype(np.intp))
