"""Losses that only see class sizes: discernibility and average class size, bounded by nodes further down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.search.recoding.cell_losses import ClassLoss
from shoal.search.recoding.count_node import CountedNode, Levels
from shoal.search.recoding.search_lattice import SLACK, UNKNOWN, LatticeSearch


@dataclass
class ClassLossSearch(LatticeSearch):
    """A search whose bound is counted: what a node loses without suppression, all nodes above lose at least.

    Climbing and ties go by the cell losses it was given.
    """

    name: ClassLoss = "discernibility"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.least = np.zeros(self.sums.shape)

    def run(self) -> None:
        """Take the unknown node of the least bound until that reaches the best."""
        while not self.halted:
            left = np.where(self.state == UNKNOWN, self.least, np.inf)
            self.low = float(left.min())
            if self.low >= self.value - SLACK:
                break
            cheapest = np.where(left <= self.low + SLACK, self.sums, np.inf)
            node = np.unravel_index(np.argmin(cheapest), self.sums.shape)
            self._settle(tuple(int(level) for level in node))
        self._note()

    def _least(self, node: Levels) -> float:
        return float(self.least[node])

    def _learn(self, node: Levels, found: CountedNode) -> None:
        above = tuple(slice(level, None) for level in node)
        whole = class_loss(self.name, found.sizes, self.keys.n, self.demand.k)
        self.least[above] = np.maximum(self.least[above], whole)

    def _value(self, levels: NDArray[np.intp], found: CountedNode) -> float:
        assert found.dropped is not None
        gone = np.bincount(found.labels, weights=found.dropped, minlength=len(found.sizes))
        left = found.sizes - gone.astype(np.int64)
        return class_loss(self.name, left[left > 0], self.keys.n, self.demand.k)


def class_loss(name: ClassLoss, sizes: NDArray[np.int64], n: int, k: int) -> float:
    """The loss of released classes; records that are in none of them are suppressed.

    "discernibility": the mean share of the file that a record cannot be told from, 1 if suppressed;
    "class_size": records per class, the suppressed ones being one, divided by k.

    >>> class_loss("discernibility", np.array([5, 5]), 10, 5), class_loss("class_size", np.array([5]), 10, 5)
    (0.5, 1.0)
    """
    gone = n - int(sizes.sum())
    if name == "discernibility":
        return float((sizes.astype(np.float64) ** 2).sum() + gone * float(n)) / float(n) ** 2
    return n / (len(sizes) + (gone > 0)) / k
