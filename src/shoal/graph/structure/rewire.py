"""Rewiring: some users get a few connections more or fewer, everybody else keeps as many as before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.graph.network import Edges

TRIES = 200  # random edges looked at before a change is given up; no measurement on record
Rows = NDArray[np.intp]


class Network:
    """Edges that change: the original ones as sorted arrays, and what was added and removed since."""

    def __init__(self, edges: Edges, n: int) -> None:
        both = np.vstack([edges, edges[:, ::-1]])
        both = both[np.lexsort((both[:, 1], both[:, 0]))]
        self.edges, self.ends = edges, both[:, 1]
        self.starts = np.searchsorted(both[:, 0], np.arange(n + 1))
        self.added: dict[int, set[int]] = {}
        self.removed: dict[int, set[int]] = {}

    def joined(self, a: int, b: int) -> bool:
        """Whether two users are connected now."""
        if b in self.added.get(a, ()):
            return True
        mine = self.ends[self.starts[a] : self.starts[a + 1]]
        place = int(np.searchsorted(mine, b))
        return place < len(mine) and int(mine[place]) == b and b not in self.removed.get(a, ())

    def friends(self, a: int) -> list[int]:
        """Whom a user is connected to now, in order."""
        mine = set(self.ends[self.starts[a] : self.starts[a + 1]].tolist())
        return sorted((mine - self.removed.get(a, set())) | self.added.get(a, set()))

    def add(self, a: int, b: int) -> None:
        self._note(a, b, self.removed, self.added)

    def remove(self, a: int, b: int) -> None:
        self._note(a, b, self.added, self.removed)

    def _note(self, a: int, b: int, undo: dict[int, set[int]], do: dict[int, set[int]]) -> None:
        for one, other in ((a, b), (b, a)):
            if other in undo.get(one, ()):
                undo[one].discard(other)
            else:
                do.setdefault(one, set()).add(other)

    def result(self) -> Edges:
        """All edges now, in order."""
        gone = [(a, b) for a, others in self.removed.items() for b in others if a < b]
        new = [(a, b) for a, others in self.added.items() for b in others if a < b]
        n = len(self.starts)
        keys = self.edges[:, 0] * n + self.edges[:, 1]
        keys = np.setdiff1d(keys, [a * n + b for a, b in gone], assume_unique=True)
        keys = np.sort(np.concatenate([keys, np.array([a * n + b for a, b in new], dtype=np.intp)]))
        return np.column_stack(np.divmod(keys, n)).astype(np.intp)


def rewired(edges: Edges, change: Rows, rng: np.random.Generator) -> Edges:
    """Edges in which user i has `change[i]` connections more; the changes add up to an even number.

    Cheapest first: two with too many who are connected part; a user with too many hands one on to a user with
    too few; two with too few connect. The rest goes through a third connection. What cannot be done at all
    stays undone, and the caller counts.
    """
    network = Network(edges, len(change))
    few, many = shuffled_units(np.maximum(change, 0), rng), shuffled_units(np.maximum(-change, 0), rng)
    many = _paired(network, many, join=False)
    few, many = handed_on(network, few, many)
    few = _paired(network, few, join=True)
    while len(few) >= 2:
        _through_an_edge(network, few.pop(), few.pop(), rng)
    while len(many) >= 2:
        _around(network, many.pop(), many.pop())
    return network.result()


def shuffled_units(count: Rows, rng: np.random.Generator) -> list[int]:
    """Every user as often as it has changes to make, in random order."""
    return [int(user) for user in rng.permutation(np.repeat(np.arange(len(count)), count))]


def _paired(network: Network, units: list[int], join: bool) -> list[int]:
    """Connect (or part) users two by two, as far as they are not (or are) connected; the users left over."""
    left, waiting = [], list(units)
    while waiting:
        a = waiting.pop()
        near = range(len(waiting) - 1, max(len(waiting) - TRIES, 0) - 1, -1)
        fits = (i for i in near if waiting[i] != a and network.joined(a, waiting[i]) != join)
        place = next(fits, None)
        if place is None:
            left.append(a)
        else:
            (network.add if join else network.remove)(a, waiting.pop(place))
    return left


def handed_on(network: Network, few: list[int], many: list[int]) -> tuple[list[int], list[int]]:
    """giver - x becomes taker - x, for every giver the first taker that works; the users left over."""
    takers, left = list(few), []
    for giver in many:
        near = range(len(takers) - 1, max(len(takers) - TRIES, 0) - 1, -1)
        place = next((i for i in near if _hand_on(network, giver, takers[i])), None)
        if place is None:
            left.append(giver)
        else:
            takers.pop(place)
    return takers, left


def _hand_on(network: Network, giver: int, taker: int) -> bool:
    """giver - x becomes taker - x, for the first x that is not connected to the taker yet."""
    for x in network.friends(giver):
        if x != taker and not network.joined(x, taker):
            network.remove(giver, x)
            network.add(taker, x)
            return True
    return False


def _through_an_edge(network: Network, a: int, b: int, rng: np.random.Generator) -> None:
    """x - y becomes a - x and b - y."""
    for place in rng.integers(len(network.edges), size=TRIES).tolist() if len(network.edges) else ():
        for x, y in (network.edges[place].tolist(), network.edges[place][::-1].tolist()):
            apart = len({x, y} & {a, b}) == 0 and network.joined(x, y)
            if apart and not network.joined(a, x) and not network.joined(b, y):
                network.remove(x, y)
                network.add(a, x)
                network.add(b, y)
                return


def _around(network: Network, a: int, b: int) -> None:
    """a - x and b - y become x - y."""
    for x in network.friends(a):
        for y in network.friends(b):
            if x != y and {x, y}.isdisjoint({a, b}) and not network.joined(x, y):
                network.remove(a, x)
                network.remove(b, y)
                network.add(x, y)
                return
