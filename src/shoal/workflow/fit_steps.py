"""What the steps of a recipe learn from a file, so that the next one is treated in the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from shoal._options import sub_progress, with_known_options
from shoal.hierarchy import as_hierarchy
from shoal.hierarchy.tree import as_text
from shoal.masking import FITTERS, RUN_ANEW
from shoal.masking.fitting import fit_microaggregate
from shoal.table import Table
from shoal.types import Callback, RandomState
from shoal.workflow.registry import STEPS, bind_method

Step = Mapping[str, Any]


def fit_steps(
    steps: Sequence[Step],
    table: Table,
    *,
    keep_centres: bool = False,
    rng: RandomState = None,
    callback: Callback | None = None,
) -> tuple[Table, list[dict[str, Any]], tuple[str, ...]]:
    """Run the steps: the masked table, the steps with what they learned as values, and that in words.

    >>> from shoal.table import as_table
    >>> people = as_table({"age": [20, 30, 90]}, roles={"quasi": "age"})
    >>> fit_steps([{"method": "top_code", "quantile": 0.5}], people)[1:]
    ([{'method': 'top_code', 'threshold': {'age': 30}}], ('top_code keeps its threshold.',))
    """
    fitted, learned = [], []
    streams = np.random.default_rng(rng).spawn(len(steps))
    for position, (step, stream) in enumerate(zip(steps, streams, strict=True)):
        report = sub_progress(callback, position, len(steps))
        fixed = _fitted_step(step, table, stream, report)
        masker = bind_method(fixed, STEPS)
        before, table = table, with_known_options(masker, rng=stream, callback=report)(table)
        if keep_centres and step["method"] == "microaggregate":
            fixed = fit_microaggregate(before, table, **_options(masker)) or fixed
        learned.append(_in_words(step, fixed))
        fitted.append(fixed)
    return table, fitted, tuple(learned)


def with_unknown_values(steps: Sequence[Step], table: Table) -> list[Step]:
    """Steps whose kept hierarchies also name the values only this file has, directly below the top.

    >>> from shoal.table import as_table
    >>> step = {"method": "global_recode", "hierarchies": {"town": {"rows": [["a", "*"]]}}}
    >>> with_unknown_values([step], as_table({"town": ["b"]}))[0]["hierarchies"]
    {'town': {'rows': [['a', '*'], ['b', '*']]}}
    """
    found: list[Step] = []
    for step in steps:
        given = dict(step.get("hierarchies") or {})
        for name, said in given.items():
            if isinstance(said, Mapping) and "rows" in said:
                given[name] = {"rows": _rows_for(said["rows"], table, name)}
        found.append({**step, "hierarchies": given} if given else step)
    return found


def _fitted_step(
    step: Mapping[str, Any], table: Table, rng: np.random.Generator, callback: Callback | None
) -> dict[str, Any]:
    """The step with what its masker learns from the table in place of what it would compute."""
    fitter = FITTERS.get(step["method"])
    if fitter is None:
        return dict(step)
    options = _options(bind_method(step, STEPS))
    learned = with_known_options(partial(fitter, table), rng=rng, callback=callback)(**options)
    return {name: value for name, value in {**step, **learned}.items() if value is not None}


def _options(masker: Any) -> dict[str, Any]:
    return dict(masker.keywords)


def _in_words(step: Mapping[str, Any], fixed: Mapping[str, Any]) -> str:
    method = step["method"]
    if fixed["method"] != method:
        return f"{method} keeps the centres of its groups; records of the next file join the nearest."
    new = [name for name, value in fixed.items() if step.get(name) != value]
    if new:
        return f"{method} keeps its {', '.join(new)}."
    strata = "every stratum has values of its own" if step.get("strata") else None
    return f"{method} is run anew: {strata or RUN_ANEW.get(method, 'all its options were given as values')}."


def _rows_for(rows: list[list[str]], table: Table, name: str) -> list[list[str]]:
    hierarchy = as_hierarchy({"rows": rows}, ())
    top = hierarchy.paths[0][-1]
    present = {
        as_text(value) for value in table.column(name).tolist() if value is not None and value == value
    }
    beyond = sorted(present - set(hierarchy.node))
    return [*rows, *([value, *[top] * hierarchy.height] for value in beyond)]
