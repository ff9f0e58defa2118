"""What a suppression does: cells by column, their weight, whether fewer would do, and what risk is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from shoal._shared.display import Shown
from shoal.masking.cells import cells_of
from shoal.masking.suppression.gap_risk import gap_risk
from shoal.masking.suppression.wildcards import Codes, Mask
from shoal.table import Table
from shoal.types import Labels


@dataclass(frozen=True, eq=False)
class FoundSuppression(Shown):
    """The cells a suppression removes, and what can be said of it.

    `cells` counts them by column, `weight` sums their importance, `bound` is a weight that no suppression of
    whole classes goes below (0 if nobody asked), `proven` says whether the weight is the least.

    Examples
    --------
    >>> from shoal import as_table
    >>> from shoal.masking import find_suppression
    >>> columns = {"age": [30, 30, 41, 42], "town": ["a", "a", "b", "b"]}
    >>> table = as_table(columns, roles={"quasi": ["age", "town"]})
    >>> print(find_suppression(table, k=2, certify=True))
    2 of 8 cells suppressed (age 2), proven to be the least; 2 records lose cells, at most 1; risk 50.0 %.
    """

    cells: Mapping[str, int]
    weight: float
    bound: float
    proven: bool
    of_records: Mapping[int, int]  # how many records lose 0, 1, 2 ... cells
    _table: Table = field(repr=False)
    _codes: Codes = field(repr=False)
    _mask: Mask = field(repr=False)
    _strata: Labels = field(repr=False)

    @cached_property
    def risk(self) -> float:
        """Mean chance, 0 to 1, that an intruder who knows all keys picks the right record."""
        codes = np.column_stack([self._codes, self._strata])
        mask = np.column_stack([self._mask, np.zeros(len(self._mask), dtype=bool)])
        return float(gap_risk(codes, mask).mean())

    def table(self) -> Table:
        """The table without these cells."""
        released = {}
        for number, name in enumerate(self.cells):
            if self._mask[:, number].any():
                released[name] = cells_of(self._table, name)
                released[name][self._mask[:, number]] = None
        return self._table.assign(**released)

    def to_dict(self) -> dict[str, Any]:
        """The facts as plain values."""
        facts = {"cells": dict(self.cells), "weight": self.weight, "bound": self.bound, "proven": self.proven}
        return {**facts, "records_by_cells": dict(self.of_records), "risk": self.risk}

    def __str__(self) -> str:
        total = sum(self.cells.values())
        columns = ", ".join(f"{name} {count}" for name, count in self.cells.items() if count)
        sure = ", proven to be the least" if self.proven else ""
        lost = sum(count for cells, count in self.of_records.items() if cells)
        most = max(self.of_records)
        return (
            f"{total:,} of {self._mask.size:,} cells suppressed{f' ({columns})' if total else ''}{sure}; "
            f"{lost:,} records lose cells, at most {most}; risk {100 * self.risk:.1f} %."
        )
