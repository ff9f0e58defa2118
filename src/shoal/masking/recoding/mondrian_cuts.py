"""Mondrian's cuts: part regions between two values of one column while both parts keep k records.

All regions are cut at once, round by round. Every column keeps the records sorted by region and value, so
that ends, runs of equal values and halves are found by counting, without sorting again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal._shared.options import report
from shoal.masking.microaggregation.constraints import Constraint
from shoal.masking.recoding.cut_tree import CutTree
from shoal.types import Callback, Labels, Matrix

Rows: TypeAlias = NDArray[np.intp]
# (share of records below the cut, width of the region, of its parts below and above, height of the cut)
# -> (which cut of a column is best, which column's best cut is best)
Rule: TypeAlias = Callable[[Matrix, Matrix, Matrix, Matrix, Matrix], tuple[Matrix, Matrix]]


@dataclass(frozen=True)
class Axis:
    """One column as Mondrian sees it.

    `codes` are the ranks of the records' values, 0 where missing. `width` says how wide (0 to 1) the range
    from one code to another is; None if it is the share of the column's values in it. `height` says how far
    apart two neighbouring codes are, where that matters more than the balance of a cut.
    """

    codes: Rows
    width: Callable[[Rows, Rows], Matrix] | None
    height: Callable[[Rows, Rows], Matrix]


@dataclass(frozen=True)
class Regions:
    """Where regions begin and how many records they have, in the order all columns share."""

    starts: Rows
    sizes: Rows

    @cached_property
    def of_record(self) -> Rows:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @classmethod
    def of_sizes(cls, sizes: Rows) -> Regions:
        return cls(np.cumsum(sizes) - sizes, sizes)


@dataclass(frozen=True)
class Cuts:
    """For every region the column to cut (-1: none), how many records go below, and how good the cut is."""

    axis: Rows
    below: Rows
    worth: Matrix

    def improved(self, axis: int, below: Rows, worth: Matrix, where: NDArray[np.bool_]) -> Cuts:
        return Cuts(
            np.where(where, axis, self.axis),
            np.where(where, below, self.below),
            np.where(where, worth, self.worth),
        )


def widest_rule(
    share: Matrix, whole: Matrix, below: Matrix, above: Matrix, height: Matrix
) -> tuple[Matrix, Matrix]:
    """LeFevre's: the widest column, cut near its median (where a hierarchy parts, near its top)."""
    return 2 * height - np.abs(2 * share - 1), whole


def gain_rule(
    share: Matrix, whole: Matrix, below: Matrix, above: Matrix, height: Matrix
) -> tuple[Matrix, Matrix]:
    """The cut that narrows ranges most; of one column's cuts, the one that narrows most per bit it spends.

    A region can spend about log2(size / k) bits on cuts; parting 9 of 10 records from the rest costs half a
    bit.
    """
    gain = whole - share * below - (1 - share) * above
    bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    return gain / bits, gain + 1e-9 * whole


def cut_regions(
    axes: Sequence[Axis],
    k: int,
    stratum: Labels,
    rule: Rule,
    strict: bool,
    constraint: Constraint | None,
    callback: Callback | None = None,
    tree: CutTree | None = None,
) -> Labels:
    """The region of every record; no region crosses a stratum. The cuts are written down in `tree`.

    Strict: records with equal values stay together, so that regions do not overlap. Relaxed: a region that
    cannot be cut so is halved along its widest column, equal values going to both sides.
    """
    orders = [np.lexsort((axis.codes, stratum)) for axis in axes]
    regions = Regions.of_sizes(np.bincount(stratum))
    labels = np.empty(len(stratum), dtype=np.intp)
    found = 0
    if tree is not None:
        tree.begin(len(regions.sizes))
    while len(regions.sizes):
        report(callback, 1.0 - len(orders[0]) / len(stratum), "cutting")
        cuts = _best_cuts(axes, orders, regions, k, rule, constraint)
        if not strict:
            cuts = _halved(cuts, axes, orders, regions, k, constraint)
        if tree is not None:
            tree.note(cuts.axis, _first_above(cuts, axes, orders, regions), found)
        done = cuts.axis < 0
        rows = orders[0][done[regions.of_record]]
        labels[rows] = found + np.repeat(np.arange(done.sum()), regions.sizes[done])
        found += int(done.sum())
        orders, regions = _divide(orders, regions, cuts)
    report(callback, 1.0, "cutting")
    return labels


def _first_above(cuts: Cuts, axes: Sequence[Axis], orders: Sequence[Rows], regions: Regions) -> Rows:
    """The first code of every region's part above; 1 where only missing values lie below."""
    first = np.zeros(len(cuts.axis), dtype=np.intp)
    for number, (axis, order) in enumerate(zip(axes, orders, strict=True)):
        mine = np.flatnonzero(cuts.axis == number)
        place = regions.starts[mine] + cuts.below[mine]
        last, next_ = axis.codes[order[place - 1]], axis.codes[order[place]]
        first[mine] = np.where(last == 0, 1, next_)
    return first


def _best_cuts(
    axes: Sequence[Axis],
    orders: Sequence[Rows],
    regions: Regions,
    k: int,
    rule: Rule,
    constraint: Constraint | None,
) -> Cuts:
    count = len(regions.sizes)
    cuts = Cuts(np.full(count, -1), np.zeros(count, dtype=np.intp), np.full(count, -np.inf))
    for number, (axis, order) in enumerate(zip(axes, orders, strict=True)):
        below, worth = _best_cut(axis, axis.codes[order], regions, k, rule)
        better = worth > cuts.worth
        if constraint is not None:
            better = _both_sides_satisfy(constraint, order, regions, np.where(better, below, 0))
        cuts = cuts.improved(number, below, worth, better)
    return cuts


