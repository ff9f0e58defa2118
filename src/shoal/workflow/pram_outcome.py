"""What PRAM did to every category: records before, expected and drawn, and the share that changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.encode.categories import categorise
from shoal.errors import ShoalError
from shoal.masking import transitions
from shoal.table import Table
from shoal.workflow.recipe import Recipe
from shoal.workflow.registry import STEPS, bind_method

SEARCHES = ("evolve_pram", "breed_pram")


@dataclass(frozen=True)
class PramOutcome:
    """Records of every category of a column; `changed` is the percent of its cells that are others now.

    `expected` is None where the matrices are not known any more.
    """

    column: str
    categories: tuple[str, ...]
    before: tuple[int, ...]
    expected: tuple[float, ...] | None
    drawn: tuple[int, ...]
    changed: float

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers and text."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()
        }

    def rows(self) -> list[tuple[str, str, str, str]]:
        """(category, before, expected, drawn) as text."""
        expected = self.expected or (None,) * len(self.categories)
        return [
            (name, f"{b:,}", "not known" if e is None else f"{e:,.1f}", f"{d:,}")
            for name, b, e, d in zip(self.categories, self.before, expected, self.drawn, strict=True)
        ]


def pram_outcome(original: Table, masked: Table, recipe: Recipe) -> list[PramOutcome]:
    """What the PRAM steps of a recipe did to the columns that they changed.

    Parameters
    ----------
    original, masked
        The files before and after; rows correspond by position.
    recipe
        What was done. Expected are what its matrices give, or the frequencies before where they are kept.

    Returns
    -------
    list of PramOutcome
        One per changed column; empty if the recipe has no PRAM.

    Examples
    --------
    >>> from shoal import as_table
    >>> table = as_table({"sex": ["f", "m", "m", "m"]}, roles={"quasi": "sex"})
    >>> flip = {"sex": [[0.5, 0.5], [0.25, 0.75]]}
    >>> recipe = Recipe("flip", {"quasi": ["sex"]}, [{"method": "pram", "matrices": flip}])
    >>> found = pram_outcome(table, table.assign(sex=["f", "m", "m", "f"]), recipe)[0]
    >>> found.before, found.expected, found.drawn, found.changed
    ((1, 3), (1.25, 2.75), (2, 2), 25.0)
    """
    found: list[PramOutcome] = []
    for step in recipe.bound_steps():
        if step["method"] == "pram":
            expected = _expected(original, masked, step)
            names = [n for n in original.names() if n in masked.names() and n in _columns(original, step)]
            found += [_outcome(original, masked, name, expected.get(name)) for name in names]
    return [outcome for outcome in found if outcome.changed]


def _columns(original: Table, step: Mapping[str, Any]) -> Sequence[str]:
    if step.get("columns"):
        return [step["columns"]] if isinstance(step["columns"], str) else list(step["columns"])
    matrices = step.get("matrices")
    if isinstance(matrices, Mapping) and "method" not in matrices:
        return list(matrices)
    return original.names(role="quasi")


def _expected(original: Table, masked: Table, step: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """What the matrices give on average, by column and category; nothing where a search found them."""
    search = step.get("matrices")
    name = search.get("method") if isinstance(search, Mapping) else search
    if name in SEARCHES:
        kept = search.get("invariant", True) if isinstance(search, Mapping) else True
        return {n: _counts(original, n) for n in _columns(original, step)} if kept else {}
    options = getattr(bind_method(step, STEPS), "keywords", {})
    given = {key: options[key] for key in ("matrices", "strata", "columns") if key in options}
    try:
        found = transitions(original, **given)
    except ShoalError:  # a step before changed the categories
        return {}
    totals: dict[str, dict[str, float]] = {}
    for one in found:
        column = totals.setdefault(one.column, {})
        for category, value in zip(one.categories, (one.frequencies @ one.matrix).tolist(), strict=True):
            column[str(category)] = column.get(str(category), 0.0) + value
    # nothing is known where another step changed the categories, too
    return {name: given for name, given in totals.items() if set(_counts(masked, name)) <= set(given)}


def _counts(table: Table, name: str) -> dict[str, float]:
    codes, categories = categorise(table, name)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    return {str(c): float(n) for c, n in zip(categories, counts.tolist(), strict=True)}


def _outcome(original: Table, masked: Table, name: str, expected: dict[str, float] | None) -> PramOutcome:
    before, after = _counts(original, name), _counts(masked, name)
    listed = tuple(dict.fromkeys([*before, *after]))
    cells = list(zip(original.column(name).tolist(), masked.column(name).tolist(), strict=True))
    seen = [(a, b) for a, b in cells if a is not None and a == a]
    changed = 100.0 * sum(a != b for a, b in seen) / max(len(seen), 1)
    return PramOutcome(
        name,
        listed,
        tuple(int(before.get(c, 0)) for c in listed),
        None if expected is None else tuple(expected.get(c, 0.0) for c in listed),
        tuple(int(after.get(c, 0)) for c in listed),
        changed,
    )
