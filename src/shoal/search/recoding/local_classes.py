"""Local recoding: classes of at least k records of any coarseness, each released as its common ancestors."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.search.recoding.cell_losses import CellLosses
from shoal.search.recoding.key_codes import Ids, KeyCodes
from shoal.search.recoding.search_lattice import node_sums
from shoal.types import Labels, Matrix

MOST_NODES = 20_000  # recodings tried for the first classes; ten times that is slower and hardly better
REACH = 2  # neighbours looked at after a record in an order; 1 is a third faster and 0.2 % worse
PATIENCE = 2  # turns after which too small a gain ends the work
ENOUGH = 0.0125  # a share of the loss: what these turns have to gain
MOST_TURNS = 60
FORBIDDEN = 1e3  # the cost of a label above the highest level allowed: no class takes it that need not


@dataclass(frozen=True)
class Tree:
    """All labels of all columns in one numbering, with ancestors by level and the cost of a cell."""

    lines: Ids
    heights: Ids
    costs: Matrix
    leaves: Ids  # of every distinct row
    places: Ids  # of every label: where the first value below it stands in the order of the hierarchy


def first_classes(keys: KeyCodes, losses: CellLosses, k: int) -> Labels:
    """The class of every distinct row or -1: every recoding, by rising loss, releases what it can."""
    from shoal._kernels.recoding.release_classes import release_classes

    width = max(len(column.ids) for column in keys.columns)
    height = max(column.ids.shape[1] for column in keys.columns)
    ids = np.zeros((len(keys.columns), height, width), dtype=np.int32)
    used = np.ones((len(keys.columns), height), dtype=np.int64)
    for number, column in enumerate(keys.columns):
        for level, (count, found) in enumerate(column.numbered):
            ids[number, level, : len(found)], used[number, level] = found, count
    nodes = rising_nodes(keys, losses)
    return release_classes(keys.rows, keys.counts, ids, used, nodes, k)


def rising_nodes(keys: KeyCodes, losses: CellLosses) -> NDArray[np.int64]:
    """Levels of all columns, the cheapest first: all, or of too many those on random ways to the top."""
    means = losses.level_means(keys)
    lowest = np.array([column.lowest for column in keys.columns])
    highest = np.array([column.highest for column in keys.columns])
    if np.prod((highest - lowest + 1).astype(float)) <= MOST_NODES:
        sums = node_sums(losses, means, keys)
        order = np.argsort(sums, axis=None, kind="stable")
        return np.asarray(np.column_stack(np.unravel_index(order, sums.shape)) + lowest, dtype=np.int64)
    rng, found = np.random.default_rng(0), [lowest, highest]
    while len(found) < MOST_NODES:
        node = lowest.copy()
        while (node < highest).any():
            free = np.flatnonzero(node < highest).tolist()
            steps = [
                float(losses.terms(means[c], c)[node[c] + 1] - losses.terms(means[c], c)[node[c]])
                for c in free
            ]
            node = node.copy()
            node[free[np.argmin(np.array(steps) * rng.exponential(size=len(free)))]] += 1
            found.append(node)
    nodes = np.unique(np.array(found), axis=0)
    sums = np.sum([losses.terms(mean, c)[nodes[:, c]] for c, mean in enumerate(means)], axis=0)
    return np.asarray(nodes[np.argsort(sums, kind="stable")], dtype=np.int64)


def tree_of(keys: KeyCodes, losses: CellLosses) -> Tree:
    """The hierarchies of all columns side by side; a missing cell is a leaf below the top."""
    height = max(column.ids.shape[1] for column in keys.columns)
    lines, heights, costs, leaves, places = [], [], [], [], []
    start = 0
    for number, column in enumerate(keys.columns):
        own = column.hierarchy.ancestors
        missing = np.full((1, own.shape[1]), len(own))
        missing[0, -1] = len(own) - 1
        whole = np.concatenate([own, missing])
        above = np.repeat(whole[:, -1:], height - own.shape[1], axis=1)
        lines.append(np.concatenate([whole, above], axis=1) + start)
        heights.append(np.append(column.hierarchy.levels, 0))
        cells = np.append(losses.labels[number], 0.0)
        costs.append(cells * losses.weights[number] + FORBIDDEN * (heights[-1] > column.highest))
        leaves.append(column.nodes[:, column.lowest][keys.rows[:, number]] + start)
        first = np.full(len(whole), len(whole))
        for place in range(len(column.hierarchy.paths) - 1, -1, -1):
            first[own[place]] = place
        places.append(first)
        start += len(whole)
    return Tree(
        np.concatenate(lines).astype(np.int32),
        np.concatenate(heights).astype(np.int32),
        np.concatenate(costs),
        np.column_stack(leaves).astype(np.int32),
        np.concatenate(places).astype(np.int32),
    )


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


class LocalClasses:
    """Classes of records that are made cheaper step by step."""

    def __init__(self, keys: KeyCodes, losses: CellLosses, k: int) -> None:
        self.keys, self.k, self.tree = keys, k, tree_of(keys, losses)
        self.leaves = np.ascontiguousarray(self.tree.leaves[keys.of_record])
        self.places = np.ascontiguousarray(self.tree.places[self.leaves])
        self.by_row = np.argsort(keys.of_record, kind="stable")
        self.start = np.cumsum(keys.counts) - keys.counts
        self._begin(first_classes(keys, losses, k)[keys.of_record])

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

    @property
    def allowed(self) -> bool:
        """Whether no class had to take a label above the highest level allowed."""
        return bool((self.tree.costs[self.labels[self.sizes > 0]] < FORBIDDEN / 2).all())

    def record_labels(self) -> Ids:
        """For every record and column the label it is released as, a place in that column's labels."""
        starts = np.cumsum([0, *(len(c.hierarchy.labels) + 1 for c in self.keys.columns[:-1])])
        return np.asarray(self.labels[self.owner] - starts.astype(np.int32))

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
        counts = self.keys.counts[rows]
        inside = np.arange(len(self.owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.by_row[np.repeat(self.start[rows], counts) + inside].astype(np.int64)


def local_classes(
    keys: KeyCodes,
    losses: CellLosses,
    k: int,
    deadline: float = np.inf,
    stop: Callable[[LocalClasses], bool] | None = None,
) -> LocalClasses:
    """Classes of at least k, improved until a round of all orders gains nothing to speak of."""
    classes = LocalClasses(keys, losses, k)
    turns = _turns(len(keys.columns))
    gains: list[float] = []
    for turn in range(MOST_TURNS):
        if time.perf_counter() > deadline or (stop is not None and stop(classes)):
            break
        gains.append(classes.improve(turns[turn % len(turns)]))
        if len(gains) >= PATIENCE and sum(gains[-PATIENCE:]) <= ENOUGH * classes.cost:
            break
    return classes


def _turns(columns: int) -> list[int]:
    """Orders of both sorts and of all columns by turns; those after the first few add little."""
    first = [turn for turn in range(1, 2 * columns) if turn % 4 < 2]
    return first + [turn for turn in range(2 * columns) if turn not in first]
