"""One step looked at closely: where extremes are cut, how categories swap, which cells are hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal.errors import InvalidInput
from shoal.masking.fitting.fit_coding import fit_bottom_code, fit_top_code
from shoal.masking.pram.pram import transitions
from shoal.studio.answers.desk import Desk, mark_of
from shoal.studio.plan import Plan, masked_part, plain_step, recipe_in
from shoal.table import Table
from shoal.types import Callback
from shoal.workflow.pram_outcome import pram_outcome
from shoal.workflow.registry import STEPS, bind_method

BINS = 40  # of the histogram whose cut is dragged; chosen, not measured
CATEGORIES = 15  # rows and columns of a matrix that is shown
FITS = {"top_code": fit_top_code, "bottom_code": fit_bottom_code}


def look_at_step(desk: Desk, tell: Callback, *, plan: Plan, id: int) -> dict[str, Any]:
    """What one card does, as plain values; which of the three views depends on its method."""
    card = next((one for one in plan["steps"] if one["id"] == id), None)
    if card is None:
        raise InvalidInput("This step is no longer there; look at the page again.")
    table, masked = around(desk, plan, id)
    step = {name: value for name, value in plain_step(card).items() if value is not None}
    if card["method"] in FITS:
        return {"cuts": cuts_of(table, step)}
    if card["method"] == "pram":
        return {"matrices": matrices_of(table, masked, step, plan)}
    return {"hidden": hidden_of(table, masked)}


def around(desk: Desk, plan: Plan, id: int) -> tuple[Table, Table | None]:
    """The table just before a step and just after it; the file as it is and None while nothing is counted."""
    kept = desk.kept(mark_of(masked_part(plan)))
    on = [one["id"] for one in plan["steps"] if one.get("on", True)]
    if kept is None or id not in on:
        return desk.described(plan), None
    original, _, _, tables = kept
    at = on.index(id)
    return tables[at - 1] if at else original, tables[at]


def cuts_of(table: Table, step: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For every capped column its histogram, the cut, and how many records lie beyond it.

    >>> from shoal import as_table
    >>> table = as_table({"pay": [1.0, 2.0, 3.0, 90.0]}, roles={"quasi": "pay"})
    >>> found = cuts_of(table, {"method": "top_code", "threshold": {"pay": 3.0}})[0]
    >>> found["cut"], found["beyond"], found["high"]
    (3.0, 1, 90.0)
    """
    options = getattr(bind_method(step, STEPS), "keywords", {})
    fitted = FITS[step["method"]](table, **options)
    threshold = fitted.get("threshold") or options.get("threshold")
    if not isinstance(threshold, Mapping):
        columns = options.get("columns") or table.names("quasi")
        threshold = dict.fromkeys(columns, threshold)
    found = []
    for name, cut in threshold.items():
        if not table.is_number(name) or not isinstance(cut, int | float):
            continue
        values = table.numbers(name)
        values = values[np.isfinite(values)]
        if not len(values):
            continue
        counts, edges = np.histogram(values, bins=BINS)
        beyond = values > cut if step["method"] == "top_code" else values < cut
        found.append(
            {
                "column": name,
                "counts": counts.tolist(),
                "low": float(edges[0]),
                "high": float(edges[-1]),
                "cut": float(cut),
                "beyond": int(beyond.sum()),
                "records": len(values),
            }
        )
    return found


def matrices_of(
    table: Table, masked: Table | None, step: Mapping[str, Any], plan: Plan
) -> list[dict[str, Any]]:
    """For every column its matrix, and records before, expected and drawn."""
    options = getattr(bind_method(step, STEPS), "keywords", {})
    given = {name: options[name] for name in ("matrices", "strata", "columns") if options.get(name)}
    recipe = recipe_in({**plan, "steps": [{**step, "on": True}]})
    outcome = pram_outcome(table, masked, recipe) if masked is not None and recipe is not None else []
    drawn = {one.column: one for one in outcome}
    found: list[dict[str, Any]] = []
    for one in transitions(table, **given):
        shown = min(len(one.categories), CATEGORIES)
        after = drawn.get(one.column)
        names = [str(category) for category in one.categories]
        place = {} if after is None else {name: at for at, name in enumerate(after.categories)}
        expected = (one.frequencies @ one.matrix).tolist()
        now = [after.drawn[place[name]] if after and name in place else None for name in names]
        found.append(
            {
                "column": one.column,
                "categories": names[:shown],
                "left_out": len(names) - shown,
                "matrix": (100.0 * one.matrix[:shown, :shown]).tolist(),
                "before": one.frequencies.tolist()[:shown],
                "expected": expected[:shown],
                "drawn": now[:shown],
                "changed": None if after is None else after.changed,
                "change_expected": 100.0
                * float(one.frequencies @ (1.0 - np.diag(one.matrix)))
                / max(int(one.frequencies.sum()), 1),
            }
        )
    return found


def hidden_of(table: Table, masked: Table | None) -> list[dict[str, Any]]:
    """Cells of every column that are missing now and were not before; None while nothing is counted.

    >>> from shoal import as_table
    >>> before = as_table({"age": [30, None, 31]}, roles={"quasi": "age"})
    >>> hidden_of(before, before.assign(age=[None, None, 31]))
    [{'column': 'age', 'hidden': 1}]
    """
    found = []
    for name in table.names("quasi"):
        hidden = None
        if masked is not None and name in masked.names():
            before, after = table.cells(name), masked.cells(name)
            hidden = sum(a is None and b is not None for b, a in zip(before, after, strict=True))
        found.append({"column": name, "hidden": hidden})
    return found
