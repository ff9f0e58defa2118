"""Linked tables released together: each protected as its cards, or else the project, say; joins counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.models.promise import Promise
from shoal.studio.answers.desk import Desk
from shoal.studio.plan import Plan, promise_in, recipe_in, roles_in
from shoal.types import Callback
from shoal.workflow.project import Project, release_project
from shoal.workflow.project.project import ProjectTable


def release_linked(
    desk: Desk, tell: Callback, *, project: str, folder: str, plans: Mapping[str, Plan], seed: int
) -> dict[str, Any]:
    """Mask all tables in step, write all of them into a new folder, and count each and every join there."""
    given = with_plans(Project.read(project), plans)
    done = release_project(given, folder, rng=seed, callback=tell)
    return {
        "written": Path(folder).name,
        "tables": [
            {"name": name, "file": given.tables[name].target, "headline": one.headline, "kept": one.kept}
            for name, one in done.tables.items()
        ],
        "joins": [{"name": name, "headline": one.headline} for name, one in done.joins.items()],
    }


def with_plans(project: Project, plans: Mapping[str, Plan]) -> Project:
    """The project with the roles, promise and steps of these plans in place of its own.

    >>> from shoal.studio.plan import EMPTY
    >>> one = Project.from_toml('[[tables]]\\nname = "a"\\nsource = "a.csv"')
    >>> plan = {**EMPTY, "source": "a.csv", "roles": {"x": "quasi"}, "promise": {"k": 3}}
    >>> plan |= {"steps": [{"method": "mondrian"}]}
    >>> with_plans(one, {"a": plan}).tables["a"].promise.k
    3
    """
    tables = {
        name: _as_planned(table, plans[name], project.promise) if name in plans else table
        for name, table in project.tables.items()
    }
    return replace(project, tables=tables)


def _as_planned(table: ProjectTable, plan: Plan, whole: Promise) -> ProjectTable:
    """A table without a promise of its own takes the k of the project, as in a project file."""
    said = promise_in(plan) or Promise(k=whole.k, max_risk=whole.max_risk)
    recipe = recipe_in({**plan, "promise": said.to_dict()})
    return replace(
        table,
        read=dict(plan["read"]),
        recipe=recipe,
        roles=roles_in(plan),
        kinds=dict(plan["kinds"]),
        promise=recipe.promised if recipe else said,
    )
