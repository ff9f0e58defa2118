"""A masked file as counts: what changes in losses and interval risk when a few of its cells change.

Cells are codes. The last code of a column is "missing". Numbers per code and per pair of codes (original,
masked) of all columns lie in flat arrays, one column after the other.
"""

from __future__ import annotations

from math import floor, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.jit import jit

NAME, RANK, NUMBER = 0, 1, 2
ROUNDING = 1e-12  # of shares of records: 10 % of 30 is 3, not 2.9999


class Rules(NamedTuple):
    """What never changes: the original file and how its columns are compared."""

    original: Slots  # records by columns
    slots: Slots  # the same, counted from the first code of the first column
    kinds: Rows  # NAME, RANK or NUMBER
    sizes: Rows  # codes of a column, "missing" included
    first: Rows  # where a column begins in arrays with one number per code
    square: Rows  # where a categorical column begins in arrays with one number per pair of codes, else -1
    cross: Rows  # where the contingency table of two categorical columns begins, else -1
    apart: Matrix  # per pair of codes: distance of categories
    far: Matrix  # per pair of codes: squared distance in linkage
    place: Matrix  # per code: position of a number in linkage
    scaled: Matrix  # per code: the number in standard deviations, 0 where missing
    entropy: Matrix  # largest entropy of a column
    halves: Matrix  # half widths of the interval, in percent
    totals: Matrix  # known categorical cells, known cells, contingency tables, sum of squares


class Sheet(NamedTuple):
    """A masked file and its counts."""

    cells: Slots  # records by columns
    joint: Slots  # per pair of codes: records
    counts: Slots  # per code: masked records
    distances: Matrix  # per masked code of a categorical column: sum of the distances to the originals
    entropies: Matrix  # the same: sum of the entropies of its records
    differences: Slots  # contingency tables, masked less original
    moved: Rows  # sum of their absolute values
    hits: Matrix  # per column: cells disclosed
    squares: Matrix  # per numeric column: squared differences
    closer: Matrix  # per original record: masked records below this squared distance are closer than its own
    within: Matrix  # ... and up to this one as close
    nearer: Slots  # how many are closer
    tied: Slots  # how many are as close


@jit
def count_cells(rules: Rules, sheet: Sheet) -> None:
    """Fill in every count but those of linkage from the cells alone."""
    n, d = sheet.cells.shape
    for c in range(d):
        size = rules.sizes[c]
        for i in range(n):
            x, y = rules.original[i, c], sheet.cells[i, c]
            sheet.counts[rules.first[c] + y] += 1
            if rules.square[c] < 0:
                continue
            sheet.joint[rules.square[c] + x * size + y] += 1
            for b in range(c, d):
                if rules.cross[c, b] >= 0:
                    wide = 1 if b == c else rules.sizes[b]
                    before = x * wide + (0 if b == c else rules.original[i, b])
                    after = y * wide + (0 if b == c else sheet.cells[i, b])
                    sheet.differences[rules.cross[c, b] + before] -= 1
                    sheet.differences[rules.cross[c, b] + after] += 1
    sheet.moved[0] = np.abs(sheet.differences).sum()
    _sum_up(rules, sheet, np.ones(len(sheet.counts), np.bool_))


@jit
def change_cells(rules: Rules, sheet: Sheet, rows: Rows, columns: Rows, values: Rows) -> None:
    """Write these values into these cells and correct every count but those of linkage."""
    touched = np.zeros(len(sheet.counts), np.bool_)
    for e in range(len(rows)):
        i, c, new = rows[e], columns[e], values[e]
        old = sheet.cells[i, c]
        if old == new:
            continue
        sheet.cells[i, c] = new
        sheet.counts[rules.first[c] + old] -= 1
        sheet.counts[rules.first[c] + new] += 1
        touched[rules.first[c] + old] = touched[rules.first[c] + new] = True
        if rules.square[c] >= 0:
            row = rules.square[c] + rules.original[i, c] * rules.sizes[c]
            sheet.joint[row + old] -= 1
            sheet.joint[row + new] += 1
            _change_tables(rules, sheet, i, c, old, new)
    _sum_up(rules, sheet, touched)


@jit
def _change_tables(rules: Rules, sheet: Sheet, i: int, c: int, old: int, new: int) -> None:
    """Record i leaves one cell of every contingency table with column c for another."""
    for b in range(len(rules.sizes)):
        if b < c:
            start, here, step = rules.cross[b, c], sheet.cells[i, b] * rules.sizes[c], 1
        elif b == c:
            start, here, step = rules.cross[c, c], 0, 1
        else:
            start, here, step = rules.cross[c, b], sheet.cells[i, b], rules.sizes[b]
        if start >= 0:
            left, entered = start + here + old * step, start + here + new * step
            sheet.moved[0] += 1 if sheet.differences[left] <= 0 else -1
            sheet.differences[left] -= 1
            sheet.moved[0] += 1 if sheet.differences[entered] >= 0 else -1
            sheet.differences[entered] += 1


