"""Order: which of the ordered values of a column comes first, said by hand."""

from __future__ import annotations

from typing import Any

from shoal.errors import InvalidInput
from shoal.studio.screens.screen import Facts, Form, Screen, first
from shoal.studio.session import Session

PATIENCE = 3.0  # seconds a page waits for the categories


def facts(session: Session, query: Form) -> Facts:
    """The categories of a column in the order they have now."""
    names = ordered_by_hand(session)
    column = first(query, "column") or session.ordering[0]
    column = column if column in names else next(iter(names), "")
    shown: Facts = {"names": names, "column": column, "rows": [], "problem": "", "late": False}
    if not column:
        return shown
    job = session.worker.ask("look_at_order", slot="order", plan=dict(session.plan), column=column)
    done = job.over.wait(PATIENCE)
    if done and job.state == "done":
        session.ordering = column, job.answer["categories"]
        shown["rows"] = list(zip(job.answer["categories"], job.answer["records"], strict=True))
    return shown | {"late": not done, "problem": job.answer if job.state == "failed" else ""}


def ordered_by_hand(session: Session) -> list[str]:
    """The columns of the kind "ordered" that hold words."""
    kinds = session.plan["kinds"]
    return [
        one["name"]
        for one in session.columns.facts or []
        if one["words"] and is_ordered(kinds.get(one["name"], one["kind"]))
    ]


def is_ordered(kind: Any) -> bool:
    """Whether a kind is "ordered", or an order itself.

    >>> is_ordered("nominal"), is_ordered("ordinal"), is_ordered(["low", "high"])
    (False, True, True)
    """
    return not isinstance(kind, str) or kind == "ordinal"


def put(session: Session, form: Form) -> str:
    """The categories by the places that were typed; equal places stay as they were."""
    column, categories = session.ordering
    if not column or column != first(form, "column") or column not in ordered_by_hand(session):
        raise InvalidInput("Another column is looked at by now; open the order of this one again.")
    places = [_place(first(form, f"place:{at}", str(at + 1))) for at in range(len(categories))]
    order = [categories[at] for at in sorted(range(len(categories)), key=places.__getitem__)]
    session.change(f"order of {column}", kinds={column: order})
    return ""


def _place(text: str) -> float:
    try:
        place = float(text.replace(",", "."))
    except ValueError:
        place = float("nan")
    if not abs(place) < 1e9:
        raise InvalidInput(
            "Every place is a number: 1 for the lowest value, 2 for the next; 1.5 lies between."
        )
    return place


ORDER = Screen("order", "Order", facts, {"put": put}, under="columns")
