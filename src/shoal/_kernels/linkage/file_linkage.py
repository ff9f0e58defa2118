"""Linkage of a masked file: how many masked records are closer to an original than its own, or as close.

The n x n distances are never stored. A changed masked record leaves the counts of all originals and enters
them again; only its own original is looked at anew.
"""

from __future__ import annotations

import numpy as np

from shoal._kernels.arrays import Matrix, Rows, Slots
from shoal._kernels.evolution.file_counts import Rules, Sheet, change_cells
from shoal._kernels.jit import jit

TIE = 1e-9  # relative: distances this close are equal, as in shoal.measures.record_linkage


@jit
def _from_original(rules: Rules, record: Slots, line: Matrix) -> None:
    """Per masked code of every column: its squared distance to this original record."""
    for c in range(len(record)):
        begin, size = rules.first[c], rules.sizes[c]
        if rules.square[c] >= 0:
            row = rules.square[c] + record[c] * size
            line[begin : begin + size] = rules.far[row : row + size]
        else:
            for code in range(begin, begin + size):
                line[code] = (rules.place[code] - rules.place[begin + record[c]]) ** 2


@jit
def _from_masked(rules: Rules, record: Slots, line: Matrix) -> None:
    """Per original code of every column: its squared distance to this masked record."""
    for c in range(len(record)):
        begin, size = rules.first[c], rules.sizes[c]
        if rules.square[c] >= 0:
            place = rules.square[c] + record[c]
            for x in range(size):
                line[begin + x] = rules.far[place + x * size]
        else:
            for code in range(begin, begin + size):
                line[code] = (rules.place[code] - rules.place[begin + record[c]]) ** 2


@jit
def _count_tied(
    records: Slots, copies: Rows, first: Rows, line: Matrix, closer: float, within: float
) -> tuple[int, int]:
    """How many masked records are below `closer`, and how many of the others up to `within`."""
    nearer = tied = 0
    for j in range(len(records)):
        distance = 0.0
        for c in range(len(first)):
            distance += line[first[c] + records[j, c]]
        if distance < closer:
            nearer += copies[j]
        elif distance <= within:
            tied += copies[j]
    return nearer, tied


@jit
def _count_record(rules: Rules, sheet: Sheet, i: int, records: Slots, copies: Rows, line: Matrix) -> None:
    """Limits and counts of original i, from all masked records (distinct, with copies)."""
    _from_original(rules, rules.original[i], line)
    squared = 0.0
    for c in range(len(rules.first)):
        squared += line[rules.first[c] + sheet.cells[i, c]]
    own = np.sqrt(squared)
    slack = TIE * own + TIE * 1e-3
    closer, within = max(own - slack, 0.0) ** 2, (own + slack) ** 2
    sheet.closer[i], sheet.within[i] = closer, within
    sheet.nearer[i], sheet.tied[i] = _count_tied(records, copies, rules.first, line, closer, within)


@jit
def count_links(rules: Rules, sheet: Sheet, records: Slots, copies: Rows) -> None:
    """Fill in every count of linkage; `records` are the distinct masked ones, with their number of copies."""
    line = np.empty(len(rules.place))
    for i in range(len(sheet.cells)):
        _count_record(rules, sheet, i, records, copies, line)


@jit
def _note(
    slots: Slots, line: Matrix, closer: Matrix, within: Matrix, nearer: Slots, tied: Slots, more: int
) -> None:
    """A masked record enters (more = 1) or leaves (-1) the counts of all originals."""
    n, d = slots.shape
    for i in range(n):
        distance = 0.0
        for c in range(d):
            distance += line[slots[i, c]]
        if distance < closer[i]:
            nearer[i] += more
        elif distance <= within[i]:
            tied[i] += more


@jit
def _note_records(rules: Rules, sheet: Sheet, records: Rows, line: Matrix, more: int) -> None:
    for j in records:
        _from_masked(rules, sheet.cells[j], line)
        _note(rules.slots, line, sheet.closer, sheet.within, sheet.nearer, sheet.tied, more)


@jit
def edit_sheet(rules: Rules, sheet: Sheet, rows: Rows, columns: Rows, values: Rows) -> None:
    """Write these values into these cells and bring all counts up to date, record by record."""
    changed = np.unique(rows)
    line = np.empty(len(rules.place))
    _note_records(rules, sheet, changed, line, -1)
    change_cells(rules, sheet, rows, columns, values)
    _note_records(rules, sheet, changed, line, 1)
    alone = np.ones(len(sheet.cells), np.int64)
    for i in changed:
        _count_record(rules, sheet, i, sheet.cells, alone, line)
