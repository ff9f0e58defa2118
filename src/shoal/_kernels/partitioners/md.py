"""MD: groups around the two most distant records that are still free."""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows
from shoal._kernels.jit import jit, kernel_only
from shoal._kernels.partitioners.v_mdav import Free, leave
from shoal._kernels.spatial.record_tree import Tree, build_tree
from shoal._kernels.spatial.tree_search import FARTHEST, NEAREST, search

BLOCK = 256  # records among which the largest bound is remembered; no measurement on record


def md_groups(X: Matrix, norm: Matrix, k: int) -> tuple[Rows, int]:
    """Two groups of k at a time; the records left at the end, fewer than 2k, keep the label -1.

    `norm` is how far the records are from the origin.
    """
    n = len(X)
    free = Free(X, np.zeros(n, np.int32), np.full(n, -1), np.array([n, 0, 0]))
    bound, partner = (norm + norm.max()) ** 2 * (1 + 1e-9), np.full(n, -1)
    leaders = np.array([start + np.argmax(bound[start : start + BLOCK]) for start in range(0, n, BLOCK)])
    while free.number[0] >= 2 * k:
        rows = np.flatnonzero(free.places >= 0)
        tree = build_tree(X, rows.astype(np.int32), free.places, X[rows].mean(axis=0))
        _md_groups(free, tree, leaders, norm, bound, partner, k)
    return free.labels, int(free.number[1])


@jit
def _md_groups(
    free: Free, tree: Tree, leaders: Rows, norm: Matrix, bound: Matrix, partner: Rows, k: int
) -> None:
    """Until two fifths of the records have left the tree."""
    keys, chosen, few = np.empty(k), np.empty(k, np.intp), 3 * free.number[0] // 5
    while free.number[0] >= max(2 * k, few):
        far = _most_distant(free, tree, leaders, norm, bound, partner)
        for turn in range(2):  # around r; around s, now the farthest from r
            if turn == 1:
                search(tree, free.X[far], FARTHEST, keys[:1], chosen[:1])
                far = chosen[0]
            search(tree, free.X[far], NEAREST, keys, chosen)
            for i in range(k):
                leave(free, tree, chosen[i])
            free.number[1] += 1


@kernel_only
def _most_distant(free: Free, tree: Tree, leaders: Rows, norm: Matrix, bound: Matrix, partner: Rows) -> int:
    """The record of the most distant free pair that is farther from the origin.

    The distance to a partner that has left the tree is still an upper bound, so a record is measured again
    only when its bound is the largest of all. `leaders` have the largest bound of their block.
    """
    key, other = np.empty(1), np.empty(1, np.intp)
    while True:
        r = -1
        for block in range(len(leaders)):
            if leaders[block] >= 0 and free.places[leaders[block]] < 0:
                leaders[block] = _leader(free, bound, block)
            if leaders[block] >= 0 and (r < 0 or bound[leaders[block]] > bound[r]):
                r = leaders[block]
        if partner[r] >= 0 and free.places[partner[r]] >= 0:
            return int(partner[r] if norm[partner[r]] > norm[r] else r)
        search(tree, free.X[r], FARTHEST, key, other)
        bound[r], partner[r] = -key[0], other[0]
        leaders[r // BLOCK] = _leader(free, bound, r // BLOCK)


@kernel_only
def _leader(free: Free, bound: Matrix, block: int) -> int:
    """The free record of a block with the largest bound, the first among equals; -1 if none is free."""
    leader = -1
    for i in range(block * BLOCK, min((block + 1) * BLOCK, len(bound))):
        if free.places[i] >= 0 and (leader < 0 or bound[i] > bound[leader]):
            leader = i
    return leader
