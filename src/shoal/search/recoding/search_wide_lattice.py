"""Lattices with too many nodes to list: down from the top again and again, bounds by groups of columns."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.search.recoding.cell_losses import CellLosses
from shoal.search.recoding.count_node import CountedNode, Demand, Levels, count_node
from shoal.search.recoding.key_codes import KeyCodes
from shoal.search.recoding.search_lattice import SLACK, LatticeSearch, row_costs, value_of
from shoal.types import Matrix

GROUP_NODES = 20_000  # nodes of a group of columns that is searched whole; twice that costs twice the time
ROUNDS = 200  # descents without a better node after which the search rests; no measurement on record


@dataclass
class WideSearch:
    """What is known while a lattice is searched from above."""

    keys: KeyCodes
    losses: CellLosses
    demand: Demand
    deadline: float = np.inf
    stop: Callable[[Any], bool] | None = None
    best: CountedNode | None = None
    value: float = np.inf
    counted: int = 0
    trace: list[tuple[int, float, float]] = field(default_factory=list)
    halted: bool = False
    looked: list[tuple[Levels, float, float]] = field(default_factory=list)
    fewest: int = -1

    def __post_init__(self) -> None:
        columns = self.keys.columns
        self.means = self.losses.level_means(self.keys)
        self.lowest = np.array([column.lowest for column in columns])
        self.highest = np.array([column.highest for column in columns])
        self.low = 0.0
        self.seen: dict[Levels, float] = {}
        self.ruled_out = np.zeros((0, len(columns)), dtype=np.intp)  # nodes that, with all below, cannot be

    @property
    def nodes(self) -> int:
        """Nodes of the lattice."""
        sizes = (int(high) - int(low) + 1 for low, high in zip(self.lowest, self.highest, strict=True))
        total = 1
        for size in sizes:
            total *= size
        return total

    @property
    def bound(self) -> float:
        """No node of the lattice loses less than this."""
        return min(self.low, self.value)

    def run(self) -> None:
        """Bound first, then descend from the top and from nodes near the best."""
        self.low = group_bound(self.keys, self.losses, self.demand, self.deadline)
        rng = np.random.default_rng(0)  # only the order of the search depends on it
        self._descend(tuple(self.highest.tolist()), rng)
        idle = 0
        while self.best is not None and idle < ROUNDS and not self.halted:
            if self.low >= self.value - SLACK:
                break
            before = self.value
            self._descend(self._above(self.best.levels, rng), rng)
            idle = 0 if self.value < before else idle + 1
        self.trace.append((self.counted, self.value, self.bound))

    def _above(self, levels: Levels, rng: np.random.Generator) -> Levels:
        """A node from which other ways lead down: a few columns of the best raised."""
        raised = np.array(levels)
        for column in rng.choice(len(levels), size=min(len(levels), int(rng.integers(1, 4))), replace=False):
            raised[column] += rng.integers(1, 3)
        return tuple(np.minimum(raised, self.highest).tolist())

    def _descend(self, node: Levels, rng: np.random.Generator) -> None:
        """Lower one column after the other, the largest gain (give or take a little luck) first."""
        while not self.halted:
            steps = [
                (*node[:c], level - 1, *node[c + 1 :])
                for c, level in enumerate(node)
                if level > self.lowest[c]
            ]
            gains = [self._sum(node) - self._sum(step) for step in steps]
            order = np.argsort(-np.array(gains) * rng.uniform(0.5, 1.5, len(steps)))
            for position in order.tolist():
                if np.isfinite(self._try(steps[position])):
                    node = steps[position]
                    break
            else:
                self._try(node)
                return

    def _sum(self, node: Levels) -> float:
        return sum(
            float(self.losses.terms(mean, number)[level])
            for number, (mean, level) in enumerate(zip(self.means, node, strict=True))
        )

    def _try(self, node: Levels) -> float:
        """The loss of a node, infinite where the promise is not kept."""
        if node in self.seen:
            return self.seen[node]
        levels = np.array(node, dtype=np.intp)
        if len(self.ruled_out) and (self.ruled_out >= levels).all(axis=1).any():
            return np.inf
        found = count_node(self.keys, node, self.demand, lambda: row_costs(self.keys, self.losses, levels))
        self.counted += 1
        self.fewest = found.below_k if self.fewest < 0 else min(self.fewest, found.below_k)
        value = np.inf
        if found.below_k > self.demand.allowed:
            kept = self.ruled_out[~(self.ruled_out <= levels).all(axis=1)]
            self.ruled_out = np.concatenate([kept, levels[None]])
        elif found.dropped is not None:
            value = value_of(self.keys, self.losses, self.means, levels, found.dropped)
            if value < self.value - SLACK:
                self.best, self.value = found, value
                self.trace.append((self.counted, self.value, self.bound))
        self.seen[node] = value
        self.looked.append((node, float(self.losses.from_sum(self._sum(node))), value))
        if time.perf_counter() > self.deadline or (self.stop is not None and self.stop(self)):
            self.halted = True
        return value


class _GroupSearch(LatticeSearch):
    """The least loss of a group of columns without what suppression adds, all others at the top."""

    def _value(self, levels: NDArray[np.intp], found: CountedNode) -> float:
        return self._least(tuple(int(level) for level in levels - self.offset))


def group_bound(keys: KeyCodes, losses: CellLosses, demand: Demand, deadline: float = np.inf) -> float:
    """No node loses less than this: where a promise is kept, it is kept on fewer columns too.

    Columns are taken in groups whose lattices can be listed. What a group loses at least is what it loses
    with all other columns at their top; sums of these never exceed the loss of a node.
    """
    total, group = 0.0, [0]
    size = _levels(keys, 0)
    for number in range(1, len(keys.columns) + 1):
        if number < len(keys.columns) and size * _levels(keys, number) <= GROUP_NODES:
            group.append(number)
            size *= _levels(keys, number)
            continue
        total += _least_sum(keys, losses, demand, group, deadline)
        if number < len(keys.columns):
            group, size = [number], _levels(keys, number)
    return float(losses.from_sum(total))


def _levels(keys: KeyCodes, number: int) -> int:
    return keys.columns[number].highest - keys.columns[number].lowest + 1


def _least_sum(
    keys: KeyCodes, losses: CellLosses, demand: Demand, group: list[int], deadline: float
) -> float:
    part = replace(
        keys,
        columns=tuple(keys.columns[number] for number in group),
        rows=np.ascontiguousarray(keys.rows[:, group]),
    )
    weights: Matrix = losses.weights[group]
    own = CellLosses(
        losses.name,
        tuple(losses.labels[number] for number in group),
        tuple(losses.cells[number] for number in group),
        tuple(losses.suppressed[number] for number in group),
        weights,
    )
    search = _GroupSearch(part, own, Demand(demand.k, demand.allowed), deadline)
    search.run()
    least = search.bound
    if not np.isfinite(least):
        return 0.0
    return float(np.log1p(least)) if losses.name == "geometric" else float(least)