@jit
def _sum_up(rules: Rules, sheet: Sheet, touched: NDArray[np.bool_]) -> None:
    """New sums for the codes that were touched; recomputed, so that no rounding piles up."""
    for c in range(len(rules.sizes)):
        begin, size = rules.first[c], rules.sizes[c]
        if not touched[begin : begin + size].any():
            continue
        if rules.kinds[c] == NUMBER:
            _sum_numbers(rules, sheet, c)
            continue
        for y in range(size):
            if touched[begin + y]:
                _sum_code(rules, sheet, c, y)
        if rules.kinds[c] == RANK:
            sheet.hits[c] = _rank_hits(rules, sheet, c)
        else:
            sheet.hits[c] = 0.0
            for x in range(size - 1):
                sheet.hits[c] += sheet.joint[rules.square[c] + x * size + x]


@jit
def _sum_code(rules: Rules, sheet: Sheet, c: int, y: int) -> None:
    """Distances and entropies of the records with masked category y whose original is known."""
    begin, size = rules.square[c], rules.sizes[c]
    total, apart, weighted = 0, 0.0, 0.0
    for x in range(size - 1):
        records = sheet.joint[begin + x * size + y]
        if records > 0:
            total += records
            apart += records * rules.apart[begin + x * size + y]
            weighted += records * log(records)
    sheet.distances[rules.first[c] + y] = apart
    sheet.entropies[rules.first[c] + y] = max(total * log(total) - weighted, 0.0) if total > 0 else 0.0


@jit
def _sum_numbers(rules: Rules, sheet: Sheet, c: int) -> None:
    begin, gone = rules.first[c], rules.sizes[c] - 1
    total = 0.0
    for i in range(len(sheet.cells)):
        x = rules.original[i, c]
        if x < gone:
            total += (rules.scaled[begin + sheet.cells[i, c]] - rules.scaled[begin + x]) ** 2
    sheet.squares[c] = total
    sheet.hits[c] = _rank_hits(rules, sheet, c)


@jit
def _rank_hits(rules: Rules, sheet: Sheet, c: int) -> float:
    """How many originals lie between the masked values some ranks below and above, mean over the widths."""
    gone, begin = rules.sizes[c] - 1, rules.first[c]
    below = np.zeros(gone + 1, np.int64)  # masked records with a smaller code
    for code in range(gone):
        below[code + 1] = below[code] + sheet.counts[begin + code]
    n, hits = below[gone], 0
    low, high = np.zeros(gone, np.int64), np.zeros(gone, np.int64)
    for half in rules.halves:
        reach = floor(half * n / 100 + ROUNDING)
        lowest = highest = 0
        for y in range(gone):
            if below[y + 1] > below[y]:
                while below[lowest + 1] <= max(below[y] - reach, 0):
                    lowest += 1
                while below[highest + 1] <= min(below[y + 1] - 1 + reach, n - 1):
                    highest += 1
                low[y], high[y] = lowest, highest
        hits += _between(rules, sheet, c, below, low, high)
    return hits / len(rules.halves)


@jit
def _between(rules: Rules, sheet: Sheet, c: int, below: Rows, low: Rows, high: Rows) -> int:
    """Records whose original lies in the interval of its masked value: by pairs of codes, or one by one."""
    size, hits = rules.sizes[c], 0
    if rules.square[c] >= 0:
        for y in range(size - 1):
            if below[y + 1] > below[y]:
                for x in range(low[y], high[y] + 1):
                    hits += sheet.joint[rules.square[c] + x * size + y]
        return hits
    for i in range(len(sheet.cells)):
        x, y = rules.original[i, c], sheet.cells[i, c]
        if x < size - 1 and y < size - 1 and low[y] <= x <= high[y]:
            hits += 1
    return hits


@jit
def read_figures(rules: Rules, sheet: Sheet) -> Matrix:
    """dbil, ctbil, ebil, sse_loss, interval_risk and distance_linkage_risk, in percent."""
    known, cells, tables, squares = rules.totals
    n = len(sheet.cells)
    distance = entropy = 0.0
    for c in range(len(rules.sizes)):
        if rules.square[c] >= 0:
            begin, inside = rules.first[c], 0.0
            for y in range(rules.sizes[c]):
                distance += sheet.distances[begin + y]
                inside += sheet.entropies[begin + y]
            entropy += inside / rules.entropy[c]
    found = 0.0
    for i in range(n):
        if sheet.nearer[i] == 0:
            found += 1.0 / sheet.tied[i]
    return np.array([
        100 * distance / max(known, 1.0),
        100 * sheet.moved[0] / (2 * n * max(tables, 1.0)),
        100 * entropy / max(known, 1.0),
        100 * sheet.squares.sum() / squares if squares > 0 else 0.0,
        100 * sheet.hits.sum() / cells,
        100 * found / n,
    ])  # fmt: skip
