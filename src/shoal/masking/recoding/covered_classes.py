"""Classes of records released as the labels that cover them, made cheaper step by step."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.types import Labels, Matrix

Ids = NDArray[np.int32]
Counts = NDArray[np.int64]
REACH = 2  # neighbours looked at after a record in an order; 1 is a third faster and 0.2 % worse
PATIENCE = 2  # turns after which too small a gain ends the work; no measurement on record
MOST_TURNS = 60  # a guard: every turn must help, or the last was the last


@dataclass(frozen=True)
class Tree:
    """All labels of all columns in one numbering, with ancestors by level and the cost of a cell."""

    lines: Ids
    heights: Ids
    costs: Matrix
    leaves: Ids  # of every distinct row
    places: Ids  # of every label: where the first value below it stands in the order of the hierarchy


def row_order(tree: Tree, turn: int) -> NDArray[np.intp]:
    """Distinct rows so that like ones are near: by the columns, or by the levels of all columns from the top.

    Every turn begins with another column.
    """
    d = tree.leaves.shape[1]
    columns = [(turn // 2 + shift) % d for shift in range(d)]
    height = tree.lines.shape[1]
    levels = range(height - 2, -1, -1) if turn % 2 else [0]
    keys = [tree.places[tree.lines[tree.leaves[:, c], level]] for level in levels for c in columns]
    return np.lexsort(keys[::-1])


class CoveredClasses:
    """Classes of records that are made cheaper step by step."""

    def __init__(self, tree: Tree, counts: Counts, of_record: Labels, owner: Labels, k: int) -> None:
        """`tree` knows distinct rows, `counts` how often each is there; records without an owner have -1."""
        self.tree, self.counts, self.k = tree, counts, k
        self.leaves = np.ascontiguousarray(tree.leaves[of_record])
        self.places = np.ascontiguousarray(tree.places[self.leaves])
        self.by_row = np.argsort(of_record, kind="stable")
        self.start = np.cumsum(counts) - counts
        self._begin(owner)

    def _begin(self, owner: Labels) -> None:
        """Members, labels and sizes of the first classes; records without one join the nearest."""
        from shoal._kernels.recoding.class_labels import cover_classes, join_nearest, link_members

        tree, room = self.tree, max(len(owner) // self.k, 1) + 1
        count = int(owner.max()) + 1
        if count == 0:
            owner, count = np.zeros(len(owner), dtype=np.int64), 1
        self.owner = owner.astype(np.int64)
        self.labels = np.zeros((room, self.leaves.shape[1]), dtype=np.int32)
        self.sizes = np.zeros(room, dtype=np.int64)
        self.sizes[:count] = np.bincount(owner[owner >= 0], minlength=count)
        cover_classes(tree.lines, tree.heights, self.leaves, self.owner, self.labels)
        join_nearest(
            tree.lines,
            tree.heights,
            tree.costs,
            self.leaves,
            self.owner,
            self.labels[:count],
            self.sizes[:count],
        )
        self.first, self.after = np.full(room, -1, dtype=np.int64), np.empty(len(owner), dtype=np.int64)
        link_members(self.owner, self.first, self.after)
        self.count, self.stamps = count, np.zeros(room, dtype=np.int64)
        self.tried = np.zeros(1 << int(np.ceil(np.log2(8 * room + 16))), dtype=np.int64)

    @property
    def cost(self) -> float:
        """The loss of the classes."""
        return float(self.tree.costs[self.labels[: self.count]].sum(axis=1) @ self.sizes[: self.count]) / len(
            self.owner
        )

    def settle(
        self,
        enough: float,
        deadline: float = np.inf,
        stop: Callable[[CoveredClasses], bool] | None = None,
    ) -> None:
        """Improve until the last turns gained too small a share of the loss."""
        turns, gains = _turns(self.leaves.shape[1]), [0.0]
        for turn in range(MOST_TURNS):
            if time.perf_counter() > deadline or (stop is not None and stop(self)):
                break
            gains.append(self.improve(turns[turn % len(turns)]))
            if turn + 1 >= PATIENCE and sum(gains[-PATIENCE:]) <= enough * self.cost:
                break

    def improve(self, turn: int) -> float:
        """Cut, dissolve and split once along an order; how much was gained."""
        from shoal._kernels.recoding.improve_classes import cut_pairs, dissolve_small, split_large

        order = self._order(turn)
        spot = np.empty_like(order)
        spot[order] = np.arange(len(order))
        tree, k = self.tree, self.k
        known: Any = (tree.lines, tree.heights, tree.costs, self.leaves)
        members: Any = (self.owner, self.first, self.after, self.labels, self.sizes)
        cut: Any = cut_pairs
        dissolve: Any = dissolve_small
        split: Any = split_large
        gained = cut(*known, self.places, *members, order, self.tried, self.stamps, k, REACH)
        gained += dissolve(*known, *members, order, spot, self.stamps, self.count, k, 2 * REACH)
        self.count, more = split(*known, self.places, *members, self.stamps, self.count, k)
        return float(gained + more) / len(self.owner)

    def _order(self, turn: int) -> NDArray[np.int64]:
        """The records in an order of the distinct rows."""
        rows = row_order(self.tree, turn)
        counts = self.counts[rows]
        inside = np.arange(len(self.owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.by_row[np.repeat(self.start[rows], counts) + inside].astype(np.int64)


def _turns(columns: int) -> list[int]:
    """Orders of both sorts and of all columns by turns; those after the first few add little."""
    first = [turn for turn in range(1, 2 * columns) if turn % 4 < 2]
    return first + [turn for turn in range(2 * columns) if turn not in first]
