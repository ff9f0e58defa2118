"""MDAV with a tree: every search reads only the leaves that can matter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit, kernel_only
from shoal._kernels.mdav.farthest import Shell, outer_shell, outermost
from shoal._kernels.spatial.record_tree import NO_RECORD, Tree, build_tree, remove
from shoal._kernels.spatial.spatial_order import LEAF
from shoal._kernels.spatial.tree_search import FARTHEST, NEAREST, search

DONE, GIVE_UP, REBUILD, REFRESH = 0, 1, 2, 3
TRIAL_ROUNDS = 50  # rounds after which a tree is judged
OUT_OF_ORDER = 1.3  # a leaf read out of order takes that much longer than one read in order
SMALL_TREE_LEAVES = 8  # leaves of a tree so small that planting another takes longer than it saves
SCAN_START_NUMBERS = 1 << 17  # numbers a scan could have read in the time it takes to start one


class Remaining(NamedTuple):
    """The records not yet in a group, and the groups so far."""

    X: Matrix
    places: Slots  # where an engine keeps the record, -2 - group if it is in one
    total: Matrix  # sum of the records that remain
    number: Rows  # of records that remain, of groups


def tree_rounds(left: Remaining, k: int, stop: int, passes: float) -> bool:
    """Two groups at a time while at least `stop` records remain.

    False if it gave up: the searches of a round read more than `passes` times everything.
    """
    reason = REBUILD
    while reason == REBUILD:
        reason = _one_tree(left, k, stop, passes)
    return reason == DONE


def _one_tree(left: Remaining, k: int, stop: int, passes: float) -> int:
    """Until two fifths of the records have left the tree."""
    centre = left.total / left.number[0]
    tree = build_tree(left.X, np.flatnonzero(left.places >= 0).astype(np.int32), left.places, centre)
    few = 3 * int(left.number[0]) // 5 if len(tree.points) > SMALL_TREE_LEAVES else 0
    everything = len(tree.points) + SCAN_START_NUMBERS / tree.points[0].size
    limit = passes * TRIAL_ROUNDS * everything / OUT_OF_ORDER
    keys, rows, tally = np.empty(k), np.empty(k, np.intp), np.zeros(2, np.intp)
    reason = REFRESH
    while reason == REFRESH:
        shell = outer_shell(left.X, left.places, left.total / left.number[0])
        reason = _tree_rounds(left, tree, shell, k, stop, few, limit, keys, rows, tally)
        del shell  # memory counts: before the next one is made
    return reason


@jit
def _tree_rounds(
    left: Remaining,
    tree: Tree,
    shell: Shell,
    k: int,
    stop: int,
    few: int,
    limit: float,
    keys: Matrix,
    rows: Rows,
    tally: Rows,
) -> int:
    """As long as tree and shell are good; `tally` counts rounds and the leaves they read."""
    q = np.empty(left.X.shape[1])
    while left.number[0] >= stop:
        if left.number[0] < few:
            return REBUILD
        if shell.cursor[1] > left.number[0]:
            return REFRESH
        if tally[0] == TRIAL_ROUNDS and tally[1] > limit:
            return GIVE_UP
        for j in range(len(q)):
            q[j] = left.total[j] / left.number[0]
        far = outermost(left.X, left.places, shell, q)
        for step in range(4):  # r is farthest from the mean; around r; s is farthest from r; around s
            if step == 0 and far != NO_RECORD:
                continue
            if step % 2 == 0:
                read = search(tree, q, FARTHEST, keys[:1], rows[:1])
                far = rows[0]
            else:
                for j in range(len(q)):
                    q[j] = left.X[far, j]
                read = search(tree, q, NEAREST, keys, rows)
                leave(left, rows)
                for i in range(k):
                    remove(tree, left.places, rows[i])
                    left.places[rows[i]] = -1 - left.number[1]
            if step == 0:
                shell.cursor[1] += LEAF * read
            else:
                tally[1] += read
        tally[0] += 1
    return DONE


@kernel_only
def leave(left: Remaining, rows: Rows) -> None:
    """Count the rows as a group; they leave the total in row order, which defines its last bit."""
    _sort(rows)
    for i in range(len(rows)):
        for j in range(len(left.total)):
            left.total[j] -= left.X[rows[i], j]
    left.number[0] -= len(rows)
    left.number[1] += 1


@kernel_only
def _sort(rows: Rows) -> None:
    """Shell sort: quick to compile, and there are seldom more than a few rows."""
    gap = 1
    while gap < len(rows) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(rows)):
            row, j = rows[i], i
            while j >= gap and rows[j - gap] > row:
                rows[j] = rows[j - gap]
                j -= gap
            rows[j] = row
        gap //= 3