def _best_cut(axis: Axis, codes: Rows, regions: Regions, k: int, rule: Rule) -> tuple[Rows, Matrix]:
    """The best place to cut every region along one column, and its worth; minus infinity where none is."""
    region_of = regions.of_record
    runs = np.flatnonzero((codes[1:] != codes[:-1]) & (region_of[1:] == region_of[:-1])) + 1
    region = region_of[runs]
    place, size = runs - regions.starts[region], regions.sizes[region]
    allowed = np.flatnonzero((place >= k) & (size - place >= k))
    best_place = np.zeros(len(regions.sizes), dtype=np.intp)
    best_worth = np.full(len(regions.sizes), -np.inf)
    if len(allowed):
        widths = _widths(axis, codes, runs, region, regions, allowed)
        runs, region, place = runs[allowed], region[allowed], place[allowed]
        height = axis.height(codes[runs - 1], codes[runs])
        score, worth = rule(place / size[allowed], *widths, height)
        chosen = _first_best(score, region)
        best_place[region[chosen]], best_worth[region[chosen]] = place[chosen], worth[chosen]
    return best_place, best_worth


def _widths(
    axis: Axis, codes: Rows, runs: Rows, region: Rows, regions: Regions, allowed: Rows
) -> tuple[Matrix, Matrix, Matrix]:
    """For every allowed cut the width of its region, of the part below and of the part above."""
    mine = region[allowed]
    if axis.width is None:
        count = np.bincount(region, minlength=len(regions.sizes))
        before = allowed - (np.cumsum(count) - count)[mine]  # places to cut below this one
        total = max(int(axis.codes.max()) - 1, 1)
        return count[mine] / total, before / total, (count[mine] - 1 - before) / total
    low, high = codes[regions.starts], codes[regions.starts + regions.sizes - 1]
    below, above = codes[runs[allowed] - 1], codes[runs[allowed]]
    return axis.width(low, high)[mine], axis.width(low[mine], below), axis.width(above, high[mine])


def _first_best(score: Matrix, region: Rows) -> Rows:
    """The position of the highest score of every region, the first among equals."""
    first = np.flatnonzero(np.append(True, region[1:] != region[:-1]))
    top = np.repeat(np.maximum.reduceat(score, first), np.diff(np.append(first, len(score))))
    best: Rows = np.flatnonzero(score == top)
    opening: NDArray[np.bool_] = np.append(True, region[best][1:] != region[best][:-1])
    return best[opening]


def _halved(
    cuts: Cuts,
    axes: Sequence[Axis],
    orders: Sequence[Rows],
    regions: Regions,
    k: int,
    constraint: Constraint | None,
) -> Cuts:
    """Where no cut was found, half of a region with 2k records and more than one value."""
    open_ = (cuts.axis < 0) & (regions.sizes >= 2 * k)
    for number, (axis, order) in enumerate(zip(axes, orders, strict=True)):
        low = axis.codes[order[regions.starts]]
        high = axis.codes[order[regions.starts + regions.sizes - 1]]
        width = (
            axis.width(low, high) if axis.width is not None else (high - low) / max(axis.codes.max() - 1, 1)
        )
        better = open_ & (low != high) & (width > cuts.worth)
        below = np.where(better, regions.sizes // 2, 0)
        if constraint is not None:
            better = _both_sides_satisfy(constraint, order, regions, below)
        cuts = cuts.improved(number, below, width, better)
    return cuts


def _both_sides_satisfy(
    constraint: Constraint, order: Rows, regions: Regions, below: Rows
) -> NDArray[np.bool_]:
    """Whether both parts of a region keep the constraint; no where there is no cut."""
    of_record = regions.of_record
    trial = below[of_record] > 0
    number = np.cumsum(below > 0) - 1
    above = (np.arange(len(order)) - regions.starts[of_record] >= below[of_record])[trial]
    verdict = np.zeros(len(below), dtype=bool)
    if trial.any():
        parts = constraint(order[trial], 2 * number[of_record][trial] + above)
        verdict[below > 0] = parts.reshape(-1, 2).all(axis=1)
    return verdict


def _divide(orders: Sequence[Rows], regions: Regions, cuts: Cuts) -> tuple[list[Rows], Regions]:
    """Drop the finished regions and part the others, every column staying sorted."""
    going = cuts.axis >= 0
    kept = going[regions.of_record]
    orders = [order[kept] for order in orders]
    before, axis, below = Regions.of_sizes(regions.sizes[going]), cuts.axis[going], cuts.below[going]
    if not len(axis):
        return orders, before
    of_record = before.of_record
    place = np.arange(len(of_record)) - before.starts[of_record]
    above = np.zeros(int(orders[0].max()) + 1, dtype=bool)
    for number, order in enumerate(orders):
        mine = axis[of_record] == number
        above[order[mine]] = (place >= below[of_record])[mine]
    parted = [_part(order, above[order], place, before, below) for order in orders]
    return parted, Regions.of_sizes(np.column_stack([below, before.sizes - below]).reshape(-1))


def _part(order: Rows, above: NDArray[np.bool_], place: Rows, regions: Regions, below: Rows) -> Rows:
    """The records below the cut of every region first, then those above, each side in the order it had."""
    of_record = regions.of_record
    earlier: Rows = np.cumsum(above) - above
    earlier -= earlier[regions.starts][of_record]
    target = regions.starts[of_record] + np.where(above, below[of_record] + earlier, place - earlier)
    result = np.empty_like(order)
    result[target] = order
    return result
