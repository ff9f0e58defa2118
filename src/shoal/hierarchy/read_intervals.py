"""Reading many intervals of numbers at once: the cuts of a large file are as many as its classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shoal.hierarchy.domain import Domain
from shoal.hierarchy.read_cell import NUMBER
from shoal.types import Labels, Matrix

PLAIN = re.compile(rf"([\[(\]])\s*({NUMBER})\s*[,;]\s*({NUMBER})\s*([\])\[])")


class Intervals(NamedTuple):
    """Which cells are plain intervals, the first and last position they cover, and their ends."""

    rows: Labels
    first: Labels
    last: Labels
    low: Matrix
    high: Matrix


def read_intervals(cells: Sequence[Any], domain: Domain) -> Intervals:
    """The cells that are an interval of two numbers in brackets, read as `read_cell` reads them.

    Labels of the hierarchy that look so are left to it, as are cells that are anything else.

    >>> from shoal.hierarchy.domain import domain_of
    >>> read_intervals(["[20, 30)", "young"], domain_of("numeric", (18, 20, 25, 30))).high.tolist()
    [29.0]
    """
    numbers = domain.numbers if domain.numbers is not None else np.zeros(0)
    nodes = domain.hierarchy.node if domain.hierarchy is not None else {}
    texts = enumerate(cells if len(numbers) else ())
    found = [
        (row, match)
        for row, cell in texts
        if isinstance(cell, str) and (match := PLAIN.fullmatch(cell.strip())) and cell.strip() not in nodes
    ]
    rows = np.array([row for row, _ in found], dtype=np.intp)
    ends = [np.array([float(match[at]) for _, match in found]) for at in (2, 3)]
    shut = [
        np.array([match[at] == mark for _, match in found], dtype=bool) for at, mark in ((1, "["), (4, "]"))
    ]
    ordered = ends[0] <= ends[1]
    low, high, shut_low, shut_high = (values[ordered] for values in (*ends, *shut))
    return Intervals(rows[ordered], *_between(low, high, shut_low, shut_high, domain.whole, numbers))


def _between(
    low: Matrix, high: Matrix, shut_low: Labels, shut_high: Labels, whole: bool, numbers: Matrix
) -> tuple[Labels, Labels, Matrix, Matrix]:
    if not len(low):
        nothing = np.zeros(0, dtype=np.intp)
        return nothing, nothing, low, high
    sides = [np.searchsorted(numbers, ends, side=side) for ends in (low, high) for side in ("left", "right")]
    first = np.where(shut_low, sides[0], sides[1])
    last = np.where(shut_high, sides[3], sides[2]) - 1
    if whole:  # (19, 30) are the numbers from 20 to 29
        low = np.ceil(low) + (~shut_low & (low == np.ceil(low)))
        high = np.floor(high) - (~shut_high & (high == np.floor(high)))
    low, high = np.maximum(low, numbers[0]), np.minimum(high, numbers[-1])
    return first, last, low, np.maximum(low, high)
