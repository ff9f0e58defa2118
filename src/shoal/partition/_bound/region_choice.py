"""Regions: choose anew among listed groups in one part of the file after the other, while the rest stays."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from shoal.partition._bound.costly_groups import costliest_groups, records_of_groups, replace_groups
from shoal.partition._bound.highs import Groups, Triples, groups_of_labels
from shoal.partition._bound.pricing import costs_of
from shoal.partition._bound.set_partitioning import choose_groups
from shoal.partition.labels import means, relabel
from shoal.types import Labels, Matrix

SIZE = 100  # records of a region: solved in a second or so
COSTLIEST = 240, 320, 400  # records of the costliest groups: outliers are rivals, however far apart
PATIENCE = 4  # times the whole file; no measurement on record
LONGEST = 3.0  # seconds for a region; no measurement on record


def improve_regions(
    X: Matrix, k: int, labels: Labels, listed: Groups, triples: Triples, end: float
) -> Labels:
    """Labels (0..g-1) at least as good; regions are tried until many in a row were no use, or time is up.

    First the costliest groups, in which most of the loss is, then those around one record after the other.
    """
    in_vain = 0
    for middle, size in _plan(len(X)):
        left = end - time.monotonic()
        if left <= 0 or in_vain > PATIENCE * len(X):
            break
        seconds = left / 2 if middle is None else min(left, LONGEST)
        rows = _region(X, labels, middle, size)
        found = _best_inside(X, k, labels, rows, listed, triples, seconds)
        in_vain += size
        if found is not None:
            in_vain = 0
            labels = replace_groups(labels, rows, found)
    return labels


def _plan(n: int) -> Iterator[tuple[int | None, int]]:
    """The record in the middle of each region, none for the costliest groups, and how many records it has."""
    yield from ((None, size) for size in COSTLIEST)
    yield from ((int(row), SIZE) for row in np.random.default_rng(0).permutation(n))  # always the same order


def _region(X: Matrix, labels: Labels, middle: int | None, size: int) -> NDArray[np.intp]:
    """The records of the groups whose means are nearest to a record, or of the costliest groups, in order."""
    if middle is None:
        return costliest_groups(X, labels, size)
    order = np.argsort(((means(X, labels) - X[middle]) ** 2).sum(axis=1), kind="stable")
    return records_of_groups(labels, order, size)


def _best_inside(
    X: Matrix,
    k: int,
    labels: Labels,
    rows: NDArray[np.intp],
    listed: Groups,
    triples: Triples,
    seconds: float,
) -> Labels | None:
    """Better labels of some records, if groups that lie among them give any."""
    place = np.full(len(X) + 1, -2, dtype=np.int32)  # the last one is for the filling
    place[rows], place[-1] = np.arange(len(rows)), -1
    inside = place[listed]
    own = groups_of_labels(relabel(labels[rows]), k)
    groups = np.unique(np.concatenate([inside[(inside > -2).all(axis=1)], own]), axis=0)
    triple = place[triples]
    costs = costs_of(X[rows], groups)
    mine = {group.tobytes() for group in own}
    first = np.array([group.tobytes() in mine for group in groups], dtype=np.float64)
    before = float(costs @ first)
    found = choose_groups(
        groups, costs, triple[(triple >= 0).all(axis=1)], len(rows), first=first, seconds=seconds
    ).labels
    if found is None or costs_of(X[rows], groups_of_labels(relabel(found), k)).sum() >= before * (1 - 1e-12):
        return None
    return relabel(found)
