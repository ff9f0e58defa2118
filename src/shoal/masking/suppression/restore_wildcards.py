"""Gaps as wildcards: fewer or more of them until the risk is the one that was asked for."""

from __future__ import annotations

import numpy as np

from shoal.errors import Infeasible
from shoal.masking.suppression.gap_risk import agreeing_counts, gap_risk
from shoal.masking.suppression.wildcards import Codes, Mask, suppress_as_wildcard
from shoal.types import Matrix

FIRST_CELLS = 3  # cells of a record, where nobody says how many
BATCHES = 50  # the risk is counted anew after every fiftieth part of the cells; no measurement on record


def suppress_by_few(codes: Codes, k: int, weights: Matrix, most: int | None, risk: float | None) -> Mask:
    """Cells to suppress so that every record agrees with k, `most` of a record (3, or what k needs)."""
    tries = [most] if most is not None else [*range(min(FIRST_CELLS, codes.shape[1]), codes.shape[1] + 1)]
    for few in tries:
        if _lonely(codes, suppress_as_wildcard(codes, k, weights, few), k) == 0:
            if risk is None:
                return suppress_as_wildcard(codes, k, weights, few)
            return suppress_to_risk(codes, k, weights, risk, few if most is not None else None)
    raise Infeasible(
        f"With at most {most} suppressed cells in a record, some records lack company of k = {k}; allow more "
        "`cells_per_record`, or recode first."
    )


def _lonely(codes: Codes, mask: Mask, k: int) -> int:
    """How many records agree with fewer than k, wherever both have a value."""
    released = np.where(mask, -1, codes)
    return int((agreeing_counts(released, released) < k).sum())


def suppress_to_risk(codes: Codes, k: int, weights: Matrix, risk: float, most: int | None) -> Mask:
    """Cells to suppress so that the mean chance to be picked out is at most `risk`, and no more than needed.

    k is raised until the risk is low enough; then cells are restored as long as all keep company of the k
    asked for and the risk stays below.
    """
    for asked in range(k, len(codes) + 1):
        mask = suppress_as_wildcard(codes, asked, weights, most)
        if gap_risk(codes, mask).mean() <= risk:
            return restore_to_risk(codes, mask, k, weights, risk)
    raise Infeasible(f"No number of suppressed cells brings the mean risk to {risk:g}; ask for a higher one.")


def restore_to_risk(codes: Codes, mask: Mask, k: int, weights: Matrix, risk: float) -> Mask:
    """Restore cells, the dearest first, while all records agree with k and the mean risk stays below."""
    released = np.where(mask, -1, codes)
    company = np.array([_agreeing(released, row).sum() for row in range(len(codes))])
    rows, columns = np.nonzero(mask)
    order = np.lexsort((-company[rows], -weights[columns]))
    for part in np.array_split(order, min(BATCHES, max(len(order), 1))):
        before, kept = released.copy(), company.copy()
        for cell in part.tolist():
            _restore_cell(codes, released, company, int(rows[cell]), int(columns[cell]), k)
        if gap_risk(codes, released < codes).mean() > risk:
            released, company = before, kept
    return np.asarray(released < codes)


def _agreeing(released: Codes, row: int) -> Mask:
    """Which records agree with a record wherever both have a value."""
    own = released[row]
    return np.asarray(((released == own) | (released < 0) | (own < 0)).all(axis=1))


def _restore_cell(codes: Codes, released: Codes, company: Codes, row: int, column: int, k: int) -> None:
    before = _agreeing(released, row)
    released[row, column] = codes[row, column]
    lost = before & ~_agreeing(released, row)
    if company[row] - lost.sum() < k or (company[lost] <= k).any():
        released[row, column] = -1
        return
    company[lost] -= 1
    company[row] -= lost.sum()
