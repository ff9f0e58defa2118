"""Cuts from a sample: which shard a record belongs to, fixed before any record moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.types import Labels, Matrix

LEAST_SHARE = 0.25  # of the records on either side of a cut: zeros may be most of a column
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # of splitmix64, a mixing of bits that is the same on every machine


@dataclass(frozen=True)
class Cut:
    """Records with at most `value` in a column go to the left."""

    column: int
    value: float
    left: Node
    right: Node


@dataclass(frozen=True)
class Leaf:
    """One shard; or several, if too many records are alike: they are dealt out at no loss."""

    first: int
    parts: int = 1


Node = Cut | Leaf


@dataclass(frozen=True)
class Cuts:
    """A tree of cuts, and the angle it looks from."""

    root: Node
    count: int
    turn: Matrix | None = None

    def shards(self, X: Matrix, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        """The shard of every record; `rows` are their numbers in the source, which deal equal ones out."""
        turned = X if self.turn is None else X @ self.turn
        found = np.empty(len(X), dtype=np.int32)
        for node, inside in _reached(self.root, turned):
            spread = mixed(rows[inside], 0) % np.uint64(node.parts) if node.parts > 1 else 0
            found[inside] = node.first + np.asarray(spread, dtype=np.int32)
        return found


def kd_cuts(X: Matrix, records: int, shard_records: int, *, turned: bool = False) -> Cuts:
    """Halve a sample until the file it stands for falls into shards of at most so many records.

    Parameters
    ----------
    X
        The encoded sample.
    records
        Records of the whole file.
    shard_records
        Most records in a shard, about.
    turned
        Whether to cut at another angle: groups at the borders of one plan lie inside the shards of the other.

    Returns
    -------
    Cuts

    Notes
    -----
    Every cut is at the median of the column whose halves lie farthest apart and which has at least a quarter
    of the records on either side. Where no column has, records are alike: they are dealt out by their number.
    Time O(n log n) in the sample.

    References
    ----------
    Bentley: Multidimensional binary search trees used for associative searching, Communications of the ACM
    18 (1975).

    Examples
    --------
    >>> plan = kd_cuts(np.array([[0.0], [1.0], [8.0], [9.0]]), records=4, shard_records=2)
    >>> plan.shards(np.array([[-5.0], [20.0]]), np.arange(2)).tolist()
    [0, 1]
    """
    turn = None
    if turned and X.shape[1] > 1:  # any directions will do; always the same ones
        turn = np.linalg.qr(np.random.default_rng(0).normal(size=(X.shape[1],) * 2))[0]
    per_row = records / max(len(X), 1)
    root, count = _grown(X if turn is None else X @ turn, per_row, shard_records, 0)
    return Cuts(root, count, turn)


def mixed(numbers: NDArray[np.int64], secret: int) -> NDArray[np.uint64]:
    """Numbers that look random and depend on the secret; the same on every machine.

    >>> mixed(np.arange(2), 7).tolist() == mixed(np.arange(2), 7).tolist()
    True
    """
    with np.errstate(over="ignore"):
        z = numbers.astype(np.uint64) * GOLDEN + np.uint64(secret % 2**64)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
        result: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return result


def _grown(X: Matrix, per_row: float, shard_records: int, first: int) -> tuple[Node, int]:
    """A node for these records of the sample, and the number of the next shard."""
    expected = len(X) * per_row
    if expected <= shard_records:
        return Leaf(first), first + 1
    found = _balanced(X) if len(X) >= 8 else None
    if found is None:
        parts = int(np.ceil(expected / shard_records))
        return Leaf(first, parts), first + parts
    column, value = found
    below = X[:, column] <= value
    left, first = _grown(X[below], per_row, shard_records, first)
    right, first = _grown(X[~below], per_row, shard_records, first)
    return Cut(column, value, left, right), first


def _balanced(X: Matrix) -> tuple[int, float] | None:
    """The widest column that can be cut, and where."""
    middle = np.median(X, axis=0)
    width = np.abs(X - middle).sum(axis=0)
    for column in np.argsort(-width, kind="stable").tolist():
        values = X[:, column]
        at = float(middle[column])
        lower = values[values < at]
        for value in [at, *([float(lower.max())] if len(lower) else [])]:
            share = float((values <= value).mean())
            if LEAST_SHARE <= share <= 1 - LEAST_SHARE:
                return column, value
    return None


def _reached(root: Node, X: Matrix) -> Iterator[tuple[Leaf, Labels]]:
    """Every leaf with the positions of the records that come to it."""
    waiting: list[tuple[Node, Labels]] = [(root, np.arange(len(X)))]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, Leaf):
            yield node, inside
        elif len(inside):
            below = X[inside, node.column] <= node.value
            waiting += [(node.left, inside[below]), (node.right, inside[~below])]
