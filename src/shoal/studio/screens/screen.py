"""A screen: an address, what its template shows, and what can be done on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from shoal.studio.session import Session

Form: TypeAlias = Mapping[str, list[str]]  # as a browser posts it; also the query of an address
Facts: TypeAlias = dict[str, Any]
Action: TypeAlias = Callable[[Session, Form], "str | None"]
State: TypeAlias = Literal["", "done", "needs you"]

KEEP = "(keep)"  # the page already shows what was done: only meter, header and drawer are sent


@dataclass(frozen=True)
class Screen:
    """One page of the studio.

    Parameters
    ----------
    name
        Its address and, with .html, its template.
    title
        What it is called.
    facts
        `f(session, query)` gives what the template shows.
    actions
        What can be posted to /name/action: `f(session, form)` changes the plan and gives None (show the
        screen again), KEEP, or the name of another screen to go to.
    state
        Whether it is done or needs the person.
    outside
        Actions that do not change the plan, so that an old page may do them.
    under
        The screen it belongs to, where it is none of those in the list beside the page.
    """

    name: str
    title: str
    facts: Callable[[Session, Form], Facts]
    actions: Mapping[str, Action] = field(default_factory=dict)
    state: Callable[[Session], State] = lambda session: ""
    outside: tuple[str, ...] = ()
    under: str = ""


def first(form: Form, name: str, default: str = "") -> str:
    """The value of a field, blanks around it removed.

    >>> first({"k": [" 5 "]}, "k")
    '5'
    """
    return (form.get(name) or [default])[0].strip()
