"""What steps learn from the whole of the files, exactly: values in place of rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.errors import NotApplicable
from shoal.hierarchy.tree import as_text
from shoal.masking import FITTERS, PRAM_MATRICES
from shoal.masking.pram.pram import CATEGORICAL
from shoal.masking.protected_columns import protected_columns
from shoal.table import Table
from shoal.types import Kind
from shoal.workflow.registry import STEPS, bind_method

Step = Mapping[str, Any]
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


def fitted_step(step: Step, paths: Sequence[Path], table: Table) -> dict[str, Any]:
    """The step with values in place of what it would take from the file; `table` is the sample before it."""
    if not needs_fit(step):
        return dict(step)
    learned = FITTED_BY[step["method"]](step, pl.scan_parquet(list(paths), glob=False), table)
    return {name: value for name, value in {**step, **learned}.items() if value is not None}


def options_given(step: Step) -> dict[str, Any]:
    """The options of a step, methods by name bound."""
    bound: Any = bind_method(step, STEPS)
    return dict(bound.keywords)


def _coded(step: Step, frame: pl.LazyFrame, table: Table) -> dict[str, Any]:
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
        limits = {n: _quantile(frame, n, limits[n], top) for n in names}
        learned = {"threshold": limits, "quantile": None}
    if step.get("replacement") == "mean":
        learned["replacement"] = {n: _mean_beyond(frame, n, limits[n], top) for n in names}
    return learned


def _quantile(frame: pl.LazyFrame, name: str, share: Any, top: bool) -> Any:
    """The value that `top_code` and `bottom_code` take: one that exists, by counting values in order."""
    column = pl.col(name)
    floats = frame.collect_schema()[name].is_float()
    present = frame.select(column.fill_nan(None) if floats else column).drop_nulls()
    counts = present.group_by(name).len(name="__shoal_records").collect(engine="streaming").sort(name)
    total = int(counts["__shoal_records"].sum())
    place = round(share * total, 9)
    wanted = int(np.clip(np.ceil(place) - 1 if top else np.floor(place), 0, max(total - 1, 0)))
    ends = counts["__shoal_records"].cum_sum().to_numpy()
    return counts[name][int(np.searchsorted(ends, wanted, side="right"))] if total else 0


def _mean_beyond(frame: pl.LazyFrame, name: str, limit: Any, top: bool) -> float:
    column = pl.col(name)
    beyond = frame.filter(column > limit if top else column < limit).select(column.mean())
    found = beyond.collect(engine="streaming").item()
    return float(limit if found is None else found)


def _moments(step: Step, frame: pl.LazyFrame, table: Table) -> dict[str, Any]:
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


def _matrices(step: Step, frame: pl.LazyFrame, table: Table) -> dict[str, Any]:
    """Transition matrices from the frequencies of the whole file."""
    build = options_given(step)["matrices"]
    if getattr(build, "func", build) not in PRAM_MATRICES:
        raise NotApplicable(
            "Matrices that are searched for are not found on files larger than memory; find them on a sample "
            "(shoal run --save-fitted) and give the fitted recipe."
        )
    found = {}
    for name in protected_columns(table, step.get("columns"), kinds=CATEGORICAL):
        counts = frame.group_by(name).len(name="__shoal_records").drop_nulls(name)
        rows = counts.collect(engine="streaming").sort(name)
        texts = [as_text(value) for value in rows[name].to_list()]
        P = build(rows["__shoal_records"].to_numpy().astype(np.intp))
        found[name] = {
            a: {b: float(p) for b, p in zip(texts, line, strict=True) if p > 0}
            for a, line in zip(texts, P, strict=True)
        }
    return {"matrices": found}


def _recoded(step: Step, frame: pl.LazyFrame, table: Table) -> dict[str, Any]:
    """Hierarchies of all values that occur, row by row."""
    kept: dict[str, Any] = {}
    options = {name: value for name, value in step.items() if name != "method"}
    for name in step.get("levels") or ():
        values = frame.select(pl.col(name)).unique().collect(engine="streaming").sort(name)
        whole = Table(values, (table.attribute(name),))
        part = {"levels": {name: step["levels"][name]}}
        given = {n: h for n, h in (options.get("hierarchies") or {}).items() if n == name}
        kept |= FITTERS["global_recode"](whole, **part, hierarchies=given or None).get("hierarchies", {})
    return {"hierarchies": {**(step.get("hierarchies") or {}), **kept}} if kept else {}


FITTED_BY: Mapping[str, Callable[[Step, pl.LazyFrame, Table], dict[str, Any]]] = {
    "top_code": _coded,
    "bottom_code": _coded,
    "add_noise": _moments,
    "pram": _matrices,
    "global_recode": _recoded,
}
