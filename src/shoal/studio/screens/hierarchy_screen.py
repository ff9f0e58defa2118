"""Hierarchies: how a column becomes coarser, level by level, with the records of every group."""

from __future__ import annotations

from typing import Any

from shoal.errors import InvalidInput
from shoal.studio.paths_below import below
from shoal.studio.screens.screen import Facts, Form, Screen, first
from shoal.studio.session import Session

WAYS = {  # way: (title, what to type, an example)
    "widths": ("Ranges of equal width", "Widths, finer ones first", "5, 10, 20"),
    "cuts": ("Cut points", "Where a new range begins; levels apart by semicolons", "18, 30, 45, 65; 30, 65"),
    "quantiles": ("Ranges with about as many records", "How many ranges every level has", "8, 4, 2"),
    "prefixes": ("First letters or digits", "How many stay on every level", "3, 1"),
    "dates": ("Dates", "Which levels: day, month, quarter, half, year, decade, century", "month, year"),
    "similar": ("Values that go with similar records", "How many groups every level has", "6, 3"),
    "file": ("A csv file", "Its path: value;group;…;*, as ARX writes it", "hierarchies/town.csv"),
}


def facts(session: Session, query: Form) -> Facts:
    """The column that is looked at, and the levels as they would be."""
    plan, known = session.plan, session.source.facts
    names = [
        name
        for name in (known["names"] if known else [])
        if plan["roles"].get(name) in ("quasi", "confidential", "stratum", "other")
    ]
    names.sort(key=lambda name: plan["roles"].get(name) != "quasi")
    column = first(query, "column") or session.drafted or (names[0] if names else "")
    if column not in names:
        column = names[0] if names else ""
    session.drafted = column
    found = _looked_at(session, column) if column else None
    kept = plan["hierarchies"].get(column)
    return {
        "names": names,
        "column": column,
        "found": found.facts if found else None,
        "problem": found.problem if found else "",
        "drafted": column in session.drafts,
        "kept": kept,
        "grown": list(plan["hierarchies"]),
        "ways": WAYS,
        "said": _said(session.drafts.get(column) or (kept if isinstance(kept, dict) else {}))
        or ({first(query, "way"): first(query, "how")} if first(query, "way") in WAYS else {}),
        "used": _level_used(session, column),
    }


def _looked_at(session: Session, column: str) -> Any:
    """The figures of the draft, or of what is kept; asked for where they are not there."""
    mark = session.grown_mark(column)
    if not session.grown.about(mark) and session.source.facts is not None:
        session.look_at_hierarchy(column)
    return session.grown if session.grown.about(mark) else None


def _said(given: dict[str, Any]) -> dict[str, str]:
    """What was typed, by way, to be typed on."""
    return {way: typed(value) for way, value in given.items() if way in WAYS and way != "file"}


def typed(value: Any) -> str:
    """Levels as people type them.

    >>> typed([5, 10.0]), typed([[18, 30], [30]])
    ('5, 10', '18, 30; 30')
    """
    if value and isinstance(value[0], list):
        return "; ".join(map(typed, value))
    return ", ".join(f"{one:g}" if isinstance(one, int | float) else str(one) for one in value)


def look(session: Session, form: Form) -> str:
    """A draft: nothing is kept yet."""
    column, way = _column(session, form), first(form, "way")
    session.drafts[column] = {way: _given(session, form, way)}
    session.drafted = column
    return ""


def _given(session: Session, form: Form, way: str) -> Any:
    text = first(form, "how")
    if way == "table":
        return _table(form)
    if way not in WAYS or not text:
        raise InvalidInput("Say how the values are to be grouped, such as 5, 10, 20.")
    if way == "file":
        return str(below(session.root, text))
    if way == "dates":
        return text.replace(",", " ").split()
    if way == "cuts":
        return [numbers(level) for level in text.split(";") if level.strip()]
    found = numbers(text)
    if way != "widths" and any(isinstance(one, float) for one in found):
        raise InvalidInput("Whole numbers are needed here, such as 8, 4, 2.")
    return found


def numbers(text: str) -> list[Any]:
    """Numbers apart by commas or blanks.

    >>> numbers("5, 10 2.5")
    [5, 10, 2.5]
    """
    try:
        return [float(word) if "." in word else int(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise InvalidInput("Numbers are needed, apart by commas, such as 5, 10, 20.") from None


def _table(form: Form) -> list[list[str]]:
    """The table that was typed: one row per value, one column per level; empty levels are left out."""
    values = form.get("value") or []
    levels = [form[name] for name in sorted(name for name in form if name.startswith("level:"))]
    if not values or any(len(level) != len(values) for level in levels):
        raise InvalidInput("The table came in parts; look at the page again.")
    levels = [level for level in levels if any(label.strip() for label in level)]
    if not levels:
        raise InvalidInput("Name at least one group.")
    return [[value, *(level[at] for level in levels)] for at, value in enumerate(values)]


def keep(session: Session, form: Form) -> str:
    """The draft becomes the hierarchy of its column, and a csv file of the project."""
    column = _column(session, form)
    if column not in session.drafts:
        raise InvalidInput("There is no draft for this column; say how its values are to be grouped.")
    if not session.grown.about(session.grown_mark(column)) or session.grown.problem:
        raise InvalidInput(session.grown.problem or "The levels are still being counted; wait a moment.")
    session.keep_hierarchy(column)
    return ""


def forget(session: Session, form: Form) -> str:
    """The draft goes, or else the hierarchy that is kept."""
    column = _column(session, form)
    if session.drafts.pop(column, None) is None and column in session.plan["hierarchies"]:
        session.change(f"hierarchy of {column} removed", hierarchies={column: None})
    return ""


def use(session: Session, form: Form) -> str:
    """A step that recodes the column to one level of what is kept; 0 takes it back."""
    column, level = _column(session, form), first(form, "level")
    if column not in session.plan["hierarchies"] or not level.isdecimal():
        raise InvalidInput("Keep the hierarchy first, then use one of its levels.")
    steps = list(session.plan["steps"])
    at = _step_of(steps)
    if at is None:
        number = max((card["id"] for card in steps), default=0) + 1
        steps.insert(0, {"id": number, "on": True, "method": "global_recode", "levels": {}})
        at = 0
    levels = {**(steps[at].get("levels") or {}), column: int(level)}
    levels = {name: value for name, value in levels.items() if value}
    steps[at] = {**steps[at], "on": True, "levels": levels}
    if not levels and not steps[at].get("cuts") and not steps[at].get("merge"):
        del steps[at]
    session.change(f"{column}: level {int(level)}", steps=steps)
    return ""


def _step_of(steps: list[dict[str, Any]]) -> int | None:
    return next((at for at, card in enumerate(steps) if card["method"] == "global_recode"), None)


def _level_used(session: Session, column: str) -> int:
    steps = session.plan["steps"]
    at = _step_of(steps)
    return int((steps[at].get("levels") or {}).get(column, 0)) if at is not None else 0


def _column(session: Session, form: Form) -> str:
    column = first(form, "column")
    known = (session.source.facts or {"names": []})["names"]
    if column not in known:
        raise InvalidInput("There is no such column in the file that is open; look at the page again.")
    return column


HIERARCHY = Screen(
    "hierarchy",
    "Coarser values",
    facts,
    {"look": look, "keep": keep, "forget": forget, "use": use},
    outside=("look", "keep"),
    under="protect",
)
