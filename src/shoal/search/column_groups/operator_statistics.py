"""What becomes of all groupings says about the operators that made them (chapter 4 of the thesis)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal.search.column_groups.grouping_population import START, Breeding, Individual

if TYPE_CHECKING:
    import polars as pl


def monitor(breeding: Breeding) -> pl.DataFrame:
    """One row per generation and operator; `shoal.search.gomm` explains the columns."""
    import polars as pl

    individuals = pl.DataFrame(
        [_facts(one, breeding.generation) for one in breeding.individuals], infer_schema_length=None
    )
    populations = pl.DataFrame({"best": breeding.best, "mean_groups": breeding.mean_groups}).with_row_index(
        "generation"
    )
    gain = pl.col("efficiency")
    better, worse = gain.filter(gain > 0), gain.filter(gain < 0)
    summary = individuals.group_by("generation", "operator", maintain_order=True).agg(
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


def _facts(one: Individual, last: int) -> dict[str, Any]:
    """An individual in figures; who is alive at the end has lived until then."""
    end = last if one.died is None else one.died
    return {
        "generation": one.born,
        "operator": one.operator,
        "cost": one.cost,
        "discarded": one.died == one.born and one.operator != START,
        "unused": not one.used,
        "lifetime": float(end - one.born),
        "efficiency": None if one.operator == START else efficiency(one.cost, one.expected),
        "groups": one.groups,
    }


def efficiency(cost: float, expected: float) -> float:
    """Percent better (above 0) or worse (below 0) than the parents' cost: formulas 4.1 to 4.3.

    >>> efficiency(7.5, 10.0), efficiency(10.0, 7.5), efficiency(0.0, 0.0)
    (25.0, -25.0, 0.0)
    """
    if cost == expected:
        return 0.0
    return 100.0 * (1 - cost / expected) if cost < expected else 100.0 * (expected / cost - 1)
