"""Compare: every column before and after, most changed first."""

from __future__ import annotations

from shoal.studio.plan import steps_in
from shoal.studio.screens.distribution_bars import HIGH, WIDE, bars
from shoal.studio.screens.pinned_pair import pair_facts, unpin
from shoal.studio.screens.screen import Facts, Form, Screen, first
from shoal.studio.session import Session

SHOWN = 12  # columns on a page
HOW = {
    "unchanged": "as it was",
    "suppressed": "some cells are missing",
    "coarser": "coarser values",
    "other values": "other values",
}


def facts(session: Session, query: Form) -> Facts:
    """The columns of this page of the list, with bars to draw."""
    session.look_at_both()
    fresh = session.compared.about(session.masked_mark)
    found = session.compared.facts if fresh else None
    wanted = first(query, "show")
    whole = wanted == "all"
    columns = [one for one in found["columns"] if one["how"] != "unchanged"] if found else []
    return {
        "found": found,
        "problem": session.compared.problem if fresh else "",
        "steps": bool(steps_in(session.plan)),
        "columns": [
            {**one, "bars": bars(one["shape"]), "said": HOW[one["how"]]}
            for one in columns[: None if whole else SHOWN]
        ],
        "more": 0 if whole else max(0, len(columns) - SHOWN),
        "same": [one["name"] for one in found["columns"] if one["how"] == "unchanged"] if found else [],
        "wide": WIDE,
        "high": HIGH,
        **pair_facts(session),
    }


COMPARE = Screen("compare", "Compare", facts, {"unpin": unpin}, outside=("unpin",))
