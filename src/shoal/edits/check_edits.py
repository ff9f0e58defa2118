"""Are the edit rules kept? How many records break each of them, before and after masking."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal._door import takes_frames
from shoal._shared.display import Shown
from shoal.edits.edit_rule import EditRule, read_edit
from shoal.errors import InvalidInput
from shoal.table import Table


@dataclass(frozen=True)
class EditCheck(Shown):
    """How many records break one rule before and after, and the rows that break it only since masking."""

    rule: str
    before: int
    after: int
    new: NDArray[np.intp]

    def __str__(self) -> str:
        if not self.after:
            return f"`{self.rule}` holds in every record."
        return (
            f"`{self.rule}` is broken by {self.after} records, {len(self.new)} of them since masking "
            f"({self.before} before)."
        )


@takes_frames
def check_edits(original: Table, masked: Table, rules: Iterable[EditRule | str]) -> list[EditCheck]:
    """Count the records that break each edit rule, before and after masking.

    Parameters
    ----------
    original, masked
        The two tables, row by row.
    rules
        Rules, or lines of text as `read_edit` takes them.

    Returns
    -------
    list
        One `EditCheck` per rule, which prints as a sentence.

    Notes
    -----
    Totals may differ from their sum by one part in a thousand million, as rounding makes them. A record with
    a gap in a column of the rule cannot break it. Time O(n) a rule.

    References
    ----------
    Shlomo, De Waal: Protection of micro-data subject to edit constraints against statistical disclosure,
    Journal of Official Statistics 24 (2008).

    Examples
    --------
    >>> from shoal import as_table
    >>> before = as_table({"total": [3, 4], "wages": [1, 2], "other": [2, 2]})
    >>> print(*check_edits(before, before.assign(wages=[2, 2]), ["total = wages + other"]))
    `total = wages + other` is broken by 1 records, 1 of them since masking (0 before).
    """
    if len(original) != len(masked):
        raise InvalidInput(
            f"The files have {len(original)} and {len(masked)} records; they must be the same."
        )
    found = []
    for rule in (read_edit(rule) if isinstance(rule, str) else rule for rule in rules):
        before, after = rule.broken(original), rule.broken(masked, original)
        found.append(
            EditCheck(rule.text, int(before.sum()), int(after.sum()), np.flatnonzero(after & ~before))
        )
    return found
