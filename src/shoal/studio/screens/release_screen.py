"""Release: a checklist, a name, and the k that is counted on the file that was written."""

from __future__ import annotations

from pathlib import Path

from shoal.errors import InvalidInput
from shoal.io.formats import extension
from shoal.studio.paths_below import below, folder_of
from shoal.studio.plan import steps_in
from shoal.studio.project_folder import protected_name
from shoal.studio.screens.screen import Facts, Form, Screen, State, first
from shoal.studio.session import Session

LONGEST = 2000  # letters of a reason


def facts(session: Session, query: Form) -> Facts:
    """What stands between the plan and a file."""
    plan = session.plan
    fresh = session.masked.about(session.masked_mark) and session.masked.facts is not None
    after = session.masked.facts["after"] if fresh else None
    identifiers = [name for name, role in plan["roles"].items() if role == "identifier"]
    done = session.released
    return {
        "ready": fresh and bool(steps_in(plan)),
        "kept": after["kept"] if after else False,
        "after": after,
        "doubts": session.masked.facts["doubts"] if fresh else [],
        "identifiers": identifiers,
        "name": done["written"]
        if done and done.get("written")
        else protected_name(Path(plan["source"])).lower()
        if not plan["source"]
        else protected_name(Path(plan["source"])),
        "released": done,
        "writing": any(job.slot == "released" for job in session.pending),
    }


def write(session: Session, form: Form) -> str:
    """Write the table whose figures are shown."""
    if (
        not session.plan["source"]
        or not session.masked.about(session.masked_mark)
        or not session.masked.facts
    ):
        raise InvalidInput(
            "The figures of the protected file are not there yet; wait for them or count them."
        )
    source = Path(session.plan["source"])
    given = first(form, "name")
    if not given or Path(given).name != given or given.startswith("."):
        raise InvalidInput(
            "A plain file name is needed, such as protected.csv; it is written beside the file."
        )
    extension(Path(given))
    target = below(session.root, str(source.parent / given))
    reason = first(form, "reason")[:LONGEST]
    kept = session.masked.facts["after"]["kept"]
    if not kept and not reason:
        raise InvalidInput(
            "This file breaks its promise; say why it shall be written all the same, or protect it more."
        )
    if not kept:
        session.change(f"released below the promise, because: {reason}", notes=reason)
    folder = folder_of(source) / "reports"
    session.write(
        target=str(target),
        reports={which: str(folder / f"{which}.html") for which in ("internal", "public")},
        overwrite=bool(first(form, "overwrite")),
        anyway=not kept,
        reason="" if kept else reason,
    )
    return ""


def state(session: Session) -> State:
    """Done once a file was written from the plan as it is."""
    if session.released and session.released.get("written"):
        return "done"
    return ""


RELEASE = Screen("release", "Release", facts, {"write": write}, state)
