"""V-MDAV: groups of k records around far ones, extended while the next record lies close."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit, kernel_only
from shoal._kernels.mdav.farthest import square
from shoal._kernels.spatial.record_tree import Tree, build_tree, remove
from shoal._kernels.spatial.tree_search import NEAREST, search


class Free(NamedTuple):
    """The records that are in no group yet."""

    X: Matrix
    places: Slots  # in the tree, -1 if it is in a group
    labels: Rows
    number: Rows  # of free records, of groups, of records in `order` that had their turn


class Group(NamedTuple):
    """The members of the group that grows, and the free record closest to each."""

    member: Rows
    nearest: Rows
    square: Matrix


def v_mdav_groups(X: Matrix, order: Rows, k: int, gamma: float) -> Rows:
    """Groups of k..2k-1 records; `order` visits the records from the farthest to the closest to the mean."""
    n = len(X)
    free = Free(X, np.zeros(n, np.int32), np.full(n, -1), np.array([n, 0, 0]))
    while free.number[0] >= k:
        rows = np.flatnonzero(free.places >= 0)
        tree = build_tree(X, rows.astype(np.int32), free.places, X[rows].mean(axis=0))
        _v_mdav_groups(free, tree, order, k, gamma)
    _join_closest_record(X, np.flatnonzero(free.labels < 0), free.labels)
    return free.labels


@jit
def _v_mdav_groups(free: Free, tree: Tree, order: Rows, k: int, gamma: float) -> None:
    """Until two fifths of the records have left the tree."""
    group = Group(np.empty(2 * k, np.intp), np.empty(2 * k, np.intp), np.empty(2 * k))
    keys, rows, few = np.empty(k), np.empty(k, np.intp), 3 * free.number[0] // 5
    while free.number[0] >= max(k, few):
        e = order[free.number[2]]
        free.number[2] += 1
        if free.places[e] < 0:
            continue
        search(tree, free.X[e], NEAREST, keys, rows)
        for i in range(k):
            _join(free, tree, rows[i], group, i)
        if gamma > 0:
            _extend(free, tree, k, gamma, group)
        free.number[1] += 1


@kernel_only
def _join(free: Free, tree: Tree, row: int, group: Group, place: int) -> None:
    group.member[place], group.nearest[place] = row, -1
    leave(free, tree, row)


@kernel_only
def leave(free: Free, tree: Tree, row: int) -> None:
    """The record joins the group that is being made."""
    free.labels[row] = free.number[1]
    remove(tree, free.places, row)
    free.number[0] -= 1


@kernel_only
def _extend(free: Free, tree: Tree, k: int, gamma: float, group: Group) -> None:
    """Add up to k-1 records that lie closer to the group than gamma times to any free record."""
    size, two, who = k, np.empty(2), np.empty(2, np.intp)
    while size < 2 * k - 1 and free.number[0] >= 2:
        best = 0
        for i in range(size):
            if group.nearest[i] < 0 or free.places[group.nearest[i]] < 0:
                search(tree, free.X[group.member[i]], NEAREST, two[:1], who[:1])
                group.square[i], group.nearest[i] = two[0], who[0]
            if group.square[i] < group.square[best] or (
                group.square[i] == group.square[best] and group.nearest[i] < group.nearest[best]
            ):
                best = i
        row = group.nearest[best]
        search(tree, free.X[row], NEAREST, two, who)  # itself and the closest other free record
        if group.square[best] >= gamma * two[0]:
            break
        _join(free, tree, row, group, size)
        size += 1


@jit
def _join_closest_record(X: Matrix, rows: Rows, labels: Rows) -> None:
    """The last records, fewer than k, join the group of the grouped record closest to them."""
    found = np.empty(len(rows), dtype=np.intp)
    for a in range(len(rows)):
        best, found[a] = np.inf, 0
        for i in range(len(X)):
            if labels[i] >= 0:
                distance = square(X[i], X[rows[a]])
                if distance < best:
                    best, found[a] = distance, labels[i]
    for a in range(len(rows)):
        labels[rows[a]] = found[a]
