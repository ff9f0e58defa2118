"""Local recoding: classes of at least k records of any coarseness, each released as its common ancestors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.masking.recoding.covered_classes import CoveredClasses, Tree
from shoal.search.recoding.cell_losses import CellLosses
from shoal.search.recoding.key_codes import Ids, KeyCodes
from shoal.search.recoding.search_lattice import node_sums
from shoal.types import Labels

MOST_NODES = 20_000  # recodings tried for the first classes; ten times that is slower and hardly better
MOST_LOOKS = 4e8  # distinct rows x recodings: some 15 s; a million unique records get 400 recodings
FEWEST_NODES = 200  # recodings, however many rows there are; chosen, not measured
LEAST_GAIN = 0.0125  # a share of the loss: what these turns have to gain
FORBIDDEN = 1e3  # the cost of a label above the highest level allowed: no class takes it that need not


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
    most = int(np.clip(MOST_LOOKS / max(len(keys.rows), 1), FEWEST_NODES, MOST_NODES))
    if np.prod((highest - lowest + 1).astype(float)) <= most:
        sums = node_sums(losses, means, keys)
        order = np.argsort(sums, axis=None, kind="stable")
        return np.asarray(np.column_stack(np.unravel_index(order, sums.shape)) + lowest, dtype=np.int64)
    rng, found = np.random.default_rng(0), [lowest, highest]
    while len(found) < most:
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


def local_classes(
    keys: KeyCodes,
    losses: CellLosses,
    k: int,
    deadline: float = np.inf,
    stop: Callable[[CoveredClasses], bool] | None = None,
) -> CoveredClasses:
    """Classes of at least k, improved until a round gains nothing to speak of."""
    owner = first_classes(keys, losses, k)[keys.of_record]
    classes = CoveredClasses(tree_of(keys, losses), keys.counts, keys.of_record, owner, k)
    classes.settle(LEAST_GAIN, deadline, stop)
    return classes


def within_levels(classes: CoveredClasses) -> bool:
    """Whether no class had to take a label above the highest level allowed."""
    return bool((classes.tree.costs[classes.labels[classes.sizes > 0]] < FORBIDDEN / 2).all())


def record_labels(keys: KeyCodes, classes: CoveredClasses) -> Ids:
    """For every record and column the label it is released as, a place in that column's labels."""
    starts = np.cumsum([0, *(len(column.hierarchy.labels) + 1 for column in keys.columns[:-1])])
    return np.asarray(classes.labels[classes.owner] - starts.astype(np.int32))
