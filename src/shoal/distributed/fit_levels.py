"""Levels of a recoding found for the whole of the files, from how often every combination of keys occurs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal.distributed.group_by_parts import RECORDS, group_counts
from shoal.distributed.shards.shard_functions import LABEL, LABELS, VALUE, plain_floats
from shoal.distributed.steps_at_scale import Stage
from shoal.errors import NotApplicable, PrivacyWarning
from shoal.masking.protected_columns import protected_columns
from shoal.table import Table
from shoal.workflow.fit_steps import fit_steps
from shoal.workflow.registry import STEPS, bind_method

MOST_RECORDS = 2_000_000  # that the search works on: some 40 s for eight columns


def fitted_levels(
    step: Mapping[str, Any], paths: Sequence[Path], table: Table, bytes_there: int
) -> list[dict[str, Any]]:
    """The recoding that was found, and what makes the few records missing that it leaves below k.

    The search sees every combination of keys and confidential values, but none more often than it can hold,
    and at least k times: whether a recoding keeps k and l, and how many records it leaves, is exact; what it
    loses is weighed by these numbers.
    """
    names = protected_columns(table, step.get("columns"))
    wanted = list(dict.fromkeys([*names, *_hidden(step)]))
    frame = pl.scan_parquet(list(paths), glob=False).select(wanted)
    frame = frame.with_columns(plain_floats(dict(frame.collect_schema())))
    least = step["k"]
    counts = _combinations(frame, wanted, least, bytes_there)
    records = int(counts[RECORDS].sum())
    seen = counts.with_columns(pl.col(RECORDS).clip(upper_bound=_cap(counts[RECORDS], least)))
    rows = seen.select(pl.exclude(RECORDS).repeat_by(RECORDS)).explode(wanted)
    attributes = tuple(table.attribute(name) for name in wanted)
    share = min(step.get("suppression", 0.0) * records / max(rows.height, 1), 1.0)
    asked = {**step, "suppression": share} if share else dict(step)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)  # the gate counts the whole of the files
        fitted = fit_steps([asked], Table(rows, attributes), rng=0)[1][0]
        labels = _labels(fitted, Table(counts.select(wanted), attributes), names)
    rest = [{"method": "suppress_to_k", "k": least, "columns": names}] if share else []
    return [{"method": LABELS, "labels": labels}, *rest]


def _combinations(frame: pl.LazyFrame, wanted: list[str], least: int, bytes_there: int) -> pl.DataFrame:
    """Every combination in order and how often it occurs, or a sentence that they are too many."""
    found: list[pl.DataFrame] = []
    seen = 0
    for counts in group_counts(frame, wanted, bytes_there):
        found.append(counts)
        seen += int(counts[RECORDS].clip(upper_bound=least).sum())
        if seen > MOST_RECORDS:
            different = sum(own.height for own in found)
            raise NotApplicable(
                f"The keys have at least {different:,} different combinations, too many to search for "
                "levels; recode the finest columns in an earlier run (global_recode), or take them out."
            )
    return pl.concat(found).sort(wanted)


def _labels(fitted: Mapping[str, Any], table: Table, names: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Every value of every recoded column, and its label: each record twice has k = 2 at any level."""
    twice = Table(pl.concat([table.frame, table.frame]), table.attributes)
    step = {n: v for n, v in fitted.items() if n not in ("suppression", "promise", "seconds")} | {"k": 2}
    found: pl.DataFrame = bind_method(step, STEPS)(twice).frame
    pairs = {n: pl.DataFrame({VALUE: twice.frame[n], LABEL: found[n]}).unique() for n in names}
    return {n: own for n, own in pairs.items() if not own[VALUE].equals(own[LABEL])}


def with_levels(
    stages: Sequence[Stage], paths: Sequence[Path], sample: Table, bytes_there: int
) -> list[Stage]:
    """The stages with the recoding that was found in place of a search for one."""
    found: list[Stage] = []
    for stage in stages:
        if stage.form != "levels":
            found.append(stage)
            continue
        recode, *rest = fitted_levels(stage.steps[0], paths, sample, bytes_there)
        found += [Stage((recode,), stage.first), *(Stage((step,), stage.first, "classes") for step in rest)]
    return found


def _hidden(step: Mapping[str, Any]) -> list[str]:
    """The confidential columns that something was promised for."""
    return [name for columns in (step.get("promise") or {}).values() for name in columns]


def _cap(counts: pl.Series, least: int) -> int:
    """The most times a combination may be seen so that all of them together are not too many records."""
    cap = least
    while cap < int(counts.max() or 0) and int(counts.clip(upper_bound=2 * cap).sum()) <= MOST_RECORDS:  # type: ignore[arg-type]
        cap *= 2
    return cap
