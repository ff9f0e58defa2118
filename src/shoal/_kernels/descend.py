"""Descent: records move, trade places, groups dissolve and are founded, while the sum of squares falls.

Groups take turns. One looks at its neighbours, the groups that hold near records of its members, and does
what helps most with each of them; both sides of a change get another turn. When nobody waits, all that
changed look for their neighbours again. When nothing changed, nothing helps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.deal import apart, deal
from shoal._kernels.groups import Groups, refresh
from shoal._kernels.jit import copied, jit
from shoal._kernels.regroup import dissolve, found
from shoal._kernels.sheaf import Sheaf, gather, sheaf_of, spreads

ROUNDS = 100  # some five are usual; rounding could make equal moves follow each other for ever
SAMPLE = 100  # groups that tell how far apart groups are
TURNS = 1000  # per group, for the same reason; some ten are usual


class Links(NamedTuple):
    """Near records and those that a record is near to: those of record i begin at starts[i]."""

    starts: Rows
    rows: Slots


class Round(NamedTuple):
    """Who waits for a turn, whom each group deals with, and room to work."""

    queue: Slots
    queued: NDArray[np.bool_]
    begins: Rows  # the neighbours of group g are numbers[begins[g] : ends[g]]; -1 before it has looked
    ends: Rows
    numbers: Slots
    seen: Rows  # by which group, when it looked for neighbours
    spread: Matrix  # of every group when the round began
    squares: Matrix


def descend_once(groups: Groups, near: Slots, k: int, neighbours: float = np.inf) -> None:
    """Moves and trades until none helps with the neighbours that groups find at their first turn.

    `neighbours` tells how many each group has on average: those with the closest means, in units of spread.
    """
    sheaf, links, waiting = sheaf_of(groups), links_of(near), np.flatnonzero(groups.sizes)
    reach = reach_of(groups, sheaf, links, neighbours)
    descend(groups, sheaf, links, k, reach, waiting, np.zeros(len(groups.sizes), np.bool_))
    refresh(groups)


def descend_fully(groups: Groups, near: Slots, k: int, neighbours: float = np.inf) -> None:
    """Until no move or trade helps; the number of groups stays."""
    _in_rounds(groups, near, k, neighbours, regrouping=False)


def descend_and_regroup(groups: Groups, near: Slots, k: int, neighbours: float = np.inf) -> None:
    """Until no move, trade, dissolved or founded group helps."""
    _in_rounds(groups, near, k, neighbours, regrouping=True)


def _in_rounds(groups: Groups, near: Slots, k: int, neighbours: float, *, regrouping: bool) -> None:
    sheaf, links, waiting = sheaf_of(groups), links_of(near), np.flatnonzero(groups.sizes)
    reach, untried = reach_of(groups, sheaf, links, neighbours), groups.sizes > 0
    for _ in range(ROUNDS):
        changed = np.zeros(len(untried), np.bool_)
        descend(groups, sheaf, links, k, reach, waiting, changed)
        if regrouping:
            untried = regroup(groups, near, k, untried | changed)
            gather(groups, sheaf)  # what was tried in vain changed their order
            changed |= untried
        waiting = np.flatnonzero(changed)
        if len(waiting) == 0:
            break
    refresh(groups)


def reach_of(groups: Groups, sheaf: Sheaf, links: Links, neighbours: float) -> float:
    """How far groups may be apart to be neighbours, so that each has so many on average."""
    if neighbours == np.inf:
        return np.inf
    some = np.flatnonzero(groups.sizes)
    some = some[:: max(1, len(some) // SAMPLE)]
    distances, wanted = (
        linked_distances(groups, spreads(groups, sheaf), links, some),
        int(neighbours * len(some)),
    )
    return float(np.partition(distances, wanted)[wanted]) if wanted < len(distances) else np.inf


@jit
def links_of(near: Slots) -> Links:
    """The lists of near records, read from both sides."""
    n = len(near)
    starts, rows = np.zeros(n + 1, np.intp), np.empty(2 * near.size, np.int32)
    for i in range(n):
        for j in near[i]:
            starts[i] += 1
            starts[j] += 1
    total = 0
    for i in range(n + 1):
        total += starts[i]
        starts[i] = total  # the end, for now
    for i in range(n - 1, -1, -1):
        for j in near[i]:
            starts[i] -= 1
            rows[starts[i]] = j
            starts[j] -= 1
            rows[starts[j]] = i
    return Links(starts, rows)


@jit
def linked_distances(groups: Groups, spread: Matrix, links: Links, some: Rows) -> Matrix:
    """Squared distances of the means of some groups from those linked to them, in units of their spreads."""
    found, count, seen = np.empty(len(links.rows)), 0, np.full(len(groups.sizes), -1)
    for a in some:
        seen[a] = a
        for p in range(groups.sizes[a]):
            i = groups.members[a, p]
            for q in range(links.starts[i], links.starts[i + 1]):
                b = groups.labels[links.rows[q]]
                if seen[b] != a:
                    seen[b] = a
                    unit = spread[a] + spread[b]
                    found[count] = apart(groups, a, b) / unit if unit > 0.0 else 0.0
                    count += 1
    return found[:count].copy()


@jit
def descend(
    groups: Groups,
    sheaf: Sheaf,
    links: Links,
    k: int,
    reach: float,
    waiting: Rows,
    changed: NDArray[np.bool_],
) -> None:
    """Moves and trades until none helps a group that waits or is changed on the way."""
    number, room = len(groups.sizes), sheaf.own.shape[1]
    turns = Round(
        np.empty(number, np.int32),
        np.zeros(number, np.bool_),
        np.full(number, -1),
        np.full(number, -1),
        np.empty(len(links.rows), np.int32),
        np.full(number, -1),
        spreads(groups, sheaf),
        np.empty((2, room)),
    )
    for p in range(len(waiting)):
        turns.queue[p], turns.queued[waiting[p]] = waiting[p], True
    _take_turns(groups, sheaf, links, k, reach, turns, len(waiting), changed)


@copied
def _take_turns(
    groups: Groups,
    sheaf: Sheaf,
    links: Links,
    k: int,
    reach: float,
    turns: Round,
    length: int,
    changed: NDArray[np.bool_],
) -> None:
    number, first, used, turn = len(groups.sizes), 0, 0, 0
    while length > 0 and turn < TURNS * number:
        a = turns.queue[first]
        turns.queued[a] = False
        first, length, turn = (first + 1) % number, length - 1, turn + 1
        if turns.begins[a] < 0:
            used = _find_neighbours(groups, links, reach, turns, a, used)
        for p in range(turns.begins[a], turns.ends[a]):
            b = turns.numbers[p]
            if deal(groups, sheaf, k, a, b, turns.squares):
                changed[a] = changed[b] = True
                for g in (np.int64(a), np.int64(b)):
                    if not turns.queued[g]:
                        turns.queue[(first + length) % number], turns.queued[g] = g, True
                        length += 1


@copied
def _find_neighbours(groups: Groups, links: Links, reach: float, turns: Round, a: int, used: int) -> int:
    """List the linked groups within reach, where the lists have been used so far; returns where they end."""
    turns.seen[a], turns.begins[a] = a, used
    for p in range(groups.sizes[a]):
        i = groups.members[a, p]
        for q in range(links.starts[i], links.starts[i + 1]):
            b = groups.labels[links.rows[q]]
            if turns.seen[b] != a:
                turns.seen[b] = a
                if apart(groups, a, b) <= reach * (turns.spread[a] + turns.spread[b]):
                    turns.numbers[used] = b
                    used += 1
    turns.ends[a] = used
    return used


@jit
def regroup(groups: Groups, near: Slots, k: int, tried: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Dissolve groups and found new ones where that helps, of those to be tried; tells which have changed."""
    changed = np.zeros(len(tried), np.bool_)
    _try_all(groups, near, k, tried, np.empty(2 * k, np.int32), changed)
    return changed


@copied
def _try_all(
    groups: Groups, near: Slots, k: int, tried: NDArray[np.bool_], moved: Slots, changed: NDArray[np.bool_]
) -> None:
    labels = groups.labels
    for g in range(len(groups.sizes)):
        size = groups.sizes[g]
        if tried[g] and size > 0 and dissolve(groups, near, k, g, 0.0, moved) < 0.0:
            for p in range(size):
                changed[labels[moved[p]]] = True
    for i in range(len(near)):
        home = labels[i]
        possible = (tried[home] or changed[home]) and groups.sizes[home] > k and groups.free[0] > 0
        if possible and found(groups, near, k, i, 0.0, moved) < 0.0:
            changed[labels[i]] = True
            for p in range(k):
                changed[moved[k + p]] = True
