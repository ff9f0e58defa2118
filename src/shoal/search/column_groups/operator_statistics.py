"""What the lives of all groupings say about the operators that made them (chapter 4 of the thesis)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal.search.column_groups.grouping_population import START, Breeding, Life

if TYPE_CHECKING:
    import polars as pl


def monitor(breeding: Breeding) -> pl.DataFrame:
    """One row per generation and operator; `shoal.search.gomm` explains the columns."""
    import polars as pl

    lives = pl.DataFrame(
        [_facts(life, breeding.generation) for life in breeding.lives], infer_schema_length=None
    )
    populations = pl.DataFrame({"best": breeding.best, "mean_groups": breeding.mean_groups}).with_row_index(
        "generation"
    )
    gain = pl.col("efficiency")
    better, worse = gain.filter(gain > 0), gain.filter(gain < 0)
    summary = lives.group_by("generation", "operator", maintain_order=True).agg(
        pl.len().alias("children"),
        pl.col("discarded").sum(),
        pl.col("unused").sum(),
        pl.col("lifetime").mean(),
        (gain > 0).sum().alias("improved"),
        (gain < 0).sum().alias("worsened"),
        (gain == 0).sum().alias("unchanged"),
        better.mean().alias("mean_improvement"),
        better.max().alias("most_improvement"),
        worse.mean().alias("mean_worsening"),
        worse.min().alias("most_worsening"),
        pl.col("cost").min().alias("best_child"),
        pl.col("groups").mean().alias("child_groups"),
    )
    return summary.join(
        populations.cast({"generation": pl.Int64}), on="generation", how="left", maintain_order="left"
    )


def _facts(life: Life, last: int) -> dict[str, Any]:
    """A life in figures; who is alive at the end has lived until then."""
    end = last if life.died is None else life.died
    return {
        "generation": life.born,
        "operator": life.operator,
        "cost": life.cost,
        "discarded": life.died == life.born and life.operator != START,
        "unused": not life.used,
        "lifetime": float(end - life.born),
        "efficiency": None if life.operator == START else efficiency(life.cost, life.expected),
        "groups": life.groups,
    }


def efficiency(cost: float, expected: float) -> float:
    """Percent better (above 0) or worse (below 0) than the parents' cost: formulas 4.1 to 4.3.

    >>> efficiency(7.5, 10.0), efficiency(10.0, 7.5), efficiency(0.0, 0.0)
    (25.0, -25.0, 0.0)
    """
    if cost == expected:
        return 0.0
    return 100.0 * (1 - cost / expected) if cost < expected else 100.0 * (expected / cost - 1)
