"""One step looked at closely: where extremes are cut, how categories swap, what is hidden."""

from __future__ import annotations

from typing import Any

from shoal.errors import InvalidInput
from shoal.studio.method_words import words_of_method
from shoal.studio.screens.hierarchy_screen import numbers
from shoal.studio.screens.screen import Facts, Form, Screen, first
from shoal.studio.session import Session

WIDE, HIGH = 600, 140  # of the histogram, in its own units
SHADES = 10  # of a heat table
LEAST, MOST = 1, 10  # importance of a column


def facts(session: Session, query: Form) -> Facts:
    """The card that is looked at, and what its method shows."""
    card = _card(session, first(query, "id") or str(session.step_seen))
    if card is None:
        return {"card": None}
    session.step_seen = card["id"]
    session.look_at_step(card["id"])
    found = session.closer.facts if session.closer.about(session.closer_mark(card["id"])) else None
    importance = card.get("importance") or {}
    return {
        "card": card,
        "words": words_of_method(card["method"]),
        "problem": session.closer.problem if session.closer.about(session.closer_mark(card["id"])) else "",
        "cuts": [{**one, **drawn(one)} for one in found["cuts"]] if found and "cuts" in found else [],
        "matrices": [_shaded(one) for one in found["matrices"]] if found and "matrices" in found else [],
        "hidden": [
            {**one, "importance": importance.get(one["column"], LEAST)}
            for one in (found or {}).get("hidden", [])
        ],
        "found": found,
        "p": (card.get("matrices") or {}).get("p") if isinstance(card.get("matrices"), dict) else None,
        "wide": WIDE,
        "high": HIGH,
        "least": LEAST,
        "most": MOST,
    }


def drawn(one: dict[str, Any]) -> dict[str, Any]:
    """Bars and the line of the cut, in the units of the picture.

    >>> drawn({"counts": [1, 2], "low": 0.0, "high": 10.0, "cut": 5.0})["line"]
    300.0
    """
    tallest, step = max(one["counts"]) or 1, WIDE / len(one["counts"])
    width = one["high"] - one["low"] or 1.0
    bars = [
        {"x": round(at * step, 1), "w": round(step * 0.92, 1), "h": round(HIGH * (count / tallest) ** 0.5, 1)}
        for at, count in enumerate(one["counts"])
    ]
    line = round(min(max(WIDE * (one["cut"] - one["low"]) / width, 0.0), WIDE), 1)
    return {"bars": bars, "line": line, "step": f"{width / 200:.3g}"}


def _shaded(one: dict[str, Any]) -> dict[str, Any]:
    """Shades of the cells, from 0 to the darkest."""
    cells = [[(value, min(round(value / 100 * SHADES), SHADES)) for value in row] for row in one["matrix"]]
    return {**one, "cells": cells}


def cut(session: Session, form: Form) -> str:
    """The cut of one column where it was dragged or typed; the others stay where they are."""
    card = _needed(session, form)
    column, value = first(form, "column"), numbers(first(form, "cut"))
    found = session.closer.facts if session.closer.about(session.closer_mark(card["id"])) else None
    if len(value) != 1 or not found or all(one["column"] != column for one in found.get("cuts", [])):
        raise InvalidInput("Say one number for the cut; the picture must be there first.")
    threshold = {one["column"]: one["cut"] for one in found["cuts"]} | {column: value[0]}
    return _set(session, card, f"cut of {column}: {value[0]:g}", threshold=threshold, quantile=None)


def importance(session: Session, form: Form) -> str:
    """How much a cell of every column matters: less important ones are hidden first."""
    card = _needed(session, form)
    given = {name.partition(":")[2]: numbers(first(form, name)) for name in form if name.startswith("of:")}
    if any(len(value) != 1 or not LEAST <= value[0] <= MOST for value in given.values()):
        raise InvalidInput(f"Importance is a number from {LEAST} to {MOST}.")
    known = set(session.plan["roles"])
    if not set(given) <= known:
        raise InvalidInput("There is no such column in the file that is open; look at the page again.")
    wanted = {name: value[0] for name, value in given.items() if value[0] != LEAST}
    return _set(session, card, "importance of columns", importance=wanted or None)


def chance(session: Session, form: Form) -> str:
    """The chance that a category stays: the diagonal of the matrix."""
    card, given = _needed(session, form), numbers(first(form, "p"))
    if card["method"] != "pram" or len(given) != 1 or not 0 < given[0] <= 1:
        raise InvalidInput("The chance to stay is a number above 0, at most 1, such as 0.8.")
    before = card.get("matrices")
    before = before if isinstance(before, dict) and "method" in before else {"method": "invariant_matrix"}
    return _set(session, card, f"chance to stay: {given[0]:g}", matrices={**before, "p": float(given[0])})


def _set(session: Session, card: Any, said: str, **options: Any) -> str:
    changed = {**card, **options}
    changed = {name: value for name, value in changed.items() if value is not None}
    if changed != card:
        steps = [changed if one["id"] == card["id"] else one for one in session.plan["steps"]]
        session.change(said, steps=steps)
    return ""


def _card(session: Session, number: str) -> Any:
    return next((one for one in session.plan["steps"] if str(one["id"]) == number), None)


def _needed(session: Session, form: Form) -> Any:
    card = _card(session, first(form, "id"))
    if card is None:
        raise InvalidInput("This step is no longer there; look at the page again.")
    session.step_seen = card["id"]
    return card


STEP = Screen(
    "step", "One step", facts, {"cut": cut, "importance": importance, "chance": chance}, under="protect"
)
