"""Searches: functions of a table that find an ingredient, such as which columns to mask together."""

from collections.abc import Callable
from typing import Any

from shoal.search.column_groups import ColumnGroups
from shoal.search.costs import Cost, Effort, grouping_cost
from shoal.search.gomm import d_gomm, gomm
from shoal.search.groupings import (
    all_together,
    correlated_apart,
    correlated_together,
    each_alone,
    hand_made,
)

SEARCHES: tuple[Callable[..., Any], ...] = (gomm, d_gomm)
GROUPINGS: tuple[Callable[..., list[list[str]]], ...] = (
    all_together,
    each_alone,
    correlated_together,
    correlated_apart,
)

__all__ = [
    "GROUPINGS",
    "SEARCHES",
    "ColumnGroups",
    "Cost",
    "Effort",
    "all_together",
    "correlated_apart",
    "correlated_together",
    "d_gomm",
    "each_alone",
    "gomm",
    "grouping_cost",
    "hand_made",
]
