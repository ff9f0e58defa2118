"""File: choose a file, see how it was read, read it in another way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.errors import InvalidInput
from shoal.studio.made_up import MADE_UP, write_made_up
from shoal.studio.paths_below import below, entries
from shoal.studio.screens.screen import Facts, Form, Screen, State, first
from shoal.studio.session import Session

ROWS = 50  # shown of the file
WIDE = 40  # columns of those rows
PATIENCE = 3.0  # seconds a page waits for some rows
MARKS = {"tab": "\t", "comma": ",", "semicolon": ";", "bar": "|"}


def facts(session: Session, query: Form) -> Facts:
    """The folder, and of an open file the form it was read in and some rows."""
    folder = first(query, "folder")
    folders, files = entries(session.root, folder)
    shown: Facts = {
        "folder": folder,
        "parent": str(Path(folder).parent) if folder else None,
        "folders": folders,
        "files": files,
        "read": session.plan["read"],
        "marks": MARKS,
        "project": session.linked[0].name if session.linked[0] else "",
    }
    if session.source.facts is not None:
        shown |= _rows(session, query)
    return shown


def _rows(session: Session, query: Form) -> Facts:
    start = first(query, "from", "1")
    at = max(int(start) - 1, 0) if start.isdecimal() and len(start) < 12 else 0
    at = min(at, max(session.source.facts["records"] - 1, 0))
    reading = {"source": session.plan["source"], "read": session.plan["read"]}
    job = session.worker.ask("show_rows", slot="rows", first=at, count=ROWS, **reading)
    done = job.over.wait(PATIENCE) and job.state == "done"
    names = session.source.facts["names"]
    return {
        "rows": [row[:WIDE] for row in job.answer] if done else [],
        "names": names[:WIDE],
        "more_names": max(len(names) - WIDE, 0),
        "first": at + 1,
        "rows_late": not done,
        "step": ROWS,
    }


def open_file(session: Session, form: Form) -> str:
    """Open the file that was chosen or typed."""
    path = first(form, "path")
    session.open(path)
    return "linked" if session.linked[0] == below(session.root, path) else "file"


def try_made_up(session: Session, form: Form) -> str:
    """Write a file of people who do not exist, and open it."""
    write_made_up(session.root)
    session.open(MADE_UP)
    return "columns"


def read_again(session: Session, form: Form) -> None:
    """Read the file with other marks, another encoding or further codes for missing."""
    if not session.plan["source"]:
        raise InvalidInput("No file is open; choose one first.")
    read: dict[str, Any] = {}
    for name in ("separator", "decimal", "encoding"):
        given = first(form, name)
        if given:
            read[name] = MARKS.get(given, given)
    codes = [code.strip() for code in first(form, "missing_codes").split(",") if code.strip()]
    if codes:
        read["missing_codes"] = codes
    session.change("file read in another way", read={**dict.fromkeys(session.plan["read"]), **read})


def close(session: Session, form: Form) -> str:
    """End the studio."""
    session.close()
    return "closed"


def state(session: Session) -> State:
    """Done once a file is read."""
    return "done" if session.source.facts is not None else "needs you"


FILE = Screen(
    "file",
    "File",
    facts,
    {"open": open_file, "made-up": try_made_up, "read": read_again, "close": close},
    state,
    outside=("open", "made-up", "close"),
)
