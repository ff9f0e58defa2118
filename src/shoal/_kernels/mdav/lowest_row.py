"""Segment tree over rows in some order that leave one by one: who of a stretch remains, lowest row first?

Every node tells the lowest row that remains under it. The rows themselves are level 0; FAN_OUT nodes of a
level carry one of the next, up to a single one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Rows, Slots
from shoal._kernels.jit import inline, jit, kernel_only
from shoal._kernels.spatial.record_tree import NO_RECORD

FAN_OUT = 16  # nodes under a node: 16 of 8 bytes are two cache lines


class SegmentTree(NamedTuple):
    """`places[row]` is where the row is in the order, negative if it has left."""

    order: Slots
    places: Slots
    nodes: Slots  # level after level, each filled up to a multiple of FAN_OUT by NO_RECORD
    start: Rows  # of every level among the nodes; level 0 has none


def build(order: Slots, places: Slots) -> SegmentTree:
    """A segment tree over an order of all rows; `places` is filled."""
    start, size = [0, 0], len(order)
    while size > 1 or len(start) == 2:
        size = -(-size // FAN_OUT)
        start.append(start[-1] + -(-size // FAN_OUT) * FAN_OUT)
    tree = SegmentTree(order, places, np.full(start[-1], NO_RECORD, np.int32), np.array(start))
    _fill_all(tree)
    return tree


@jit
def _fill_all(tree: SegmentTree) -> None:
    for i in range(len(tree.order)):
        tree.places[tree.order[i]] = i
    size = len(tree.order)
    for level in range(1, len(tree.start) - 1):
        size = (size + FAN_OUT - 1) // FAN_OUT
        for i in range(size):
            _fill_level(tree, level, i)


@kernel_only
def _fill_level(tree: SegmentTree, level: int, i: int) -> None:
    row = NO_RECORD
    for below in range(FAN_OUT * i, FAN_OUT * (i + 1)):
        row = min(row, _node(tree, level - 1, below))
    tree.nodes[tree.start[level] + i] = row


@inline
def _node(tree: SegmentTree, level: int, i: int) -> int:
    """The lowest row that remains under a node, NO_RECORD if none does."""
    if level > 0:
        return tree.nodes[tree.start[level] + i]
    if i < len(tree.order) and tree.places[tree.order[i]] >= 0:
        return tree.order[i]
    return NO_RECORD


@kernel_only
def remove(tree: SegmentTree, row: int) -> None:
    """Take a row out."""
    i, level = tree.places[row] // FAN_OUT, 1
    tree.places[row] = -1
    while level < len(tree.start) - 1 and _node(tree, level, i) == row:
        _fill_level(tree, level, i)
        i, level = i // FAN_OUT, level + 1


@kernel_only
def lowest(tree: SegmentTree, begin: int, end: int) -> int:
    """The lowest row that remains from one place to another, both included; NO_RECORD if none does."""
    row, level = NO_RECORD, 0
    while begin <= end:
        while begin <= end and begin % FAN_OUT > 0:
            row = min(row, _node(tree, level, begin))
            begin += 1
        while begin <= end and (end + 1) % FAN_OUT > 0:
            row = min(row, _node(tree, level, end))
            end -= 1
        begin, end, level = begin // FAN_OUT, (end + 1) // FAN_OUT - 1, level + 1
    return row


@kernel_only
def next_place(tree: SegmentTree, place: int, step: int) -> int:
    """The first place from here, upwards (1) or downwards (-1), whose row remains; past the end if none."""
    if not 0 <= place < len(tree.order):
        return place
    level, i, edge = 0, place, 0 if step > 0 else FAN_OUT - 1
    while _node(tree, level, i) == NO_RECORD:  # up, where the next node is under another one
        i += step
        while i % FAN_OUT == edge:
            if level == len(tree.start) - 2:
                return len(tree.order) if step > 0 else -1
            level, i = level + 1, i // FAN_OUT
    while level > 0:  # and down again
        level, i = level - 1, FAN_OUT * i + edge
        while _node(tree, level, i) == NO_RECORD:
            i += step
    return i
