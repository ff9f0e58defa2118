"""One node of the lattice: its classes, whom it suppresses, and whether it keeps the promise so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal.search.recoding.key_codes import KeyCodes
from shoal.types import Labels, Matrix

Levels: TypeAlias = tuple[int, ...]
# (the class 0..c-1 of every record) -> whether every class keeps the promise; None where only k is asked
Test: TypeAlias = Callable[[Labels], NDArray[np.bool_]]


@dataclass(frozen=True)
class Demand:
    """What is promised: classes of k, what else a class must be like, and how many records may go.

    Where `homes` has the household of every record, whole households are suppressed: what all members share
    could be read from those who are left.
    """

    k: int
    allowed: int
    test: Test | None = None
    homes: NDArray[np.intp] | None = None


@dataclass(frozen=True)
class CountedNode:
    """What a node does: the class of every distinct row, and how many records of each row it suppresses.

    `below_k` are the records in classes of less than k; `dropped` is None where the promise cannot be kept.
    `gone` says which records are suppressed, where that is not the first of equal ones.
    """

    levels: Levels
    labels: Labels
    sizes: NDArray[np.int64]
    below_k: int
    dropped: NDArray[np.int64] | None
    gone: NDArray[np.bool_] | None = None

    @property
    def suppressed(self) -> int:
        """Records suppressed."""
        return 0 if self.dropped is None else int(self.dropped.sum())

    @property
    def classes(self) -> int:
        """Released classes, the suppressed records not counted as one."""
        assert self.dropped is not None
        left = self.sizes - np.bincount(self.labels, weights=self.dropped, minlength=len(self.sizes))
        return int((left > 0).sum())


def number_rows_at(keys: KeyCodes, levels: Sequence[int]) -> tuple[Labels, NDArray[np.int64]]:
    """The class of every distinct row at these levels, and the records of every class."""
    from shoal._kernels.recoding.count_keys import number_keys

    parts, bound = np.empty(keys.starts[-1], dtype=np.int64), 1
    places, starts = keys.places, keys.starts
    for number, (column, level) in enumerate(zip(keys.columns, levels, strict=True)):
        count, ids = column.numbered[level]
        if bound * count >= 2**62:  # too many combinations for one number: sort out those that occur
            begun, _ = number_keys(np.ascontiguousarray(places[:, :number]), parts, keys.counts)
            return _go_on(keys, levels, number, begun)
        parts[starts[number] : starts[number + 1]] = ids * bound
        bound *= count
    labels, sizes = number_keys(places, parts, keys.counts)
    return labels, sizes


def _go_on(
    keys: KeyCodes, levels: Sequence[int], first: int, labels: Labels
) -> tuple[Labels, NDArray[np.int64]]:
    """Refine classes by the columns from `first` on, one at a time."""
    from shoal._kernels.recoding.count_keys import number_keys

    sizes = np.bincount(labels, weights=keys.counts).astype(np.int64)
    for number in range(first, len(keys.columns)):
        column = keys.columns[number].ids[keys.rows[:, number], levels[number]].astype(np.int64)
        parts = np.concatenate(
            [np.arange(labels.max() + 1) * (column.max() + 1), np.arange(column.max() + 1)]
        )
        pair = np.column_stack([labels, labels.max() + 1 + column]).astype(np.int32)
        labels, sizes = number_keys(pair, parts, keys.counts)
    return labels, sizes


def count_node(
    keys: KeyCodes, levels: Sequence[int], demand: Demand, row_cost: Callable[[], Matrix]
) -> CountedNode:
    """Count the classes of a node and choose whom to suppress.

    Parameters
    ----------
    row_cost
        Says what suppressing a record of each distinct row costs, to choose between records.

    Notes
    -----
    The suppressed records look alike too, so they are a class that has to keep the promise: where fewer than
    k go, records of other classes, the cheapest that those can spare, go with them.
    """
    labels, sizes = number_rows_at(keys, levels)
    levels = tuple(int(level) for level in levels)
    short = sizes < demand.k
    below_k = int(sizes[short].sum())
    if below_k > demand.allowed:
        return CountedNode(levels, labels, sizes, below_k, None)
    broken = short
    if demand.test is not None:
        broken = short | ~demand.test(labels[keys.of_record])
    if demand.homes is not None and broken.any():
        gone = whole_households(keys, labels, broken, demand, row_cost)
        left = None if gone is None else np.bincount(keys.of_record[gone], minlength=len(keys.counts))
        return CountedNode(levels, labels, sizes, below_k, left, gone)
    dropped = _joined(keys, labels, sizes, broken, demand, row_cost)
    if dropped is not None and demand.test is not None and not _kept(keys, labels, dropped, demand.test):
        dropped = None
    return CountedNode(levels, labels, sizes, below_k, dropped)


def _joined(
    keys: KeyCodes,
    labels: Labels,
    sizes: NDArray[np.int64],
    broken: NDArray[np.bool_],
    demand: Demand,
    row_cost: Callable[[], Matrix],
) -> NDArray[np.int64] | None:
    """Records to suppress by distinct row: the broken classes, and company for them; None if too many."""
    dropped = np.where(broken[labels], keys.counts, 0)
    gone = int(dropped.sum())
    if gone == 0 or demand.k <= gone <= demand.allowed:
        return dropped
    if max(gone, demand.k) > demand.allowed:
        return None
    spare = np.where(broken, 0, sizes - demand.k)
    wanted = demand.k - gone
    for row in np.argsort(row_cost(), kind="stable").tolist():
        taken = min(int(spare[labels[row]]), int(keys.counts[row] - dropped[row]), wanted)
        if taken > 0:
            dropped[row] += taken
            spare[labels[row]] -= taken
            wanted -= taken
        if wanted == 0:
            return dropped
    return None


def whole_households(
    keys: KeyCodes,
    labels: Labels,
    broken: NDArray[np.bool_],
    demand: Demand,
    row_cost: Callable[[], Matrix],
) -> NDArray[np.bool_] | None:
    """Which records to suppress so that a household goes as a whole or not at all; None if too many.

    A household that goes takes company from the classes of its members, which may go then, too.
    """
    assert demand.homes is not None
    of_record, homes = labels[keys.of_record], demand.homes
    away = np.zeros(int(homes.max()) + 1, dtype=bool)
    away[homes[broken[of_record]]] = True
    if away.sum() < demand.k:  # they look alike as well: the cheapest households go with them
        cost = np.bincount(homes, weights=row_cost()[keys.of_record])
        cost[away] = np.inf
        away[np.argsort(cost, kind="stable")[: demand.k - int(away.sum())]] = True
    while True:
        gone = away[homes]
        if int(gone.sum()) > demand.allowed:
            return None
        released = np.where(gone, len(broken), of_record)
        numbered = np.unique(released, return_inverse=True)[1].reshape(-1)
        failed = np.bincount(numbered) < demand.k
        if demand.test is not None:
            failed |= ~demand.test(numbered)
        if not failed.any():
            return np.asarray(gone)
        before = int(away.sum())
        away[homes[failed[numbered]]] = True
        if int(away.sum()) == before:  # those who are suppressed break the promise themselves
            return None


def suppressed_records(keys: KeyCodes, dropped: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which records are suppressed: of equal ones the first."""
    order = np.argsort(keys.of_record, kind="stable")
    start = np.cumsum(keys.counts) - keys.counts
    place = np.arange(keys.n) - start[keys.of_record[order]]
    gone = np.zeros(keys.n, dtype=bool)
    gone[order] = place < dropped[keys.of_record[order]]
    return gone


def _kept(keys: KeyCodes, labels: Labels, dropped: NDArray[np.int64], test: Test) -> bool:
    """Whether all classes keep the promise, that of the suppressed records included."""
    gone = suppressed_records(keys, dropped)
    released = np.where(gone, labels.max() + 1, labels[keys.of_record])
    return bool(test(np.unique(released, return_inverse=True)[1].reshape(-1)).all())
