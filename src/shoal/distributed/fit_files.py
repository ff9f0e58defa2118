"""What steps learn from the whole of the files, exactly: values in place of rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.distributed.group_by_parts import RECORDS, group_counts
from shoal.distributed.shards.shard_keys import ROW
from shoal.errors import NotApplicable
from shoal.hierarchy.tree import as_text
from shoal.masking import FITTERS, PRAM_MATRICES
from shoal.masking.pram.pram import CATEGORICAL
from shoal.masking.protected_columns import protected_columns
from shoal.table import Table
from shoal.types import Kind
from shoal.workflow.registry import STEPS, bind_method

Step = Mapping[str, Any]
FEW_VALUES = 100_000  # that tell about where a quantile lies
SURE = 3  # times the root of their number: six standard deviations of a rank at the most
NUMERIC: tuple[Kind, ...] = ("numeric",)


def needs_fit(step: Step) -> bool:
    """Whether a step takes something from the whole file before it can treat a part of it.

    >>> needs_fit({"method": "top_code", "quantile": 0.9}), needs_fit({"method": "top_code", "threshold": 9})
    (True, False)
    """
    method = step["method"]
    if method in ("top_code", "bottom_code"):
        return step.get("quantile") is not None or step.get("replacement") == "mean"
    if method == "add_noise":
        return "moments" not in step
    if method == "pram":
        return not isinstance(step["matrices"], Mapping) or "method" in step["matrices"]
    return method == "global_recode" and bool(step.get("levels"))


def fitted_step(step: Step, paths: Sequence[Path], table: Table, bytes_there: int) -> dict[str, Any]:
    """The step with values in place of what it would take from the file; `table` is the sample before it."""
    if not needs_fit(step):
        return dict(step)
    learned = FITTED_BY[step["method"]](step, pl.scan_parquet(list(paths), glob=False), table, bytes_there)
    return {name: value for name, value in {**step, **learned}.items() if value is not None}


def options_given(step: Step) -> dict[str, Any]:
    """The options of a step, methods by name bound."""
    bound: Any = bind_method(step, STEPS)
    return dict(bound.keywords)


def _coded(step: Step, frame: pl.LazyFrame, table: Table, bytes_there: int) -> dict[str, Any]:
    """Thresholds of quantiles, and means beyond thresholds."""
    top = step["method"] == "top_code"
    given = step.get("quantile") if step.get("threshold") is None else step["threshold"]
    keys = list(given) if isinstance(given, Mapping) else None
    names = protected_columns(table, step.get("columns") or keys, kinds=("numeric", "ordinal"))
    learned: dict[str, Any] = {}
    limits = {n: given[n] if isinstance(given, Mapping) else given for n in names}
    if step.get("quantile") is not None:
        if any(table.attribute(n).order for n in names):
            raise NotApplicable("Quantiles of ordered categories are not taken at scale; give a threshold.")
        limits = {n: _quantile(frame, n, limits[n], top, bytes_there) for n in names}
        learned = {"threshold": limits, "quantile": None}
    if step.get("replacement") == "mean":
        learned["replacement"] = {n: _mean_beyond(frame, n, limits[n], top) for n in names}
    return learned


def _quantile(frame: pl.LazyFrame, name: str, share: Any, top: bool, bytes_there: int) -> Any:
    """The value that `top_code` and `bottom_code` take: one that exists, by counting values in order.

    Some values tell about where it lies, so that only those near it are held.
    """
    column = pl.col(name)
    floats = frame.collect_schema()[name].is_float()
    present = frame.select(column.fill_nan(None) if floats else column).drop_nulls()
    total = _number(present)
    if not total:
        return 0
    place = round(share * total, 9)
    wanted = int(np.clip(np.ceil(place) - 1 if top else np.floor(place), 0, total - 1))
    numbered = present.with_row_index(ROW).filter(pl.col(ROW) % max(total // FEW_VALUES, 1) == 0)
    few = numbered.collect(engine="streaming")[name].sort()
    near, reach = wanted / total * few.len(), SURE * few.len() ** 0.5
    low = few[int(near - reach)] if near > reach else None
    high = few[int(near + reach)] if near + reach < few.len() else None
    while True:
        below = 0 if low is None else _number(present.filter(column < low))
        inside = present if low is None else present.filter(column >= low)
        inside = inside if high is None else inside.filter(column <= high)
        counts = pl.concat(group_counts(inside, [name], bytes_there)).sort(name)
        ends = below + counts[RECORDS].cum_sum().to_numpy()
        if wanted < below:
            low, high = None, low
        elif wanted >= ends[-1]:
            low, high = high, None
        else:
            return counts[name][int(np.searchsorted(ends, wanted, side="right"))]


def _number(frame: pl.LazyFrame) -> int:
    return int(frame.select(pl.len()).collect(engine="streaming").item())


def _mean_beyond(frame: pl.LazyFrame, name: str, limit: Any, top: bool) -> float:
    column = pl.col(name)
    beyond = frame.filter(column > limit if top else column < limit).select(column.mean())
    found = beyond.collect(engine="streaming").item()
    return float(limit if found is None else found)


def _moments(step: Step, frame: pl.LazyFrame, table: Table, bytes_there: int) -> dict[str, Any]:
    """Means, and covariances of complete records."""
    names = protected_columns(table, step.get("columns"), kinds=NUMERIC)
    centre, covariance = complete_covariances(frame, names)
    return {"moments": {"centre": centre, "covariance": covariance}}


def complete_covariances(
    frame: pl.LazyFrame, names: Sequence[str]
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Means, and covariances of the records that have all these numbers, by two passes.

    >>> complete_covariances(pl.LazyFrame({"a": [1.0, 3.0], "b": [5, 1]}), ["a", "b"])[1]["a"]
    {'a': 2.0, 'b': -4.0}
    """
    numbers = frame.select(pl.col(n).cast(pl.Float64).fill_nan(None) for n in names)
    centre = numbers.select(pl.all().mean()).collect(engine="streaming").row(0, named=True)
    shifted = numbers.drop_nulls().select(pl.col(n) - (centre[n] or 0.0) for n in names)
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place:]]
    sums = [(pl.col(a) * pl.col(b)).sum().alias(f"{i}") for i, (a, b) in enumerate(pairs)]
    wanted = [pl.len().alias("n"), *(pl.col(n).sum().alias(f"sum {n}") for n in names), *sums]
    row = shifted.select(wanted).collect(engine="streaming").row(0, named=True)
    many = max(row["n"] - 1, 1)
    covariance: dict[str, dict[str, float]] = {n: {} for n in names}
    for i, (a, b) in enumerate(pairs):
        value = (row[f"{i}"] - row[f"sum {a}"] * row[f"sum {b}"] / max(row["n"], 1)) / many
        covariance[a][b] = covariance[b][a] = float(value)
    return {n: float(centre[n] or 0.0) for n in names}, covariance


