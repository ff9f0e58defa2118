"""The project folder people.shoal/: the plan as a project file, and every revision; no records, no seed.

It names columns, categories and exact figures: keep it where the original is kept.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput, ShoalError
from shoal.io.atomic import whole_file
from shoal.studio.paths_below import below, folder_of
from shoal.studio.plan import EMPTY, Plan, promise_in, recipe_in, roles_in
from shoal.studio.revisions import Revisions, append_line
from shoal.workflow.project.project import Project
from shoal.workflow.project.project_text import project_text

HISTORY = "history.jsonl"
AUDIT = "audit.jsonl"  # when somebody asked to see single records


def open_project(source: Path) -> tuple[Revisions, str]:
    """The revisions of the project of a file, and a sentence where they cannot be kept."""
    folder = folder_of(source)
    start: Plan = {**EMPTY, "source": str(source)}
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)
        found = Revisions(start, folder / HISTORY)
    except OSError as error:
        reason = (error.strerror or "no access").lower()
        return Revisions(
            start
        ), f"The project cannot be kept beside the file ({reason}): undo ends with this run."
    return found, ""


def tables_of(project: Path) -> dict[str, Path]:
    """The tables a project file names, and where their files lie."""
    given = Project.read(project)
    return {table.name: given.source_of(table).resolve() for table in given.tables.values()}


def check_hierarchies(project: Path, root: Path) -> None:
    """Refuse a project whose hierarchies are files outside the start folder."""
    for table in Project.read(project).tables.values():
        for given in (table.recipe.hierarchies if table.recipe else {}).values():
            if isinstance(given, str):
                below(root, given)


def told_by(project: Path, name: str) -> dict[str, Any]:
    """What a project says of one of its tables, as entries of a plan."""
    table = Project.read(project).tables[name]
    by_role = {role: [own] if isinstance(own, str) else own for role, own in table.roles.items()}
    steps = table.recipe.steps if table.recipe else []
    return {
        "read": dict(table.read),
        "roles": {column: role for role, columns in by_role.items() for column in columns},
        "kinds": dict(table.kinds),
        "promise": table.promise.to_dict(),
        "steps": [{"id": at, "on": True, **step} for at, step in enumerate(steps, 1)],
        "hierarchies": dict(table.recipe.hierarchies) if table.recipe else {},
    }


def kept_plan(source: Path) -> Plan:
    """The plan that is kept beside a file; an empty one if there is none. Nothing is made."""
    path = folder_of(source) / HISTORY
    start: Plan = {**EMPTY, "source": str(source)}
    return Revisions(start, path).plan if path.exists() else start


def own_source(project: Path, tables: Mapping[str, Path]) -> Path:
    """The file a project of the studio is about; another project would lose its roles and steps here."""
    (source,) = tables.values()
    if folder_of(source).resolve() != project.resolve().parent:
        raise InvalidInput(
            f"{project.name!r} was not made by the studio: open its file {source.name!r} here, or run it "
            f"as it is by `shoal project {project.name} -o FOLDER`."
        )
    return source


def save_project(history: Revisions) -> None:
    """The plan as `shoal project` reads it; what cannot be written is still in the history."""
    if history.path is None:
        return
    plan, target = history.plan, history.path.with_name("project.toml")
    with contextlib.suppress(OSError, ShoalError), whole_file(target, True, mode=0o600) as temporary:
        temporary.write_text(_text(plan), encoding="utf-8")


def note_in_audit(history: Revisions, said: str) -> None:
    """A line with the time into the audit of the project; what cannot be noted is not to be done."""
    if history.path is None:
        raise InvalidInput(
            "Asking is noted in the project, which cannot be kept beside the file, so nothing is shown."
        )
    now = datetime.now(UTC).isoformat(timespec="seconds")
    append_line(history.path.with_name(AUDIT), json.dumps({"at": now, "said": said}))


def _text(plan: Plan) -> str:
    source = Path(plan["source"])
    return project_text(
        source.stem,
        {
            "name": "table",
            "source": f"../{source.name}",
            "target": protected_name(source),
            "read": dict(plan["read"]),
            "roles": roles_in(plan),
            "kinds": dict(plan["kinds"]),
            "hierarchies": dict(plan["hierarchies"]),
            "promise": promise_in(plan).to_dict(),
        },
        [] if recipe_in(plan) is None else [dict(step) for step in recipe_in(plan).steps],  # type: ignore[union-attr]
    )


def protected_name(source: Path) -> str:
    """What the protected file is called unless somebody says otherwise.

    >>> protected_name(Path("people.csv"))
    'people-protected.csv'
    """
    stem, dot, rest = source.name.partition(".")
    return f"{stem}-protected{dot}{rest}"
