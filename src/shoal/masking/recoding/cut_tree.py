"""Mondrian's cuts as a tree: written down while regions are cut, walked by the records of a later file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from shoal.errors import Infeasible
from shoal.masking.microaggregation.constraints import Constraint
from shoal.types import Labels

Codes = NDArray[np.intp]
LEAF = -1  # in place of an axis: the node is cut no more


@dataclass
class CutTree:
    """For every node the axis it is cut along (-1: a region), the first code above, and where parts go.

    A node comes after its parent; the first ones are the strata. `first` is 1 where missing values are parted
    from all others.

    >>> tree = CutTree()
    >>> tree.begin(1)
    >>> tree.note(np.array([0]), np.array([3]), 0)
    >>> tree.note(np.array([-1, -1]), np.array([0, 0]), 0)
    >>> tree.below, tree.above, tree.region
    ([1, -1, -1], [2, -1, -1], [-1, 0, 1])
    """

    axis: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    region: list[int] = field(default_factory=list)
    open: Codes = field(default_factory=lambda: np.zeros(0, dtype=np.intp))

    def begin(self, strata: int) -> None:
        """One region for every stratum."""
        self.open = self._grown(strata)

    def note(self, axis: Codes, first: Codes, found: int) -> None:
        """The cut of every open region, or that it is the region number `found` and so on."""
        going = axis >= 0
        done = self.open[~going]
        for place, node in enumerate(done.tolist()):
            self.region[node] = found + place
        parts = self._grown(2 * int(going.sum()))
        for place, node in enumerate(self.open[going].tolist()):
            self.axis[node] = int(axis[going][place])
            self.first[node] = int(first[going][place])
            self.below[node], self.above[node] = int(parts[2 * place]), int(parts[2 * place + 1])
        self.open = parts

    def _grown(self, count: int) -> Codes:
        begin = len(self.axis)
        for column in (self.axis, self.first, self.below, self.above, self.region):
            column.extend([LEAF] * count)
        return np.arange(begin, begin + count)


def regions_in(
    tree: CutTree, codes: Sequence[Codes], roots: Codes, k: int, constraint: Constraint | None
) -> Labels:
    """The region of every record of another file: k records each, and whatever else a region must be like.

    Records of a region that is too small go with the other part of its cut, where further cuts place them.

    >>> tree = CutTree()
    >>> tree.begin(1)
    >>> tree.note(np.array([0]), np.array([3]), 0)
    >>> tree.note(np.array([-1, -1]), np.array([0, 0]), 0)
    >>> regions_in(tree, [np.array([1, 2, 4, 5])], np.zeros(4, dtype=int), 2, None)
    array([0, 0, 1, 1])
    >>> regions_in(tree, [np.array([1, 2, 1, 5])], np.zeros(4, dtype=int), 2, None)
    array([0, 0, 0, 0])
    """
    below, above = np.array(tree.below), np.array(tree.above)
    parent = np.full(len(below), -1)
    cut = below >= 0
    parent[below[cut]] = parent[above[cut]] = np.flatnonzero(cut)
    ways = np.column_stack([below, above])
    while True:
        nodes = _walked(tree, codes, roots, ways)
        regions = np.array(tree.region)[nodes]
        used, labels = np.unique(regions, return_inverse=True)
        labels = labels.reshape(-1)
        sizes = np.bincount(labels)
        failed = sizes < k
        if constraint is not None:
            failed = failed | ~constraint(np.arange(len(labels)), labels)
        if not failed.any():
            return np.asarray(regions)
        ends = np.flatnonzero(~cut)
        node_of = dict(zip(np.array(tree.region)[ends].tolist(), ends.tolist(), strict=True))
        small = sorted(np.flatnonzero(failed).tolist(), key=lambda place: int(sizes[place]))
        _closed(ways, parent, [node_of[int(used[place])] for place in small], k)


def _walked(tree: CutTree, codes: Sequence[Codes], roots: Codes, ways: NDArray[np.intp]) -> Codes:
    """The last node of every record."""
    axis, first = np.array(tree.axis), np.array(tree.first)
    nodes = roots.copy()
    moving = np.flatnonzero(axis[nodes] >= 0)
    while len(moving):
        at = nodes[moving]
        for number, column in enumerate(codes):
            mine = np.flatnonzero(axis[at] == number)
            up = column[moving[mine]] >= first[at[mine]]
            nodes[moving[mine]] = ways[at[mine], up.astype(np.intp)]
        moving = moving[axis[nodes[moving]] >= 0]
    return nodes


def _closed(ways: NDArray[np.intp], parent: Codes, leaves: list[int], k: int) -> None:
    """Send the records of these leaves to the other part of the lowest cut above them that is still open."""
    now: set[int] = set()
    for leaf in leaves:
        child, node = leaf, int(parent[leaf])
        while node >= 0 and ways[node, 0] == ways[node, 1] and node not in now:
            child, node = node, int(parent[node])
        if node in now:
            continue  # its sibling has just been sent here, or it there
        if node < 0:
            raise Infeasible(
                f"A stratum of this file has too few records for the kept cuts to keep k = {k} and whatever "
                "else is promised; leave it out, or fit the recipe again."
            )
        ways[node] = ways[node, 1] if ways[node, 0] == child else ways[node, 0]
        now.add(node)
