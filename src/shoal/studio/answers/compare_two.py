"""Two protections side by side: each run on the file with the draw that would be released, then compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal._shared.options import sub_progress
from shoal.studio.answers.compare_files import compare_files
from shoal.studio.answers.desk import Desk
from shoal.studio.answers.run_steps import run_steps
from shoal.studio.plan import Plan, with_steps
from shoal.types import Callback


def compare_two(
    desk: Desk, tell: Callback, *, plan: Plan, seed: int, pinned: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """For each: the figures of the protected file, its columns and what users notice."""
    found: list[dict[str, Any]] = []
    parts = 2 * len(pinned)
    for at, one in enumerate(pinned):
        its = with_steps(plan, one["steps"])
        after = run_steps(desk, sub_progress(tell, 2 * at, parts) or tell, plan=its, seed=seed)["after"]
        both = compare_files(desk, sub_progress(tell, 2 * at + 1, parts) or tell, plan=its)
        found.append(
            {"name": one["name"], "after": after, "columns": both["columns"], "notice": both["notice"]}
        )
    return found
