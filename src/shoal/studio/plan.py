"""The plan: all that was decided about a file, as plain values; never a record, never a seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shoal.models.promise import Promise
from shoal.studio.paths_below import folder_of
from shoal.table import ROLES
from shoal.types import Role
from shoal.workflow.recipe import Recipe

Plan = Mapping[str, Any]

EMPTY: Plan = {
    "source": "",
    "read": {},
    "roles": {},
    "kinds": {},
    "looks_right": False,
    "promise": {},
    "steps": [],
    "hierarchies": {},
}
OWN = ("id", "on")  # what a card has besides the step it stands for


def roles_in(plan: Plan) -> dict[Role, list[str]]:
    """Column names by role, as recipes write them.

    >>> roles_in({**EMPTY, "roles": {"age": "quasi", "note": "other", "sex": "quasi"}})
    {'quasi': ['age', 'sex']}
    """
    given = plan["roles"]
    found: dict[Role, list[str]] = {
        role: [name for name, its in given.items() if its == role] for role in ROLES if role != "other"
    }
    return {role: names for role, names in found.items() if names}


def steps_in(plan: Plan) -> list[dict[str, Any]]:
    """The steps that are switched on, as a recipe has them.

    >>> steps_in({**EMPTY, "steps": [{"id": 1, "on": True, "method": "shuffle"}, {"id": 2, "on": False}]})
    [{'method': 'shuffle'}]
    """
    return [plain_step(card) for card in plan["steps"] if card.get("on", True)]


def plain_step(card: Mapping[str, Any]) -> dict[str, Any]:
    """The step a card stands for."""
    return {name: value for name, value in card.items() if name not in OWN}


def promise_in(plan: Plan) -> Promise:
    """What the release is to keep."""
    return Promise.from_dict(plan["promise"])


def with_steps(plan: Plan, steps: Iterable[Mapping[str, Any]]) -> Plan:
    """The plan with these steps as its cards, all switched on.

    >>> with_steps(EMPTY, [{"method": "shuffle"}])["steps"]
    [{'id': 1, 'on': True, 'method': 'shuffle'}]
    """
    return {**plan, "steps": [{"id": at, "on": True, **step} for at, step in enumerate(steps, 1)]}


def recipe_in(plan: Plan) -> Recipe | None:
    """The recipe of a plan, or None while it has no step."""
    steps = steps_in(plan)
    if not steps:
        return None
    name = Path(plan["source"]).stem or "recipe"
    return Recipe(name, roles_in(plan), steps, plan["kinds"], promise_in(plan), hierarchies_in(plan))


def hierarchies_in(plan: Plan, place: str | Path | None = None) -> dict[str, Any]:
    """How columns generalise; files of the project folder with their whole path, or as lying in `place`.

    >>> hierarchies_in({**EMPTY, "source": "data/a.csv", "hierarchies": {"town": "hierarchies/town.csv"}})
    {'town': 'data/a.shoal/hierarchies/town.csv'}
    """
    folder = folder_of(Path(plan["source"])) if place is None else Path(place)
    return {
        name: str(folder / given) if isinstance(given, str) else given
        for name, given in plan["hierarchies"].items()
    }


def counted_part(plan: Plan) -> dict[str, Any]:
    """What the figures of the file as it is depend on."""
    return {name: plan[name] for name in ("source", "read", "roles", "kinds", "hierarchies")}


def masked_part(plan: Plan) -> dict[str, Any]:
    """What the figures of the protected file depend on."""
    return {**counted_part(plan), "promise": plan["promise"], "steps": steps_in(plan)}
