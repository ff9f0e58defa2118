"""Explore: many protections on a map of loss and risk; one of them becomes the steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.errors import InvalidInput
from shoal.studio.answers.explore_grid import WAYS
from shoal.studio.screens.pinned_pair import pin
from shoal.studio.screens.screen import Facts, Form, Screen, State, first
from shoal.studio.session import Session

WIDTH, HEIGHT = 640, 400  # pixels of the map
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 16, 48  # room for the words beside the map
MOST_SIZES = 6  # different k of one exploration: each costs a grid of its own


def facts(session: Session, query: Form) -> Facts:
    """The map and the table of what is finished."""
    explorer = session.explorer
    points = [{"id": place, **point} for place, point in enumerate(explorer.points)]
    drawn = [point for point in points if point["loss"] is not None]
    best = min((p for p in drawn if p["kept"]), key=lambda p: (p["loss"], p["risk"]), default=None)
    return {
        "points": sorted(points, key=lambda p: (not p["kept"], p["loss"] is None, p["loss"] or 0.0)),
        "map": _map(drawn, best),
        "best": best,
        "planned": explorer.found["planned"],
        "running": explorer.running,
        "percent": round(100 * explorer.job.fraction) if explorer.running and explorer.job else 0,
        "left": in_words(explorer.left),
        "problem": explorer.problem,
        "pins": [one["name"] for one in session.pins],
        "old": bool(explorer.job) and not explorer.about(session.plan),
        "ways": WAYS,
        "promise": session.plan["promise"],
        "now": session.masked.facts["after"] if session.masked.facts else None,
    }


def _map(drawn: list[dict[str, Any]], best: dict[str, Any] | None) -> Facts:
    """Where every point stands, and the ticks of both axes."""
    across = ticks([point["loss"] for point in drawn])
    up = ticks([point["risk"] for point in drawn])
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(loss: float, risk: float) -> tuple[float, float]:
        return round(LEFT + wide * loss / across[-1], 1), round(TOP + high * (1 - risk / up[-1]), 1)

    front = sorted((p for p in drawn if p["front"]), key=lambda p: (p["loss"], -p["risk"]))
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "top": TOP,
        "bottom": HEIGHT - BOTTOM,
        "across": [(at(tick, 0)[0], f"{tick:g}") for tick in across],
        "up": [(at(0, tick)[1], f"{tick:g}") for tick in up],
        "points": [
            {**p, "x": at(p["loss"], 0)[0], "y": at(0, p["risk"])[1], "best": p is best} for p in drawn
        ],
        "front": " ".join("{},{}".format(*at(p["loss"], p["risk"])) for p in front),
    }


def ticks(values: list[float]) -> list[float]:
    """Round numbers from 0 to beyond the largest value.

    >>> ticks([3.2, 17.0]), ticks([])
    ([0.0, 5.0, 10.0, 15.0, 20.0], [0.0, 25.0, 50.0, 75.0, 100.0])
    """
    largest = max(values, default=100.0) or 1.0
    power = 10.0 ** np.floor(np.log10(largest / 4))
    step = float(next(m * power for m in (1, 2, 2.5, 5, 10) if 5 * m * power >= largest * 1.04))
    count = int(np.ceil(largest / step - 1e-9))
    return [round(step * at, 10) for at in range(count + 1)]


def in_words(seconds: float | None) -> str:
    """A time that is left, roughly.

    >>> in_words(3.2), in_words(100), in_words(None)
    ('some seconds left', 'about 2 minutes left', '')
    """
    if seconds is None:
        return ""
    if seconds < 8:
        return "some seconds left"
    if seconds < 55:
        return f"about {round(seconds / 5) * 5} seconds left"
    return f"about {max(1, round(seconds / 60))} minute{'s' if seconds >= 90 else ''} left"


def start(session: Session, form: Form) -> str:
    """Try a grid in the background."""
    plan = session.plan
    if not plan["source"]:
        raise InvalidInput("Choose a file first, on the page File.")
    if not plan["promise"]:
        raise InvalidInput("Say first how many records shall look alike, on the page Risk.")
    grid = first(form, "grid", "quick")
    if grid not in ("quick", "thorough", "own"):
        raise InvalidInput("Choose what to try: quick, thorough or your own.")
    ways = [way for way in form.get("way", []) if way in WAYS]
    if grid == "own" and not ways:
        raise InvalidInput("Mark at least one way to protect.")
    sizes = sizes_of(first(form, "sizes"), plan["promise"].get("k"))
    session.pins = []
    session.explorer.start(plan, session.seed, grid=grid, ways=ways, sizes=sizes)
    return ""


def sizes_of(text: str, promised: int | None) -> list[int]:
    """Several k, separated by commas or blanks; the promised one if none is given.

    >>> sizes_of("3, 5 10", None), sizes_of("", 5)
    ([3, 5, 10], [5])
    """
    words = text.replace(",", " ").split()
    if not all(word.isdecimal() and 2 <= int(word) <= 100_000 for word in words):
        raise InvalidInput("Every k is a whole number of at least 2; write them as 3, 5, 10.")
    if len(words) > MOST_SIZES:
        raise InvalidInput(f"At most {MOST_SIZES} different k at once.")
    return sorted({int(word) for word in words}) or ([promised] if promised else [])


def stop(session: Session, form: Form) -> str:
    """Stop trying; what is finished stays."""
    session.explorer.stop()
    return ""


def adopt(session: Session, form: Form) -> str:
    """A point that keeps the promise takes the place of the cards; undo brings them back."""
    name = first(form, "name")
    found = next((one for one in session.explorer.points if one["name"] == name), None)
    if found is None or not session.explorer.about(session.plan):
        raise InvalidInput("This is no longer on the map; explore once more.")
    if not found["kept"]:
        raise InvalidInput("This one does not keep the promise, so it cannot be taken.")
    session.adopt(found)
    return "protect"


def state(session: Session) -> State:
    """Nothing is needed here; done once something was found for this plan."""
    return "done" if session.explorer.points and session.explorer.about(session.plan) else ""


EXPLORE = Screen(
    "explore",
    "Explore",
    facts,
    {"start": start, "stop": stop, "adopt": adopt, "pin": pin},
    state,
    ("start", "stop", "pin"),
)
