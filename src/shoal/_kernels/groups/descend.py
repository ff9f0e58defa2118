"""Descent: records move, trade places, groups are dissolved and opened, while the sum of squares falls.

Groups take turns. One looks at its neighbours, the groups that hold near records of its members, and does
what helps most with each of them; both sides of a change get another turn. When nobody waits, all that
changed look for their neighbours again. When nothing changed, nothing helps.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.groups.exchange import apart, improve_pair
from shoal._kernels.groups.groups import Groups, refresh
from shoal._kernels.groups.member_tiles import MemberTiles, copy_members, member_tiles, spreads
from shoal._kernels.groups.open_and_dissolve import dissolve_group, open_group
from shoal._kernels.groups.split_file import part_of_group
from shoal._kernels.jit import inline, interpreted_if_small, jit
from shoal._kernels.threads import two_at_once

Flags: TypeAlias = NDArray[np.bool_]

MOST_ROUNDS = 100  # some five are usual; rounding could make equal moves follow each other for ever
TURNS_PER_GROUP = 1000  # per group, for the same reason; some ten are usual
SAMPLE_GROUPS = 50  # groups that tell how far apart groups are; no measurement on record
TWO_THREAD_NUMBERS, CUTS = (
    1 << 19,
    2,
)  # numbers in a file that is worth two threads, and how often it is cut for them


class Links(NamedTuple):
    """Near records and those that a record is near to: those of record i begin at starts[i]."""

    starts: Rows
    rows: Slots


class Round(NamedTuple):
    """Who waits for a turn, the neighbours of each group, and room to work."""

    queue: Slots
    queued: Flags
    begins: Rows  # the neighbours of group g are numbers[begins[g] : ends[g]]; -1 before it has looked
    ends: Rows
    numbers: Slots
    seen: Rows  # by which group, when it looked for neighbours
    spread: Matrix  # of every group when the round began
    squares: Matrix
    looked: Rows  # the turn in which a group looked at all its neighbours
    changed: Rows  # the turn in which it changed


def descend_once(groups: Groups, near: Slots, k: int, neighbours: float = np.inf) -> None:
    """Moves and trades until none helps with the neighbours that groups find at their first turn.

    `neighbours` tells how many each group has on average: those with the closest means, in units of spread.
    """
    tiles, links, number = (
        member_tiles(groups),
        interpreted_if_small(links_of, near.size)(near),
        len(groups.sizes),
    )
    reach, waiting = reach_of(groups, tiles, links, neighbours), np.flatnonzero(groups.sizes)
    descend(groups, tiles, links, k, reach, np.zeros(number, np.int8), np.zeros(number, np.bool_), waiting)
    refresh(groups)


def descend_fully(groups: Groups, near: Slots, k: int, neighbours: float = np.inf) -> None:
    """Until no move or trade helps; the number of groups stays."""
    _in_rounds(groups, near, k, neighbours, CUTS, regrouping=False)


def descend_and_regroup(
    groups: Groups, near: Slots, k: int, neighbours: float = np.inf, cuts: int = CUTS
) -> None:
    """Until no move, trade, dissolved or founded group helps.

    A large file that has not been searched in halves just now is `cuts` times.
    """
    _in_rounds(groups, near, k, neighbours, cuts, regrouping=True)


def _in_rounds(
    groups: Groups, near: Slots, k: int, neighbours: float, cuts: int, *, regrouping: bool
) -> None:
    tiles, links, waiting = (
        member_tiles(groups),
        interpreted_if_small(links_of, near.size)(near),
        np.flatnonzero(groups.sizes),
    )
    if cuts > 0 and groups.X.size >= TWO_THREAD_NUMBERS:
        _in_halves(groups, tiles, links, k, neighbours, cuts)
    reach, whole = reach_of(groups, tiles, links, neighbours), np.zeros(len(groups.sizes), np.int8)
    untried = groups.sizes > 0
    for _ in range(MOST_ROUNDS):
        changed = np.zeros(len(untried), np.bool_)
        descend(groups, tiles, links, k, reach, whole, changed, waiting)
        if regrouping:
            untried, stirred = regroup(groups, near, k, untried | changed)
            interpreted_if_small(copy_members, groups.X.size)(groups, tiles, np.flatnonzero(stirred))
            changed |= untried
        waiting = np.flatnonzero(changed)
        if len(waiting) == 0:
            break
    refresh(groups)


def _in_halves(
    groups: Groups, tiles: MemberTiles, links: Links, k: int, neighbours: float, cuts: int
) -> None:
    """The groups of either half of the file among themselves, at the same time; then another cut.

    A thread changes nothing in the other's half and heeds nothing there, so one thread would do the same.
    """
    rng, changed = np.random.default_rng(0), np.zeros(len(groups.sizes), np.bool_)
    with two_at_once() as both:
        for direction in rng.normal(size=(cuts, groups.X.shape[1])):
            reach = reach_of(groups, tiles, links, neighbours)
            sides = part_of_group(groups.means, direction, 2).astype(np.int8)
            step = partial(descend, groups, tiles, links, k, reach, sides, changed)
            both(step, [np.flatnonzero((sides == side) & (groups.sizes > 0)) for side in (0, 1)])


def reach_of(groups: Groups, tiles: MemberTiles, links: Links, neighbours: float) -> float:
    """How far groups may be apart to be neighbours, so that each has so many on average."""
    if neighbours == np.inf:
        return np.inf
    some = np.flatnonzero(groups.sizes)
    some = some[:: max(1, len(some) // SAMPLE_GROUPS)]
    distances = linked_distances(groups, spreads(groups, tiles), links, some)
    wanted = int(neighbours * len(some))
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
    tiles: MemberTiles,
    links: Links,
    k: int,
    reach: float,
    sides: NDArray[np.int8],
    changed: Flags,
    waiting: Rows,
) -> None:
    """Moves and trades within a side until none helps a group that waits or is changed on the way."""
    number, room = len(groups.sizes), tiles.own.shape[1]
    turns = Round(
        np.empty(number, np.int32),
        np.zeros(number, np.bool_),
        np.full(number, -1),
        np.full(number, -1),
        np.empty(len(links.rows), np.int32),
        np.full(number, -1),
        spreads(groups, tiles),
        np.empty((2, room)),
        np.full(number, -1),
        np.full(number, -1),
    )
    for p in range(len(waiting)):
        turns.queue[p], turns.queued[waiting[p]] = waiting[p], True
    _take_turns(groups, tiles, links, k, reach, sides, turns, len(waiting), changed)


@inline
def _take_turns(
    groups: Groups,
    tiles: MemberTiles,
    links: Links,
    k: int,
    reach: float,
    sides: NDArray[np.int8],
    turns: Round,
    length: int,
    changed: Flags,
) -> None:
    number, first, used, turn = len(groups.sizes), 0, 0, 0
    while length > 0 and turn < TURNS_PER_GROUP * number:
        a = turns.queue[first]
        turns.queued[a] = False
        first, length, turn = (first + 1) % number, length - 1, turn + 1
        if turns.begins[a] < 0:
            used = _find_neighbours(groups, links, reach, sides, turns, a, used)
        for p in range(turns.begins[a], turns.ends[a]):
            b = turns.numbers[p]
            if not _looked(turns, b, a) and improve_pair(groups, tiles, k, a, b, turns.squares):
                for g in (np.int64(a), np.int64(b)):
                    changed[g], turns.changed[g] = True, turn
                    if not turns.queued[g]:
                        turns.queue[(first + length) % number], turns.queued[g] = g, True
                        length += 1
        turns.looked[a] = turn


@inline
def _looked(turns: Round, b: int, a: int) -> bool:
    """Has b looked at a since either changed? Then there is nothing to be found."""
    then = turns.looked[b]
    if turns.changed[a] < then and turns.changed[b] < then:
        for p in range(turns.begins[b], turns.ends[b]):
            if turns.numbers[p] == a:
                return True
    return False


@inline
def _find_neighbours(
    groups: Groups, links: Links, reach: float, sides: NDArray[np.int8], turns: Round, a: int, used: int
) -> int:
    """List the linked groups within reach on this side, where the lists end; returns where they end then."""
    turns.seen[a], turns.begins[a] = a, used
    for p in range(groups.sizes[a]):
        i = groups.members[a, p]
        for q in range(links.starts[i], links.starts[i + 1]):
            b = groups.labels[links.rows[q]]
            if sides[b] == sides[a] and turns.seen[b] != a:
                turns.seen[b] = a  # between two groups without spread nothing helps: not a number is not less
                if apart(groups, a, b) <= reach * (turns.spread[a] + turns.spread[b]):
                    turns.numbers[used] = b
                    used += 1
    turns.ends[a] = used
    return used


@jit
def regroup(groups: Groups, near: Slots, k: int, tried: Flags) -> tuple[Flags, Flags]:
    """Dissolve groups and open new ones where that helps, of those to be tried.

    Returns which groups have changed, and which have their members in another order, if only since something
    was tried in vain.
    """
    changed, stirred = np.zeros(len(tried), np.bool_), tried.copy()
    _try_all(groups, near, k, tried, np.empty(2 * k, np.int32), changed, stirred)
    return changed, stirred | changed


@inline
def _try_all(
    groups: Groups, near: Slots, k: int, tried: Flags, moved: Slots, changed: Flags, stirred: Flags
) -> None:
    labels = groups.labels
    for g in range(len(groups.sizes)):
        size = groups.sizes[g]
        if tried[g] and size > 0 and dissolve_group(groups, near, k, g, 0.0, moved) < 0.0:
            for p in range(size):
                changed[labels[moved[p]]] = True
    for i in range(len(near)):
        home = labels[i]
        if (tried[home] or changed[home]) and groups.sizes[home] > k and groups.free[0] > 0:
            stirred[home] = True
            for j in near[i]:
                stirred[labels[j]] = True
            if open_group(groups, near, k, i, 0.0, moved) < 0.0:
                changed[labels[i]] = True
                for p in range(k):
                    changed[moved[k + p]] = True
