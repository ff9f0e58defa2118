"""Classes that break a promise beyond k join others, the cheapest first, until all keep it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.errors import Infeasible
from shoal.masking.recoding.covered_classes import CoveredClasses, Ids, Tree
from shoal.types import Labels


def join_until(classes: CoveredClasses, test: Callable[[Labels], NDArray[np.bool_]]) -> None:
    """Join classes until the test, which sees the class of every record, holds for all.

    A class that breaks the promise joins the one with which its records lose least. Whoever is released alike
    is one class for the test.
    """
    while True:
        labels, released = _released(classes)
        kept = test(released)
        if kept.all():
            return
        if len(kept) == 1:
            raise Infeasible("The promise is not kept even by one class of all records; ask for less.")
        broken = np.flatnonzero(~kept)
        first = {int(group): place for place, group in reversed(list(enumerate(labels.tolist())))}
        alive = np.flatnonzero(classes.sizes > 0)
        gone: set[int] = set()
        for group in broken.tolist():
            g = int(alive[first[group]])
            if g in gone:
                continue
            host = _cheapest_host(classes, g, alive[labels != group], gone)
            if host >= 0:
                _join(classes, alive[labels == group], host)
                gone |= {host, *alive[labels == group].tolist()}


def _released(classes: CoveredClasses) -> tuple[Labels, Labels]:
    """The released class of every class that has records, and that of every record."""
    alive = np.flatnonzero(classes.sizes > 0)
    number = np.unique(classes.labels[alive], axis=0, return_inverse=True)[1].reshape(-1)
    place = np.empty(len(classes.sizes), dtype=np.intp)
    place[alive] = number
    return number, place[classes.owner]


def _cheapest_host(classes: CoveredClasses, g: int, others: Labels, gone: set[int]) -> int:
    others = others[~np.isin(others, list(gone))]
    if not len(others):
        return -1
    tree, sizes = classes.tree, classes.sizes
    joint = tree.costs[meeting(tree, classes.labels[others], classes.labels[g])].sum(axis=1)
    before = tree.costs[classes.labels[others]].sum(axis=1) * sizes[others]
    return int(others[np.argmin(joint * (sizes[others] + sizes[g]) - before)])


def meeting(tree: Tree, labels: Ids, other: Ids) -> Ids:
    """The lowest common ancestors of rows of labels with one row, column by column."""
    level = np.maximum(tree.heights[labels], tree.heights[other])
    found = np.empty_like(labels)
    open_cells = np.ones(labels.shape, dtype=bool)
    for at in range(tree.lines.shape[1]):
        above = tree.lines[labels, at]
        met = open_cells & (level <= at) & (above == tree.lines[other, at])
        found[met] = above[met]
        open_cells &= ~met
    return found


def _join(classes: CoveredClasses, parts: Labels, host: int) -> None:
    for part in parts.tolist():
        classes.owner[classes.owner == part] = host
        classes.labels[host] = meeting(classes.tree, classes.labels[part][None], classes.labels[host])[0]
        classes.sizes[host] += classes.sizes[part]
        classes.sizes[part] = 0
