"""Protect: one card per step of the recipe; whatever the menus of the library offer can be added."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shoal.errors import InvalidInput
from shoal.studio.method_words import GROUPS, START, words_of_method
from shoal.studio.plan import plain_step, recipe_in
from shoal.studio.screens.option_fields import FORMS, fields_of, unsaid, value_of
from shoal.studio.screens.screen import Facts, Form, Screen, State, first
from shoal.studio.session import Session
from shoal.workflow.describe_options import describe_options
from shoal.workflow.registry import STEPS, find_method

CAPS = ("top_code", "bottom_code")
CLOSER = {
    "top_code": "Look at the histogram and move the cut",
    "bottom_code": "Look at the histogram and move the cut",
    "pram": "Look at the matrices, expected and drawn",
    "suppress_to_k": "Say which columns matter most",
}
FITTED = {"join_centres", "mask_strata"}  # made of a step by fitting it, not by hand


def facts(session: Session, query: Form) -> Facts:
    """The cards with their effects, and what can be added."""
    plan = session.plan
    fresh = session.masked.about(session.masked_mark)
    effects = iter(session.masked.facts["steps"] if fresh and session.masked.facts else [])
    shown = []
    for card in plan["steps"]:
        effect = next(effects, None) if card.get("on", True) else None
        shown.append(_card(card, effect, session))
    return {
        "cards": shown,
        "menu": menu(),
        "promise": plan["promise"],
        "tried": session.tried.facts if session.tried.about(session.tried_mark) else None,
        "trying": any(job.slot == "tried" for job in session.pending),
        "problem": session.masked.problem if fresh else "",
        "columns": [n for n, role in plan["roles"].items() if role not in ("identifier", "household")],
    }


def _card(card: Mapping[str, Any], effect: Any, session: Session) -> dict[str, Any]:
    words = words_of_method(card["method"])
    fields = fields_of(card, words.main, session.plan["promise"])
    return {
        "id": card["id"],
        "on": card.get("on", True),
        "method": card["method"],
        "words": words,
        "main": [field for field in fields if field["main"]],
        "more": [field for field in fields if not field["main"]],
        "effect": effect,
        "unsaid": [name.replace("_", " ") for name in unsaid(card, session.plan["promise"])],
        "closer": CLOSER.get(card["method"], ""),
    }


def menu() -> dict[str, list[tuple[str, Any]]]:
    """Methods that can be added, by what they are for."""
    found: dict[str, list[tuple[str, Any]]] = {group: [] for group in GROUPS}
    for method in STEPS:
        name = method.__name__
        needed = [
            field
            for field in describe_options(method)
            if field.needed and field.name not in START.get(name, {})
        ]
        if name not in FITTED and all(field.type in FORMS for field in needed):
            words = words_of_method(name)
            found.setdefault(words.group, []).append((name, words))
    return {group: entries for group, entries in found.items() if entries}


def add(session: Session, form: Form) -> str:
    """A new card at the end."""
    method = find_method(first(form, "method"), STEPS).__name__
    k = session.plan["promise"].get("k")
    fields = {field.name for field in describe_options(method) if field.needed}
    if "k" in fields and not k and not session.plan["promise"].get("max_risk"):
        raise InvalidInput(
            "This step needs to know how many shall look alike; promise a k on the page Risk first."
        )
    card = {"id": _next(session), "on": True, "method": method, **START.get(method, {})}
    card |= _columns(session, method)
    card["on"] = not unsaid(card, session.plan["promise"])
    _change(session, f"step added: {words_of_method(method).title}", [*session.plan["steps"], card])
    return ""


def _columns(session: Session, method: str) -> dict[str, list[str]]:
    """Extremes are capped where amounts are confidential, unless somebody says otherwise."""
    if method not in CAPS:
        return {}
    plan = session.plan
    amounts = [
        one["name"]
        for one in session.columns.facts or []
        if plan["roles"].get(one["name"]) == "confidential"
        and plan["kinds"].get(one["name"], one["kind"]) == "numeric"
    ]
    return {"columns": amounts} if amounts else {}


def options(session: Session, form: Form) -> str:
    """The options of one card as they stand in its form."""
    card = _find(session, form)
    given = dict(card)
    for field in describe_options(card["method"]):
        if field.type not in FORMS or f"has:{field.name}" not in form:
            continue
        value = value_of(field, form, card.get(field.name))
        if value is None:
            given.pop(field.name, None)
        else:
            given[field.name] = value
    if given == card:
        return ""
    if not unsaid(given, session.plan["promise"]) and unsaid(card, session.plan["promise"]):
        given["on"] = True  # it only waited for this
    title = words_of_method(card["method"]).title
    _change(
        session,
        f"options of {title}",
        [given if one["id"] == card["id"] else one for one in session.plan["steps"]],
    )
    return ""


def move(session: Session, form: Form) -> str:
    """One place up or down, or to a place where it was dropped."""
    card, steps = _find(session, form), list(session.plan["steps"])
    at, place = steps.index(card), first(form, "to")
    dropped = place.isdecimal() and len(place) < 6
    to = int(place) if dropped else at + (-1 if first(form, "way") == "up" else 1)
    if 0 <= to < len(steps) and to != at:
        steps.insert(to, steps.pop(at))
        _change(session, f"moved: {words_of_method(card['method']).title}", steps)
    return ""


def turn(session: Session, form: Form) -> str:
    """Switch a step off without losing it, or on again."""
    missing = unsaid(_find(session, form), session.plan["promise"])
    if missing:
        raise InvalidInput(f"Fill in {', '.join(missing).replace('_', ' ')} first; the step needs it.")
    return _edit(session, form, "switched", lambda card: [{**card, "on": not card.get("on", True)}])


def duplicate(session: Session, form: Form) -> str:
    """The same step once more, behind it."""
    return _edit(session, form, "twice", lambda card: [card, {**card, "id": _next(session)}])


def remove(session: Session, form: Form) -> str:
    """The card goes; undo brings it back."""
    return _edit(session, form, "removed", lambda card: [])


def reach(session: Session, form: Form) -> str:
    """Try a few protections and take the one that keeps the promise and loses least."""
    if first(form, "k"):
        from shoal.studio.screens.risk_screen import promise

        promise(session, {**form, "k": form["k"]})
    if not session.plan["promise"]:
        raise InvalidInput("Say first how many records shall look alike, such as 5.")
    session.reach()
    return ""


def adopt(session: Session, form: Form) -> str:
    """Take another one of those that were tried."""
    name = first(form, "name")
    found = [one for one in session.tried.facts or [] if one["name"] == name and one["kept"]]
    if not found or not session.tried.about(session.tried_mark):
        raise InvalidInput("This is no longer on the list; let it try once more.")
    session.adopt(found[0])
    return ""


def _edit(session: Session, form: Form, what: str, edit: Callable[[Any], list[Any]]) -> str:
    card = _find(session, form)
    steps = [
        new for one in session.plan["steps"] for new in (edit(one) if one["id"] == card["id"] else [one])
    ]
    _change(session, f"{what}: {words_of_method(card['method']).title}", steps)
    return ""


def _change(session: Session, said: str, steps: list[Any]) -> None:
    """Only what makes a recipe is taken."""
    promise = session.plan["promise"]
    recipe_in({**session.plan, "steps": [{**one, "on": True} for one in steps if not unsaid(one, promise)]})
    session.change(said, steps=steps)


def _find(session: Session, form: Form) -> Any:
    wanted = first(form, "id")
    for card in session.plan["steps"]:
        if str(card["id"]) == wanted:
            return card
    raise InvalidInput("This step is no longer there; look at the page again.")


def _next(session: Session) -> int:
    return max((card["id"] for card in session.plan["steps"]), default=0) + 1


def state(session: Session) -> State:
    """Done once the promise is kept by figures that are up to date."""
    if not session.plan["promise"]:
        return ""
    facts = session.masked.facts if session.masked.about(session.masked_mark) else None
    return "done" if facts and facts["after"]["kept"] and plain_steps(session) else "needs you"


def plain_steps(session: Session) -> list[dict[str, Any]]:
    """The steps that are on."""
    return [plain_step(card) for card in session.plan["steps"] if card.get("on", True)]


PROTECT = Screen(
    "protect",
    "Protect",
    facts,
    {
        "add": add,
        "options": options,
        "move": move,
        "turn": turn,
        "duplicate": duplicate,
        "remove": remove,
        "reach": reach,
        "adopt": adopt,
    },
    state,
)
