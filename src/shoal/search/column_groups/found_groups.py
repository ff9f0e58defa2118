"""The groups of columns that a search found, with its figures and its history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shoal._shared.display import Shown
from shoal.evolve import Reason
from shoal.search.column_groups.grouping_costs import Cost, Effort

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class ColumnGroups(Sequence[tuple[str, ...]], Shown):
    """Groups of column names, as `microaggregate(groups=...)` takes them, and how they were found.

    `cost` holds loss and risk, `effort` what was computed, `stopped` what ended the search, and `history` is
    a polars frame with one row per generation and operator.

    Examples
    --------
    >>> import polars as pl
    >>> cost, effort = Cost(13.7, 22.1, 2.9), Effort(10, 9, 30, 12)
    >>> found = ColumnGroups((("a", "b"), ("c",)), cost, effort, "generations", pl.DataFrame())
    >>> len(found), found[0]
    (2, ('a', 'b'))
    >>> print(found)
    2 groups of columns, score 13.10: information loss 13.70, interval risk 22.10, linkage risk 2.90
      a, b
      c
    """

    groups: tuple[tuple[str, ...], ...]
    cost: Cost
    effort: Effort
    stopped: Reason
    history: pl.DataFrame = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, position: Any) -> Any:
        return self.groups[position]

    def __str__(self) -> str:
        count = f"{len(self)} groups of columns" if len(self) > 1 else "1 group of columns"
        figures = ", ".join(
            f"{name.replace('_', ' ')} {value:.2f}" for name, value in self.cost._asdict().items()
        )
        lines = [f"{count}, score {self.cost.score:.2f}: {figures}"]
        return "\n".join(lines + [f"  {', '.join(group)}" for group in self.groups])
