"""Loss and risk of masked files: counted once in full, then kept up to date while cells change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from shoal.models.row_classes import row_classes
from shoal.search.files.coded_file import Cells, CodedFile, table_cells
from shoal.types import Labels

if TYPE_CHECKING:
    from shoal._kernels.evolution.file_counts import Sheet

Fitness = Literal["mean", "max"]


class Edits(NamedTuple):
    """New codes for some cells."""

    rows: Labels
    columns: Labels
    values: Labels


class Figures(NamedTuple):
    """Six measures of a masked file in percent, and what they add up to."""

    dbil: float
    ctbil: float
    ebil: float
    sse_loss: float
    interval_risk: float
    distance_linkage_risk: float
    information_loss: float
    disclosure_risk: float

    def score(self, fitness: Fitness) -> float:
        """The mean or the larger of loss and risk.

        >>> Figures(1, 2, 3, 0, 20, 5, 2.0, 15.0).score("max")
        15.0
        """
        pair = (self.information_loss, self.disclosure_risk)
        return max(pair) if fitness == "max" else sum(pair) / 2


def count_sheet(coded: CodedFile, cells: Cells) -> Sheet:
    """A masked file with all its counts."""
    from shoal._kernels.evolution.file_counts import Sheet, count_cells

    rules = coded.rules
    n, d = cells.shape
    sizes, numeric = rules.sizes, rules.square < 0
    codes = int(sizes.sum())
    sheet = Sheet(
        np.array(cells, dtype=np.int32, order="C"),
        np.zeros(len(rules.apart), np.int32),
        np.zeros(codes, np.int32),
        np.zeros(codes),
        np.zeros(codes),
        np.zeros(table_cells(sizes, numeric), np.int32),
        np.zeros(1, np.intp),
        np.zeros(d),
        np.zeros(d),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
    )
    count_cells(rules, sheet)
    _count_links(coded, sheet)
    return sheet


def _count_links(coded: CodedFile, sheet: Sheet) -> None:
    """All counts of linkage, over the distinct masked records."""
    from shoal._kernels.linkage.file_linkage import count_links

    _, first, copies = np.unique(
        row_classes(sheet.cells.astype(np.intp)), return_index=True, return_counts=True
    )
    count_links(coded.rules, sheet, sheet.cells[first], copies)


def edit(coded: CodedFile, sheet: Sheet, edits: Edits) -> Sheet:
    """Another masked file, in which these cells are changed; the counts follow, or are made anew if many."""
    from shoal._kernels.evolution.file_counts import Sheet, change_cells
    from shoal._kernels.linkage.file_linkage import edit_sheet

    child = Sheet._make(part.copy() for part in sheet)
    if 3 * len(np.unique(edits.rows)) < len(sheet.cells):  # a changed record costs three looks at all records
        edit_sheet(coded.rules, child, *edits)
    else:
        change_cells(coded.rules, child, *edits)
        _count_links(coded, child)
    return child


def read(coded: CodedFile, sheet: Sheet) -> Figures:
    """The figures of a file that has been counted, weighted as `evaluate` weighs them."""
    from shoal._kernels.evolution.file_counts import read_figures

    dbil, ctbil, ebil, sse, interval, linkage = read_figures(coded.rules, sheet).tolist()
    share = loss_share(coded)
    loss = share * min(sse, 100.0) + (1 - share) * (dbil + ctbil + ebil) / 3
    return Figures(dbil, ctbil, ebil, sse, interval, linkage, loss, (2 * interval + linkage) / 3)


def loss_share(coded: CodedFile) -> float:
    """The weight of the numeric columns in the loss: their share, but 0 if none of them varies."""
    if coded.rules.totals[3] <= 0:
        return 0.0
    return float((coded.rules.square < 0).mean())
