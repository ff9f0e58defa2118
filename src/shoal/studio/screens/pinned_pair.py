"""The two protections that were pinned on Explore, side by side: figures, then columns that differ most."""

from __future__ import annotations

from typing import Any

from shoal.errors import InvalidInput
from shoal.studio.screens.distribution_bars import bars, highest
from shoal.studio.screens.screen import Facts, Form, first
from shoal.studio.session import Session

SHOWN = 12  # columns side by side
PAIR = 2  # points of the map that are pinned


def pin(session: Session, form: Form) -> str:
    """Pin a point of the map, or let it go; a third one takes the place of the first."""
    name = first(form, "name")
    found = next((one for one in session.explorer.points if one["name"] == name), None)
    if found is None or not session.explorer.about(session.plan):
        raise InvalidInput("This is no longer on the map; explore once more.")
    if found["loss"] is None:
        raise InvalidInput("This one has no figures, so it cannot be compared.")
    pinned = [one for one in session.pins if one["name"] != name]
    if len(pinned) == len(session.pins):
        pinned.append({"name": name, "steps": found["steps"], "kept": found["kept"]})
    session.pins = pinned[-PAIR:]
    return ""


def unpin(session: Session, form: Form) -> str:
    """Let both go."""
    session.pins = []
    return ""


def pair_facts(session: Session) -> Facts:
    """What the page Compare shows of two pinned protections; nothing while fewer are pinned."""
    if len(session.pins) < PAIR:
        return {"pair": None, "pinned": []}
    old = not session.explorer.about(session.plan)
    if not old:
        session.look_at_pair()
    fresh = not old and session.paired.about(session.pair_mark)
    found = session.paired.facts if fresh else None
    return {
        "pinned": [one["name"] for one in session.pins],
        "pair": found and {"two": found, "figures": figures(found), "columns": side_by_side(found)},
        "pair_old": old,
        "pair_problem": session.paired.problem if fresh else "",
        "takes": [one["kept"] for one in session.pins],
    }


def figures(two: list[dict[str, Any]]) -> list[tuple[str, list[Any], str]]:
    """(what, the figure of each, unit), in the words of the meter."""
    rows = (
        ("k", "k", ""),
        ("alone", "alone", ""),
        ("highest risk", "highest", " %"),
        ("risk", "risk", " %"),
        ("lost", "loss", " %"),
        ("cells changed", "changed", ""),
    )
    return [(said, [one["after"][name] for one in two], unit) for said, name, unit in rows]


def side_by_side(two: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns that change in one of them, those that differ most first, each with both sides.

    >>> def one(loss):
    ...     return {"name": "age", "how": "coarser" if loss else "unchanged", "loss": loss, "shape": None}
    >>> found = side_by_side([{"columns": [one(0.0)]}, {"columns": [one(9.0)]}])
    >>> [[side["loss"] for side in column["sides"]] for column in found]
    [[0.0, 9.0]]
    """
    left, right = ({one["name"]: one for one in side["columns"]} for side in two)
    names = [name for name in left if name in right]
    names = [n for n in names if (left[n]["how"], right[n]["how"]) != ("unchanged", "unchanged")]
    names.sort(key=lambda name: -abs(left[name]["loss"] - right[name]["loss"]))
    found = []
    for name in names[:SHOWN]:
        sides = left[name], right[name]
        tallest = max(highest(one["shape"]) for one in sides)
        found.append({"name": name, "sides": [one | {"bars": bars(one["shape"], tallest)} for one in sides]})
    return found
