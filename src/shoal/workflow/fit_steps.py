"""What the steps of a recipe learn from a file, so that the next one is treated in the same way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal._check import check_names
from shoal._shared.options import sub_progress, with_known_options
from shoal.hierarchy import as_hierarchy
from shoal.hierarchy.tree import as_text
from shoal.masking import FITTERS, RUN_ANEW
from shoal.masking.fitting import fit_microaggregate
from shoal.masking.recoding.kept_cuts import stratum_texts
from shoal.masking.takes_where import rows_where
from shoal.search.recoding.fit_recode_to_k import fit_recode_to_k
from shoal.table import Table
from shoal.types import Callback, RandomState
from shoal.workflow.registry import STEPS, bind_method, find_method, options_of

Step = Mapping[str, Any]
LEARNING = {**FITTERS, "recode_to_k": fit_recode_to_k}
BY_STRATUM = ("top_code", "bottom_code", "pram", "add_noise")  # of Mondrian every stratum has its cuts
# what has to be found anew although its method can learn, or because a search makes the file itself
ANEW = {
    "mondrian": "relaxed cuts, and the cuts of household members, are made anew on every file",
    "recode_to_k": "local recoding forms its classes anew on every file",
    "multivariate_top_code": "with households the bulk is found anew on every file",
    "evolve_file": "it searches every file itself",
}


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
        fixed = _fitted_step(_with_strata(step, table), table, stream, report)
        masker = bind_method(fixed, STEPS)
        before, table = table, with_known_options(masker, rng=stream, callback=report)(table)
        if keep_centres and step["method"] == "microaggregate":
            fixed = _with_centres(before, table, _options(masker)) or fixed
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
            if isinstance(said, Mapping) and "rows" in said and name in table.names():
                given[name] = {"rows": _rows_for(said["rows"], table, name)}
        cuts = [{**kept, "unknown": "top"} for kept in step.get("cuts") or ()] if _is_cut(step) else []
        new = ({"hierarchies": given} if given else {}) | ({"cuts": cuts} if cuts else {})
        found.append({**step, **new})
    return found


def _is_cut(step: Step) -> bool:
    """Whether the step keeps the cuts of an earlier file; recoding has cuts of another sort."""
    return step.get("method") == "mondrian"


def _with_strata(step: Step, table: Table) -> Step:
    """The step with the strata of the table where its masker would treat them apart by itself."""
    named, known = table.names(role="stratum"), options_of(find_method(step["method"], STEPS))
    return {**step, "strata": named} if named and {"k", "strata"} <= set(known) - set(step) | {"k"} else step


def _fitted_step(
    step: Mapping[str, Any], table: Table, rng: np.random.Generator, callback: Callback | None
) -> dict[str, Any]:
    """The step with what its masker learns from the table in place of what it would compute."""
    fitter = LEARNING.get(step["method"])
    if fitter is None:
        return dict(step)
    options = _options(bind_method(step, STEPS))
    part, rows = _part(table, options.pop("where", None))
    if not len(rows):
        return dict(step)
    if step["method"] in BY_STRATUM and options.get("strata"):
        return _by_stratum(step, part, options, fitter, rng)
    learned = with_known_options(partial(fitter, part), rng=rng, callback=callback)(**options)
    return {name: value for name, value in {**step, **learned}.items() if value is not None}


def _by_stratum(
    step: Step, table: Table, options: dict[str, Any], fitter: Callable[..., Any], rng: np.random.Generator
) -> dict[str, Any]:
    """The step that masks every stratum with what it learned there."""
    strata = check_names(options.pop("strata"), table.names())
    texts = stratum_texts(table, strata)
    found, gone = [], {"strata", "where"}
    for of in sorted(set(texts)):
        rows = np.flatnonzero([text == of for text in texts])
        learned = with_known_options(partial(fitter, table.take(rows)), rng=rng)(**options)
        gone |= {name for name, value in learned.items() if value is None}
        found.append({"of": list(of), **{name: v for name, v in learned.items() if v is not None}})
    masker = {name: value for name, value in step.items() if name not in gone}
    where = {"where": step["where"]} if "where" in step else {}
    return {"method": "mask_strata", "masker": masker, "strata": strata, "options": found, **where}


def _with_centres(before: Table, masked: Table, options: dict[str, Any]) -> dict[str, Any]:
    """The step that joins the centres of this file, of the records that the first one masked."""
    where = options.pop("where", None)
    part, rows = _part(before, where)
    found = fit_microaggregate(part, masked.take(rows), **options) if len(rows) else {}
    return found | {"where": where} if found and where is not None else found


def _part(table: Table, where: Any) -> tuple[Table, NDArray[np.intp]]:
    """The records that a step masks, and where they are."""
    if where is None:
        return table, np.arange(len(table))
    rows = rows_where(table, where)
    return table.take(rows), rows


def _options(masker: Any) -> dict[str, Any]:
    return dict(masker.keywords)


def _in_words(step: Mapping[str, Any], fixed: Mapping[str, Any]) -> str:
    method = step["method"]
    if fixed["method"] == "mask_strata" != method:
        return f"{method} keeps what every stratum taught; a record of a new stratum is refused."
    if fixed["method"] != method:
        return f"{method} keeps the centres of its groups; records of the next file join the nearest."
    new = [name for name, value in fixed.items() if step.get(name) != value]
    if new:
        return f"{method} keeps its {', '.join(new)}."
    reason = ANEW.get(method) or RUN_ANEW.get(method) or "all its options were given as values"
    return f"{method} is run anew: {reason}."


def _rows_for(rows: list[list[str]], table: Table, name: str) -> list[list[str]]:
    hierarchy = as_hierarchy({"rows": rows}, ())
    top = hierarchy.paths[0][-1]
    present = {
        as_text(value) for value in table.column(name).tolist() if value is not None and value == value
    }
    beyond = sorted(present - set(hierarchy.node))
    return [*rows, *([value, *[top] * hierarchy.height] for value in beyond)]
