"""Exploring in the background: many protections of the file, each with what it loses and leaves to find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shoal.errors import InvalidInput
from shoal.report.steps_in_words import steps_in_words
from shoal.studio.answers.count_risk import known_to_others
from shoal.studio.answers.desk import Desk
from shoal.studio.answers.run_steps import small_grid
from shoal.studio.plan import Plan, hierarchies_in
from shoal.table import Table
from shoal.types import Callback, Progress
from shoal.workflow.explore import Exploration, explore
from shoal.workflow.recipe import Recipe

Steps = list[dict[str, Any]]
THOROUGH_RECORDS = 100_000  # records above which slow ways are left out of a thorough search
WAYS: Mapping[str, str] = {
    "microaggregate": "groups of similar records",
    "mdav": "groups by distance (MDAV)",
    "mondrian": "coarser values where needed",
    "centres": "groups by cutting the file",
    "global_median": "medians of groups",
    "recode_to_k": "coarser categories for all",
    "suppress_to_k": "hidden cells",
}


def explore_grid(
    desk: Desk, tell: Callback, *, plan: Plan, seed: int, grid: str, ways: Sequence[str], sizes: Sequence[int]
) -> dict[str, Any]:
    """Run a grid of protections; what is finished is told on the way, as plain values."""
    table = desk.described(plan)
    if not known_to_others(table):
        raise InvalidInput("No column is marked as known to others; mark one on the page Columns.")
    recipes = [
        Recipe(name, {}, steps, promise=plan["promise"], hierarchies=hierarchies_in(plan))
        for name, steps in grid_of(table, plan, grid, ways, sizes).items()
    ]

    def listen(progress: Progress) -> bool | None:
        return tell(replace(progress, best=points_of(progress.best, len(recipes))))

    return points_of(explore(table, recipes, rng=seed, callback=listen), len(recipes))


def grid_of(
    table: Table, plan: Plan, grid: str, ways: Sequence[str], sizes: Sequence[int]
) -> dict[str, Steps]:
    """The protections to try, by name: a few, many, or those a person chose.

    >>> from shoal import as_table
    >>> people = as_table({"age": [1, 2]}, roles={"quasi": "age"})
    >>> list(grid_of(people, {"promise": {"k": 5}, "hierarchies": {}}, "own", ["mondrian"], [5, 10]))
    ['coarser values where needed, k = 5', 'coarser values where needed, k = 10']
    """
    if grid == "quick":
        return small_grid(table)
    promised = plan["promise"].get("k")
    if grid == "thorough":
        ways = [way for way in WAYS if way != "recode_to_k" or plan["hierarchies"]]
        if len(table) > THOROUGH_RECORDS:
            ways = [way for way in ways if way in ("microaggregate", "mondrian", "centres")]
        sizes = sorted({promised, round(1.5 * promised), 2 * promised}) if promised else []
    found: dict[str, Steps] = {}
    for way in ways:
        for k in list(sizes) or [0]:
            named = f"{WAYS[way]}, k = {k}" if k else WAYS[way]
            found[named] = [_step(way) | ({"k": k} if k else {})]
    if grid == "thorough":
        found |= _capped(table, promised)
    return found


def _step(way: str) -> dict[str, Any]:
    """The step a way stands for; k is said by the promise or beside it."""
    if way == "mdav":
        return {"method": "microaggregate", "partition": "mdav"}
    if way == "centres":
        return {"method": "mondrian", "release": "centres"}
    return {"method": way, **({"seconds": 5} if way == "suppress_to_k" else {})}


def _capped(table: Table, k: int | None) -> dict[str, Steps]:
    """Extremes capped first: where few large values make groups wide, that costs less."""
    numbers = [name for name in table.names("quasi") if table.attribute(name).kind == "numeric"]
    if not numbers:
        return {}
    cap = {"method": "top_code", "quantile": 0.98, "columns": numbers}
    of_k = {"k": k} if k else {}
    return {
        f"highest 2 % capped, then {WAYS[way]}": [cap, _step(way) | of_k]
        for way in ("microaggregate", "mondrian")
    }


def points_of(found: Any, planned: int) -> dict[str, Any]:
    """An exploration as plain values: one point per protection, in the order of the plan."""
    if not isinstance(found, Exploration):
        return {"planned": planned, "points": []}
    points = [
        {
            "name": one.name,
            "words": " ".join(steps_in_words(one.recipe)),
            "steps": [dict(step) for step in one.recipe.steps],
            "kept": one.kept and not one.failed,
            "why_not": one.failed or one.doubt or ("" if one.kept else "It does not keep the promise."),
            "front": one.front,
            "k": one.k,
            "loss": one.loss if one.compared else None,
            "risk": one.risk if one.compared else None,
            "seconds": one.seconds,
        }
        for one in found.candidates
    ]
    return {"planned": planned, "points": points}
