"""Running the steps: the table after every one, with its figures; the last is kept for the release."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from shoal._shared.options import sub_progress
from shoal.errors import Infeasible, InvalidInput
from shoal.measures import check
from shoal.measures.evaluate import evaluate
from shoal.measures.evaluation import Evaluation
from shoal.measures.first_lines import first_lines
from shoal.studio.answers.count_risk import known_to_others, sizes_of
from shoal.studio.answers.desk import Desk, mark_of
from shoal.studio.plan import Plan, masked_part, recipe_in
from shoal.table import Table
from shoal.types import Callback
from shoal.workflow.explore import explore
from shoal.workflow.recipe import Recipe

FULL_GRID_RECORDS = 30_000  # records up to which all of the small grid is tried


def run_steps(desk: Desk, tell: Callback, *, plan: Plan, seed: int) -> dict[str, Any]:
    """Run the recipe of a plan; figures after every step, all figures of the last."""
    mark = mark_of(masked_part(plan))
    kept = desk.kept(mark)
    if kept is not None:
        return dict(kept[2])
    recipe = recipe_in(plan)
    if recipe is None:
        raise InvalidInput("There is no step; add one on the page Protect.")
    table = desk.read(plan["source"], plan["read"])
    part = partial(sub_progress, tell)
    try:
        tables = recipe.steps_of(table, rng=seed, callback=part(0, 2))
    except InvalidInput as error:
        raise InvalidInput(in_the_studio(str(error))) from None
    original, masked = recipe.describe(table), tables[-1]
    judged = evaluate(original, masked, threshold=recipe.promised.threshold, callback=part(1, 2))
    compared = [one.name for one in judged.columns] or list(judged.keys)
    steps = [_after(original, one, compared, judged.keys) for one in tables[:-1]]
    verdict = check(masked, recipe.promised) if known_to_others(masked) else None
    last = _figures(original, masked, judged) | {
        "risk": judged.disclosure_risk,
        "compared": len(compared),
    }
    headline = verdict.headline if verdict is not None else first_lines(judged)[0]
    facts = {
        "steps": [*steps, last],
        "after": last
        | {"headline": headline, "kept": verdict is None or verdict.kept, "lines": first_lines(judged)[1:]}
        | {"breaking": 0 if verdict is None else len(verdict.breaking_records)},
        "columns": judged.column_rows(),
        "doubts": list(judged.warnings),
        "rows": judged.rows(),
    }
    desk.keep(mark, (original, masked, facts, tables), len(masked) * len(masked.names()) * len(tables))
    return facts


def in_the_studio(sentence: str) -> str:
    """What is to be done, where it is words of Python in the library.

    >>> in_the_studio("Column 'age' has no hierarchy; say how it generalises, e.g. hierarchies=...")
    "Column 'age' has no levels yet: make them under Protect, Look at hierarchies."
    """
    column, found, _ = sentence.partition(" has no hierarchy; ")
    return f"{column} has no levels yet: make them under Protect, Look at hierarchies." if found else sentence


def reach_goal(desk: Desk, tell: Callback, *, plan: Plan, seed: int) -> list[dict[str, Any]]:
    """Try a small grid and say which keep the promise, the one that loses least first."""
    table = desk.described(plan)
    if not known_to_others(table):
        raise InvalidInput("No column is marked as known to others; mark one on the page Columns.")
    recipes = [Recipe(name, {}, steps, promise=plan["promise"]) for name, steps in small_grid(table).items()]
    found = explore(table, recipes, rng=seed, callback=tell)
    tried = [
        {
            "name": one.name,
            "steps": [dict(step) for step in one.recipe.steps],
            "kept": one.kept and not one.failed,
            "failed": one.failed or one.doubt,
            **{name: getattr(one, name) for name in ("k", "loss", "risk", "seconds")},
        }
        for one in found.candidates
    ]
    tried.sort(key=lambda one: (not one["kept"], one["loss"] is None, one["loss"] or 0.0))
    if not any(one["kept"] for one in tried):
        raise Infeasible(
            "None of the protections tried keeps the promise; ask for a smaller k, or mark fewer columns as "
            "known to others."
        )
    return tried


def small_grid(table: Table) -> dict[str, list[dict[str, Any]]]:
    """A few ways that differ in kind, by name; k comes from the promise."""
    grid: dict[str, list[dict[str, Any]]] = {
        "groups of similar records": [{"method": "microaggregate"}],
        "groups by cutting the file": [{"method": "mondrian", "release": "centres"}],
    }
    if len(table) > FULL_GRID_RECORDS:
        return grid
    return grid | {
        "groups by distance (MDAV)": [{"method": "microaggregate", "partition": "mdav"}],
        "coarser values": [{"method": "mondrian"}],
        "hidden cells": [{"method": "suppress_to_k", "seconds": 5}],
        "medians for all": [{"method": "global_median"}],
    }


def changed_cells(original: Table, masked: Table) -> int:
    """How many cells are no longer what they were.

    >>> from shoal import as_table
    >>> changed_cells(as_table({"age": [30, None]}), as_table({"age": [31, None]}))
    1
    """
    names = [name for name in masked.names() if name in original.names()]
    return sum(int((original.cells(name) != masked.cells(name)).sum()) for name in names)


def _after(original: Table, masked: Table, compared: list[str], keys: Sequence[str]) -> dict[str, Any]:
    """The figures of a card: groups, loss, changed cells.

    Its loss is that of the columns all cards change together: were it that of its own only, a card that
    changes one more column a little would seem to give something back.
    """
    judged = evaluate(original, masked, risk=(), columns=compared, known=keys)
    return _figures(original, masked, judged)


def _figures(original: Table, masked: Table, judged: Evaluation) -> dict[str, Any]:
    sizes = sizes_of(masked, list(judged.keys))
    return {
        "k": min(sizes),
        "sizes": sizes,
        "alone": sizes.get(1, 0),
        "highest": 100.0 / min(sizes),
        "loss": judged.information_loss,
        "changed": changed_cells(original, masked),
    }
