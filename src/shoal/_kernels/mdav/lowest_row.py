"""A pyramid over rows in some order that leave one by one: who of a stretch remains, the lowest row first?

Every stone tells the lowest row that remains under it. The rows themselves are level 0; SIDE stones of a
level carry one of the next, up to a single one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._kernels.arrays import Rows, Slots
from shoal._kernels.jit import copied, inner, jit
from shoal._kernels.spatial.record_tree import NOBODY

SIDE = 16


class Pyramid(NamedTuple):
    """`places[row]` is where the row is in the order, negative if it has left."""

    order: Slots
    places: Slots
    stones: Slots  # level after level, each filled up to a multiple of SIDE by NOBODY
    start: Rows  # of every level among the stones; level 0 has none


def build(order: Slots, places: Slots) -> Pyramid:
    """A pyramid over an order of all rows; `places` is filled."""
    start, size = [0, 0], len(order)
    while size > 1 or len(start) == 2:
        size = -(-size // SIDE)
        start.append(start[-1] + -(-size // SIDE) * SIDE)
    pyramid = Pyramid(order, places, np.full(start[-1], NOBODY, np.int32), np.array(start))
    _lay_all(pyramid)
    return pyramid


@jit
def _lay_all(pyramid: Pyramid) -> None:
    for i in range(len(pyramid.order)):
        pyramid.places[pyramid.order[i]] = i
    size = len(pyramid.order)
    for level in range(1, len(pyramid.start) - 1):
        size = (size + SIDE - 1) // SIDE
        for i in range(size):
            _lay(pyramid, level, i)


@inner
def _lay(pyramid: Pyramid, level: int, i: int) -> None:
    row = NOBODY
    for below in range(SIDE * i, SIDE * (i + 1)):
        row = min(row, _stone(pyramid, level - 1, below))
    pyramid.stones[pyramid.start[level] + i] = row


@copied
def _stone(pyramid: Pyramid, level: int, i: int) -> int:
    """The lowest row that remains under a stone, NOBODY if none does."""
    if level > 0:
        return pyramid.stones[pyramid.start[level] + i]
    if i < len(pyramid.order) and pyramid.places[pyramid.order[i]] >= 0:
        return pyramid.order[i]
    return NOBODY


@inner
def remove(pyramid: Pyramid, row: int) -> None:
    """Take a row out."""
    i, level = pyramid.places[row] // SIDE, 1
    pyramid.places[row] = -1
    while level < len(pyramid.start) - 1 and _stone(pyramid, level, i) == row:
        _lay(pyramid, level, i)
        i, level = i // SIDE, level + 1


@inner
def lowest(pyramid: Pyramid, begin: int, end: int) -> int:
    """The lowest row that remains from one place to another, both included; NOBODY if none does."""
    row, level = NOBODY, 0
    while begin <= end:
        while begin <= end and begin % SIDE > 0:
            row = min(row, _stone(pyramid, level, begin))
            begin += 1
        while begin <= end and (end + 1) % SIDE > 0:
            row = min(row, _stone(pyramid, level, end))
            end -= 1
        begin, end, level = begin // SIDE, (end + 1) // SIDE - 1, level + 1
    return row


@inner
def next_place(pyramid: Pyramid, place: int, step: int) -> int:
    """The first place from here, upwards (1) or downwards (-1), whose row remains; past the end if none."""
    if not 0 <= place < len(pyramid.order):
        return place
    level, i, edge = 0, place, 0 if step > 0 else SIDE - 1
    while _stone(pyramid, level, i) == NOBODY:  # up, where the next stone is under another one
        i += step
        while i % SIDE == edge:
            if level == len(pyramid.start) - 2:
                return len(pyramid.order) if step > 0 else -1
            level, i = level + 1, i // SIDE
    while level > 0:  # and down again
        level, i = level - 1, SIDE * i + edge
        while _stone(pyramid, level, i) == NOBODY:
            i += step
    return i
