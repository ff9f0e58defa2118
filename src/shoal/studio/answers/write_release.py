"""The release of the very table whose figures were shown, through the gate, with its reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput, PromiseBroken, ShoalError
from shoal.report import summary, write_report
from shoal.studio.answers.desk import Desk, mark_of
from shoal.studio.plan import Plan, masked_part, recipe_in
from shoal.types import Callback
from shoal.workflow.release import Released, Target, release


def write_release(
    desk: Desk,
    tell: Callback,
    *,
    plan: Plan,
    target: str,
    reports: Mapping[str, str],
    overwrite: bool = False,
    anyway: bool = False,
    reason: str = "",
) -> dict[str, Any]:
    """Write the protected table that is kept, never a new draw; then both reports."""
    kept, recipe = desk.kept(mark_of(masked_part(plan))), recipe_in(plan)
    if kept is None or recipe is None:
        raise InvalidInput("The protected table is no longer in memory; it is counted again, then write it.")
    original, masked, *_ = kept
    source = Path(plan["source"])
    aim = Target(
        Path(target), overwrite=overwrite, like=source, inputs=(source,), anyway=anyway, read=plan["read"]
    )
    try:
        done = release(original, masked, recipe.promised, aim, callback=tell)
    except PromiseBroken as broken:
        return {"written": "", "why_not": str(broken).replace("--release-anyway", "a reason given here")}
    about = partial(
        summary,
        original,
        masked,
        evaluation=done.evaluation,
        verdict=done.verdict,
        recipe=recipe,
        reason=reason,
    )
    return _said(done, target) | {"no_reports": _reported(about, reports)}


def _reported(about: Callable[..., Any], reports: Mapping[str, str]) -> str:
    """Write the reports; why there are none, if so: the file is in its place all the same."""
    try:
        for which, page in reports.items():
            Path(page).parent.mkdir(mode=0o700, exist_ok=True)
            Path(page).unlink(missing_ok=True)  # that of an earlier file is not shown beside this one
            write_report(about(public=which == "public"), page, overwrite=True)
    except (ShoalError, OSError) as error:
        return error.strerror or "no access" if isinstance(error, OSError) else str(error)
    except Exception as error:  # its message could show a value of the file
        return f"an unexpected {type(error).__name__}"
    return ""


def _said(done: Released, target: str) -> dict[str, Any]:
    return {
        "written": Path(target).name,
        "headline": done.headline,
        "kept": done.kept,
        "records": done.verdict.records,
        "reached": done.reached,
        "suppressed": done.suppressed,
        "why_not": "",
    }
