"""The node of the lattice that loses least and keeps the promise: proven, or with the bound so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from shoal.search.recoding.cell_losses import CellLosses
from shoal.search.recoding.count_node import CountedNode, Demand, Levels, count_node
from shoal.search.recoding.key_codes import KeyCodes
from shoal.types import Matrix

UNKNOWN, COUNTED, RULED_OUT = 0, 1, 2
SLACK = 1e-12  # losses closer than this are equal


@dataclass
class LatticeSearch:
    """What is known while a lattice is searched: the state of every node, and the best so far."""

    keys: KeyCodes
    losses: CellLosses
    demand: Demand
    deadline: float = np.inf
    stop: Callable[[LatticeSearch], bool] | None = None
    best: CountedNode | None = None
    value: float = np.inf
    counted: int = 0
    trace: list[tuple[int, float, float]] = field(default_factory=list)  # nodes counted, best, bound
    halted: bool = False
    looked: list[tuple[Levels, float, float]] = field(default_factory=list)  # levels, least loss, loss
    fewest: int = -1  # the least number of records below k at a node that was counted

    def __post_init__(self) -> None:
        columns = self.keys.columns
        self.means = self.losses.level_means(self.keys)
        self.offset = np.array([column.lowest for column in columns])
        self.sums = node_sums(self.losses, self.means, self.keys)
        self.state = np.zeros(self.sums.shape, dtype=np.int8)
        self.low = 0.0  # no node that is left loses less than this

    @property
    def nodes(self) -> int:
        """Nodes of the lattice."""
        return self.sums.size

    @property
    def bound(self) -> float:
        """No node of the lattice loses less than this."""
        return min(self.low, self.value)

    def run(self) -> None:
        """Take the nodes by rising loss without suppression until that reaches the best."""
        order = np.argsort(self.sums, axis=None, kind="stable")
        sums, state = self.losses.from_sum(self.sums).reshape(-1), self.state.reshape(-1)
        for node in order:
            if state[node] != UNKNOWN:
                continue
            self.low = float(sums[node])
            if self.low >= self.value - SLACK:
                break
            self._settle(tuple(int(level) for level in np.unravel_index(node, self.sums.shape)))
            if self.halted:
                return
        else:
            self.low = np.inf
        self._note()

    def _least(self, node: Levels) -> float:
        """What a node loses at least."""
        return float(self.losses.from_sum(self.sums[node]))

    def _settle(self, node: Levels) -> None:
        """Climb from a node by the cheapest steps, then bisect for where the promise begins to be kept."""
        path = list(self._climb(node))
        low, high = 0, len(path)  # path[high:] keeps the promise, or cannot be better
        while low < high and not self.halted:
            middle = (low + high) // 2
            if self.state[path[middle]] == RULED_OUT or not self._count(path[middle]):
                low = middle + 1
            else:
                high = middle

    def _climb(self, node: Levels) -> Iterator[Levels]:
        while True:
            yield node
            steps = [
                (*node[:c], level + 1, *node[c + 1 :])
                for c, level in enumerate(node)
                if level + 1 < self.sums.shape[c]
            ]
            if not steps:
                return
            node = min(steps, key=lambda step: float(self.sums[step]))
            if self._least(node) >= self.value - SLACK:
                return

    def _count(self, node: Levels) -> bool:
        """Whether the part of the promise that never breaks further up is kept; the best is noted."""
        if self.state[node] == COUNTED:
            return True
        levels = np.array(node) + self.offset
        found = count_node(self.keys, levels, self.demand, lambda: row_costs(self.keys, self.losses, levels))
        self.counted += 1
        self.fewest = found.below_k if self.fewest < 0 else min(self.fewest, found.below_k)
        self.state[node] = COUNTED
        self._learn(node, found)
        value = np.inf if found.dropped is None else self._value(levels, found)
        self.looked.append((found.levels, self._least(node), value))
        if found.below_k > self.demand.allowed:
            below = tuple(slice(0, level + 1) for level in node)
            self.state[below] = RULED_OUT  # fewer records have company further down
        elif value < self.value - SLACK:
            self.best, self.value = found, value
            self._note()
        if time.perf_counter() > self.deadline or (self.stop is not None and self.stop(self)):
            self.halted = True
        return bool(self.state[node] == COUNTED)

    def _learn(self, node: Levels, found: CountedNode) -> None:
        """What a counted node says about others, beyond who is ruled out."""

    def _value(self, levels: NDArray[np.intp], found: CountedNode) -> float:
        assert found.dropped is not None
        return value_of(self.keys, self.losses, self.means, levels, found.dropped)

    def _note(self) -> None:
        self.trace.append((self.counted, self.value, self.bound))


def node_sums(losses: CellLosses, means: Sequence[Matrix], keys: KeyCodes) -> Matrix:
    """For every node of the lattice the sum of its columns' terms, nothing suppressed."""
    sums: Matrix = np.zeros(())
    for number, (mean, column) in enumerate(zip(means, keys.columns, strict=True)):
        sums = np.add.outer(sums, losses.terms(mean, number)[column.lowest : column.highest + 1])
    return sums


def row_costs(keys: KeyCodes, losses: CellLosses, levels: NDArray[np.intp]) -> Matrix:
    """What suppressing a record of each distinct row costs at these levels."""
    cost = np.zeros(len(keys.rows))
    for number, (cells, gone) in enumerate(zip(losses.cells, losses.suppressed, strict=True)):
        extra = losses.weights[number] * (gone - cells[:, levels[number]])
        cost += extra[keys.rows[:, number]]
    return cost


def value_of(
    keys: KeyCodes,
    losses: CellLosses,
    means: Sequence[Matrix],
    levels: NDArray[np.intp],
    dropped: NDArray[np.int64],
) -> float:
    """The loss of a node with that many records of every distinct row suppressed."""
    found = []
    rows = np.flatnonzero(dropped)
    for number, (cells, gone) in enumerate(zip(losses.cells, losses.suppressed, strict=True)):
        level = levels[number]
        extra = (gone - cells[:, level])[keys.rows[rows, number]]
        found.append(
            float(means[number][level]) + float(extra @ dropped[rows]) / max(keys.columns[number].seen, 1.0)
        )
    return losses.total(found)
