"""Columns: what every column is, who may know it, and why we think so."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shoal._check import check_choice
from shoal.errors import InvalidInput
from shoal.studio.screens.order_screen import ordered_by_hand
from shoal.studio.screens.screen import KEEP, Facts, Form, Screen, State, first
from shoal.studio.session import Session
from shoal.studio.words import KIND_WORDS, ROLE_WORDS
from shoal.table import KINDS, ROLES

PAGE = 120  # columns on one page: fewer than 5,000 elements
OPTIONS = re.compile(r"--(nominal|ordinal|numeric)(?: \S+(?=,))?")  # as the command line says it
COARSER = re.compile(r", `shoal hierarchy make FILE --column .* --(prefix|dates) (\S+) -o .*`$")
GAPS = "; if they are, name them: --missing-code"
WAYS = {"prefix": "prefixes", "dates": "dates"}  # of the command line, and of the page of hierarchies
SINGLE = ("weight", "household")


def facts(session: Session, query: Form) -> Facts:
    """The columns that were asked for, with kind, role and reason."""
    plan, found = session.plan, session.columns.facts or []
    wanted = first(query, "find").lower()
    matching = [one for one in found if wanted in one["name"].lower()]
    at = int(first(query, "page", "1")) if first(query, "page", "1").isdecimal() else 1
    pages = max(-(-len(matching) // PAGE), 1)
    at = min(max(at, 1), pages)
    by_hand = set(ordered_by_hand(session))
    rows = [
        one
        | {"role": plan["roles"].get(one["name"], "other"), "suggested": one["role"]}
        | {"notes": [in_the_studio(note) for note in one["notes"]], "coarser": coarser_of(one["notes"])}
        | {"gaps": any(GAPS in note for note in one["notes"])}
        | {"kind": kind_of(plan["kinds"].get(one["name"], one["kind"]))}
        | {"by_hand": one["name"] in by_hand, "put": isinstance(plan["kinds"].get(one["name"]), list)}
        for one in matching[(at - 1) * PAGE : at * PAGE]
    ]
    by_role = {role: [n for n, its in plan["roles"].items() if its == role] for role in ROLES}
    return {
        "rows": rows,
        "find": first(query, "find"),
        "page": at,
        "pages": pages,
        "count": len(found),
        "by_role": {role: names for role, names in by_role.items() if names and role != "other"},
        "roles": ROLE_WORDS,
        "kinds": KINDS,
        "stands_for": _people(session),
        "confirmed": plan["looks_right"],
    }


def _people(session: Session) -> int | None:
    """How many people all records stand for, where that is counted already."""
    found = session.telling.facts if session.telling.about(session.telling_mark) else None
    return found.get("people") if found else None


def kind_of(kind: object) -> str:
    """The kind, also where an order of categories is given in its place.

    >>> kind_of(["low", "high"])
    'ordinal'
    """
    return kind if isinstance(kind, str) else "ordinal"


def in_the_studio(note: str) -> str:
    """A note of the library with the words of the menu in place of options of the command line.

    >>> in_the_studio("taken as ranks: --nominal if they are names")
    'taken as ranks: kind “name” if they are names'
    """
    plain = COARSER.sub("", note).replace(GAPS, "")
    return OPTIONS.sub(lambda found: f"kind “{KIND_WORDS[found[1]]}”", plain)


def coarser_of(notes: Iterable[str]) -> tuple[str, str] | None:
    """How the page of hierarchies makes a column tell less, where a note says how: the way, what to type.

    >>> coarser_of(["less, `shoal hierarchy make FILE --column zip --prefix 3,1 -o zip.csv`"])
    ('prefixes', '3, 1')
    """
    found = next((match for note in notes if (match := COARSER.search(note))), None)
    return None if found is None else (WAYS[found[1]], found[2].replace(",", ", "))


def set_role(session: Session, form: Form) -> str:
    """One column, or several that were marked, get a role."""
    role = check_choice("role", first(form, "role"), ROLES)
    names = _columns(session, form)
    if role in SINGLE and len(names) > 1:
        raise InvalidInput(f"At most one column has the role {role}; name one.")
    roles = dict.fromkeys(names, role)
    before = [n for n, its in session.plan["roles"].items() if its == role and role in SINGLE]
    released = {name: "other" for name in before if name not in names}  # the role moves
    said = f"{', '.join(names[:3])}{' ...' if len(names) > 3 else ''}: {ROLE_WORDS[role].name}"
    session.change(said, roles={**released, **roles})
    return KEEP if not released else ""


def set_kind(session: Session, form: Form) -> str:
    """One column gets another kind, or an order of its categories."""
    kind = check_choice("kind", first(form, "kind"), KINDS)
    names = _columns(session, form)
    session.change(f"{', '.join(names[:3])}: {kind}", kinds=dict.fromkeys(names, kind))
    return ""  # an ordered column gets its link, another loses it


def looks_right(session: Session, form: Form) -> str:
    """The person has read the roles and agrees."""
    session.change("roles looked at", looks_right=True)
    return "risk"


def _columns(session: Session, form: Form) -> list[str]:
    known = (session.source.facts or {"names": []})["names"]
    names = form.get("column") or []
    if not names or any(name not in known for name in names):
        raise InvalidInput("There is no such column in the file that is open; look at the page again.")
    return names


def state(session: Session) -> State:
    """Done once the person said that it looks right."""
    if session.columns.facts is None:
        return ""
    return "done" if session.plan["looks_right"] else "needs you"


COLUMNS = Screen(
    "columns", "Columns", facts, {"role": set_role, "kind": set_kind, "looks-right": looks_right}, state
)
