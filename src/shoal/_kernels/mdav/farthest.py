"""The farthest record from a centre that moves a little every time, looked for in an outer shell.

Distances to an old centre, sorted once, bound those to the new one: they differ by at most the way between
the two. Instead of all records only the outermost few are measured again.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import inline, jit, kernel_only
from shoal._kernels.spatial.record_tree import NO_RECORD

CHUNK = 1 << 13  # rows looked at at once; as many as fit the fast memory, not measured
WALK = 1000  # after so many records a search from scratch is the better idea; no measurement on record
SAFE = 1.0 + 1e-9  # more than rounding can do


class Shell(NamedTuple):
    """The records at least `rest` away from `centre`, the farthest first."""

    centre: Matrix
    distance: Matrix
    row: Slots
    rest: float  # every other record is closer
    cursor: Rows  # first entry still there; records looked at since the distances were taken


def outer_shell(X: Matrix, places: Slots, centre: Matrix) -> Shell:
    """An eighth of the records (all if there are few), sorted by distance to the centre."""
    rest = _cut(X, places, centre)
    rows: list[Slots] = []
    minus: list[Matrix] = []
    for start in range(0, len(X), CHUNK):
        row = start + np.flatnonzero(places[start : start + CHUNK] >= 0)
        distance = _distances(X, row, centre)
        rows.append(row[distance >= rest].astype(np.int32))
        minus.append(-distance[distance >= rest])
    keys = np.concatenate(minus)
    del minus  # memory counts
    order = np.argsort(keys, kind="stable")
    outer: Slots = np.concatenate(rows)
    del rows
    return Shell(centre, -keys[order], outer[order], rest, np.zeros(2, np.intp))


def _cut(X: Matrix, places: Slots, centre: Matrix) -> float:
    """A distance that about an eighth of the records exceed, judged by a sample; -1 for few records."""
    step = len(X) // 8192 + 1
    sample = step * np.flatnonzero(places[::step] >= 0)
    return float(np.quantile(_distances(X, sample, centre), 0.875)) if len(sample) > 2048 else -1.0


@jit
def _distances(X: Matrix, rows: Rows, q: Matrix) -> Matrix:
    out = np.empty(len(rows))
    for i in range(len(rows)):
        out[i] = sqrt(square(X[rows[i]], q))
    return out


@inline
def square(x: Matrix, q: Matrix) -> float:
    """Squared distance of two points, summed column by column."""
    total = 0.0
    for j in range(len(q)):
        difference = x[j] - q[j]
        total += difference * difference
    return total


@kernel_only
def outermost(X: Matrix, places: Slots, shell: Shell, centre: Matrix) -> int:
    """The record farthest from the centre, among equals the lowest row; NO_RECORD if the shell cannot say."""
    drift = sqrt(square(centre, shell.centre))
    size, cursor = len(shell.row), shell.cursor
    while cursor[0] < size and places[shell.row[cursor[0]]] < 0:
        cursor[0] += 1
    winner, best, length, i = NO_RECORD, -1.0, 0.0, cursor[0]
    limit = min(size, i + WALK)
    while i < limit and (shell.distance[i] + drift) * SAFE + 1e-150 >= length:
        row = shell.row[i]
        if places[row] >= 0:
            distance = square(X[row], centre)
            if distance > best or (distance == best and row < winner):
                winner, best, length = row, distance, sqrt(distance)
        i += 1
    cursor[1] += i - cursor[0]
    next_distance = shell.distance[i] if i < size else shell.rest
    return winner if (next_distance + drift) * SAFE + 1e-150 < length else NO_RECORD
