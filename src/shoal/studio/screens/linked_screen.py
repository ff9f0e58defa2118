"""Linked tables: each a click away, protected in step, released together with every join counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.studio.paths_below import below
from shoal.studio.plan import Plan, steps_in
from shoal.studio.screens.screen import Facts, Form, Screen, first
from shoal.studio.session import Session
from shoal.workflow.project import Project


def facts(session: Session, query: Form) -> Facts:
    """The tables with what will be done to each, the joins, and what was released."""
    path, _ = session.linked
    project = Project.read(path) if path else None
    done = session.together.about(str(path)) if path else False
    plans, outside = session.linked_plans(), session.linked_outside()
    return {
        "project": path.name if path else "",
        "tables": [
            _table(project, name, its, plans.get(name))
            | {"path": "" if name in outside else str(its.relative_to(session.root))}
            for name, its in session.linked[1].items()
        ]
        if project
        else [],
        "joins": [str(join) for join in project.joins] if project else [],
        "promise": _promised(project.promise.to_dict()) if project else "",
        "outside": bool(outside),
        "done": session.together.facts if done else None,
        "problem": session.together.problem if done else "",
        "working": any(job.slot == "together" for job in session.pending),
    }


def _table(project: Project, name: str, source: Path, plan: Plan | None) -> dict[str, Any]:
    """What the page says of one table, and where its steps come from."""
    given = project.tables[name]
    own = len(given.recipe.steps) if given.recipe else 0
    return {
        "name": name,
        "file": source.name,
        "own": plan is not None,
        "steps": len(steps_in(plan)) if plan else own,
        "promise": _promised(plan["promise"] if plan else given.promise.to_dict()),
    }


def _promised(said: dict[str, Any]) -> str:
    """The k or the highest risk of a promise, as far as it has one.

    >>> _promised({"k": 3}), _promised({"max_risk": 0.09}), _promised({})
    ('k = 3', 'risk of at most 9 %', '')
    """
    if said.get("k"):
        return f"k = {said['k']}"
    return f"risk of at most {100 * said['max_risk']:g} %" if said.get("max_risk") else ""


def release(session: Session, form: Form) -> str:
    """Mask all tables in step and write them into a new folder, or none."""
    path, _ = session.linked
    given = first(form, "folder")
    if path is None:
        raise InvalidInput("No project of several tables is open; choose one on the page File.")
    if session.linked_outside():
        raise InvalidInput("A table of this project is not there, or not below the start folder.")
    if not given or Path(given).name != given or given.startswith("."):
        raise InvalidInput("A plain name of a folder is needed, such as released; it must not exist yet.")
    target = below(session.root, str(path.parent / given))
    if target.exists():
        raise InvalidInput(f"The folder {given!r} exists already; name a new one.")
    session.release_linked(target)
    return ""


LINKED = Screen("linked", "Linked tables", facts, {"release": release}, outside=("release",), under="file")
