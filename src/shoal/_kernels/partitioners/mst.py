"""Minimum spanning tree of the records, and its cuts into trees of at least k records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit, kernel_only
from shoal._kernels.mdav.farthest import square as square_of
from shoal._kernels.spatial.record_tree import NO_RECORD, Tree, build_tree
from shoal._kernels.spatial.spatial_order import FAN, LEAF
from shoal._kernels.spatial.tree_search import NEAREST, admit, bound, measure, worse


class Forest(NamedTuple):
    """Trees that grow together: Boruvka's method."""

    component: Rows  # of every record: the number of its tree
    leaves: Rows  # of every leaf, -1 if its records are in several trees
    branches: Rows
    nearest: Rows  # of every record: the closest one outside its tree, -1 if not known
    square: Matrix  # its squared distance, or a lower bound if not known
    best: Rows  # of every tree: the record with the shortest edge to another tree
    edges: Rows  # found so far: pairs of records
    found: Rows  # how many


def spanning_tree(X: Matrix) -> tuple[Rows, Rows, Matrix]:
    """The records from row 0 on, parents before children; the parent of each; that edge's squared length.

    Edges of equal length go by their lower row position, then by the other: there is only one such tree.
    """
    n = len(X)
    tree = build_tree(X, np.arange(n, dtype=np.int32), np.empty(n, np.int32), X.mean(axis=0))
    leaves, branches = tree.rows.shape[0], tree.leaves.first.shape[0]
    forest = Forest(
        np.arange(n),
        np.empty(leaves, np.intp),
        np.empty(branches, np.intp),
        np.full(n, -1),
        np.zeros(n),
        np.empty(n, np.intp),
        np.empty((n - 1, 2), np.intp),
        np.zeros(1, np.intp),
    )
    while forest.found[0] < n - 1:
        _find_edges(X, tree, forest)
        _join_trees(forest)
    return _from_first_row(X, forest.edges)


@jit
def _find_edges(X: Matrix, tree: Tree, forest: Forest) -> None:
    """The shortest edge out of every tree; a record is asked only if it can have one."""
    component, nearest, square, best = forest.component, forest.nearest, forest.square, forest.best
    best[:] = -1
    for i in range(len(X)):
        if nearest[i] >= 0 and component[nearest[i]] == component[i]:
            nearest[i] = -1
        if nearest[i] >= 0 and _shorter(forest, i, best[component[i]]):
            best[component[i]] = i
    _mark_blocks(tree, forest)
    key, row = np.empty(1), np.empty(1, np.intp)
    for block in range(len(tree.rows)):
        for i in tree.rows[block]:
            if i != NO_RECORD and nearest[i] < 0:
                leader = best[component[i]]
                limit = square[leader] if leader >= 0 else np.inf
                if square[i] <= limit:
                    key[0], row[0] = limit, NO_RECORD
                    _search_outside(tree, X[i], block, component[i], forest, key, row)
                    square[i] = key[0]
                    if row[0] != NO_RECORD:
                        nearest[i] = row[0]
                        if _shorter(forest, i, leader):
                            best[component[i]] = i


@kernel_only
def _shorter(forest: Forest, i: int, j: int) -> bool:
    """Is the edge of record i shorter than that of record j (-1: none)?"""
    if j < 0 or forest.square[i] != forest.square[j]:
        return j < 0 or forest.square[i] < forest.square[j]
    low, other = min(i, forest.nearest[i]), min(j, forest.nearest[j])
    return low < other or (low == other and max(i, forest.nearest[i]) < max(j, forest.nearest[j]))


@kernel_only
def _mark_blocks(tree: Tree, forest: Forest) -> None:
    """Tell leaves and branches that lie in one tree: no record of that tree need search them."""
    for block in range(len(tree.rows)):
        forest.leaves[block] = forest.component[tree.rows[block, 0]]
        for i in tree.rows[block]:
            if i != NO_RECORD and forest.component[i] != forest.leaves[block]:
                forest.leaves[block] = -1
    for branch in range(len(forest.branches)):
        forest.branches[branch] = forest.leaves[branch * FAN]
        for block in range(branch * FAN, min(branch * FAN + FAN, len(tree.rows))):
            if forest.leaves[block] != forest.branches[branch]:
                forest.branches[branch] = -1