def _matrices(step: Step, frame: pl.LazyFrame, table: Table, bytes_there: int) -> dict[str, Any]:
    """Transition matrices from the frequencies of the whole file."""
    build = options_given(step)["matrices"]
    if getattr(build, "func", build) not in PRAM_MATRICES:
        raise NotApplicable(
            "Matrices that are searched for are not found on files larger than memory; find them on a sample "
            "(shoal run --save-fitted) and give the fitted recipe."
        )
    found = {}
    for name in protected_columns(table, step.get("columns"), kinds=CATEGORICAL):
        counts = pl.concat(group_counts(frame.select(name), [name], bytes_there))
        rows = counts.drop_nulls(name).sort(name)
        texts = [as_text(value) for value in rows[name].to_list()]
        P = build(rows[RECORDS].to_numpy().astype(np.intp))
        found[name] = {
            a: {b: float(p) for b, p in zip(texts, line, strict=True) if p > 0}
            for a, line in zip(texts, P, strict=True)
        }
    return {"matrices": found}


def _recoded(step: Step, frame: pl.LazyFrame, table: Table, bytes_there: int) -> dict[str, Any]:
    """Hierarchies of all values that occur, row by row."""
    kept: dict[str, Any] = {}
    options = {name: value for name, value in step.items() if name != "method"}
    for name in step.get("levels") or ():
        values = pl.concat(group_counts(frame.select(name), [name], bytes_there)).select(name).sort(name)
        whole = Table(values, (table.attribute(name),))
        part = {"levels": {name: step["levels"][name]}}
        given = {n: h for n, h in (options.get("hierarchies") or {}).items() if n == name}
        kept |= FITTERS["global_recode"](whole, **part, hierarchies=given or None).get("hierarchies", {})
    return {"hierarchies": {**(step.get("hierarchies") or {}), **kept}} if kept else {}


FITTED_BY: Mapping[str, Callable[[Step, pl.LazyFrame, Table, int], dict[str, Any]]] = {
    "top_code": _coded,
    "bottom_code": _coded,
    "add_noise": _moments,
    "pram": _matrices,
    "global_recode": _recoded,
}