@kernel_only
def _search_outside(
    tree: Tree, q: Matrix, home: int, own: int, forest: Forest, key: Matrix, row: Rows
) -> None:
    """The closest record that is not in the own tree, if it is not beyond the key that is there already."""
    branches, outer, scratch = tree.branches, np.empty(FAN), np.empty((3, FAN))
    for turn in range(-1, len(forest.branches)):  # where q is at home first, then everywhere
        branch = home // FAN if turn < 0 else turn
        group, place = branch // FAN, branch % FAN
        if turn >= 0 and place == 0:
            bound(branches, group, tree.origin, tree.reach, q, NEAREST, scratch, outer)
        if forest.branches[branch] == own:
            continue
        if turn < 0 or not worse(outer[place], branches.first[group, place], key, row):
            _search_branch(tree, q, branch, own, forest, key, row)


@kernel_only
def _search_branch(
    tree: Tree, q: Matrix, branch: int, own: int, forest: Forest, key: Matrix, row: Rows
) -> None:
    bounds, scratch, distances = np.empty(FAN), np.empty((3, FAN)), np.empty(LEAF)
    bound(tree.leaves, branch, tree.origin, tree.reach, q, NEAREST, scratch, bounds)
    first = int(np.argmin(bounds))
    for step in range(-1, FAN):
        i = first if step < 0 else step
        block = branch * FAN + i
        if worse(bounds[i], tree.leaves.first[branch, i], key, row) or forest.leaves[block] == own:
            continue
        measure(tree.points, block, q, distances)
        for a in range(LEAF):
            if tree.rows[block, a] != NO_RECORD and forest.component[tree.rows[block, a]] == own:
                distances[a] = np.nan
        admit(distances, tree.rows[block], key, row)


@jit
def _join_trees(forest: Forest) -> None:
    """Add the edges found and number the trees anew."""
    component, best, edges, found = forest.component, forest.best, forest.edges, forest.found
    n = len(component)
    parent = np.arange(n)
    for c in range(n):
        if best[c] >= 0:
            i, j = best[c], forest.nearest[best[c]]
            a, b = _root(parent, c), _root(parent, component[j])
            if a != b:
                parent[a] = b
                edges[found[0], 0], edges[found[0], 1] = i, j
                found[0] += 1
    for i in range(n):
        component[i] = _root(parent, component[i])


@kernel_only
def _root(parent: Rows, c: int) -> int:
    while parent[c] != c:
        parent[c] = parent[parent[c]]
        c = parent[c]
    return c


@jit
def _from_first_row(X: Matrix, edges: Rows) -> tuple[Rows, Rows, Matrix]:
    """Breadth first from row 0, neighbours by row position."""
    n = len(X)
    start, ends = np.zeros(n + 1, np.intp), np.empty(2 * n, np.intp)
    for e in range(n - 1):
        start[edges[e, 0] + 1] += 1
        start[edges[e, 1] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
    place = start.copy()
    for e in range(n - 1):
        for i, j in ((edges[e, 0], edges[e, 1]), (edges[e, 1], edges[e, 0])):
            ends[place[i]] = j
            place[i] += 1
    joined, parent, length = np.zeros(n, np.intp), np.full(n, -1, np.intp), np.full(n, np.inf)
    last = 1
    for step in range(n):
        i = joined[step]
        for j in np.sort(ends[start[i] : start[i + 1]]):
            if j != parent[i]:
                joined[last], parent[j] = j, i
                length[j] = square_of(X[i], X[j])
                last += 1
    return joined, parent, length


@jit
def cut_tree(joined: Rows, parent: Rows, edges: Rows, k: int) -> Rows:
    """Labels after cutting the edges (given by their lower end) in turn, if both trees keep k records."""
    n = len(joined)
    size, root = np.ones(n, dtype=np.intp), parent < 0
    for step in range(n - 1, 0, -1):
        size[parent[joined[step]]] += size[joined[step]]
    for v in edges:
        top = v
        while not root[top]:
            top = parent[top]
        if size[v] < k or size[top] - size[v] < k:
            continue
        u = v
        while u != top:
            u = parent[u]
            size[u] -= size[v]
        root[v] = True
    labels = np.empty(n, dtype=np.intp)
    groups = 0
    for v in joined:
        if root[v]:
            labels[v] = groups
            groups += 1
        else:
            labels[v] = labels[parent[v]]
    return labels
