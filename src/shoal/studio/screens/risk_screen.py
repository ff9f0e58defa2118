"""Risk: who is alone, in which groups, which columns give it away, and the promise."""

from __future__ import annotations

from typing import Any

from shoal._check import check_names
from shoal.errors import InvalidInput
from shoal.models.promise import Promise
from shoal.studio.meter import alone_and_below
from shoal.studio.screens.screen import Facts, Form, Screen, State, first
from shoal.studio.session import Session

RISKIEST = 20  # records whose places are shown on request
BARS = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, None))  # records in a group: from, to


def facts(session: Session, query: Form) -> Facts:
    """Groups of look-alikes and what every column gives away."""
    found, plan = session.risk.facts, session.plan
    session.look_at_telling()
    telling = session.telling.facts if session.telling.about(session.telling_mark) else None
    k = plan["promise"].get("k")
    alone, below = alone_and_below(found["sizes"], k) if found and found["sizes"] else (0, None)
    return {
        "counted": found,
        "stale": not session.risk.about(session.risk_mark),
        "alone": alone,
        "below": below,
        "smallest": min(found["sizes"]) if found and found["sizes"] else 0,
        "bars": bars(found["sizes"], k) if found else [],
        "telling": telling,
        "telling_problem": session.telling.problem if session.telling.about(session.telling_mark) else "",
        "live": session.live,
        "riskiest": session.riskiest.facts if session.riskiest.about(session.risk_mark) else None,
        "riskiest_problem": session.riskiest.problem if session.riskiest.about(session.risk_mark) else "",
        "most": RISKIEST,
        "weight": next((name for name, role in plan["roles"].items() if role == "weight"), ""),
        "promise": plan["promise"],
        "confidential": [name for name, role in plan["roles"].items() if role == "confidential"],
        "households": "household" in plan["roles"].values(),
    }


def bars(sizes: dict[int, int], k: int | None) -> list[dict[str, Any]]:
    """Records by the size of their group, and whether all of the bar is below k.

    >>> [(bar["label"], bar["records"], bar["below"]) for bar in bars({1: 3, 7: 7}, 5)[:4]]
    [('alone', 3, True), ('2', 0, True), ('3–4', 0, True), ('5–9', 7, False)]
    """
    found: list[dict[str, Any]] = []
    for low, high in BARS:
        records = sum(n for size, n in sizes.items() if size >= low and (high is None or size <= high))
        label = (
            "alone"
            if low == 1
            else f"{low}+"
            if high is None
            else str(low)
            if low == high
            else f"{low}–{high}"
        )
        below = k is not None and high is not None and high < k
        found.append({"label": label, "records": records, "below": below})
    most = max((bar["records"] for bar in found), default=1) or 1
    return [bar | {"share": 100.0 * bar["records"] / most} for bar in found]


def promise(session: Session, form: Form) -> str:
    """What the release must keep; nothing has a default."""
    given: dict[str, Any] = {}
    if first(form, "k"):
        given["k"] = _number(first(form, "k"), "k", whole=True)
    if first(form, "max_risk"):
        given["max_risk"] = _number(first(form, "max_risk"), "the highest risk") / 100.0
    for sign in ("l", "t"):
        asked = {
            name.partition(":")[2]: _number(first(form, name), sign, whole=sign == "l")
            for name in form
            if name.startswith(f"{sign}:") and first(form, name)
        }
        if asked:
            given[sign] = asked
    kept = {
        name: value
        for name, value in session.plan["promise"].items()
        if name not in ("k", "max_risk", "l", "t")
    }
    made = Promise.from_dict({**kept, **given})
    check_names(made.confidential, list(session.plan["roles"]))
    said = made.to_dict()
    gone: dict[str, Any] = dict.fromkeys(session.plan["promise"])
    session.change("promise: " + (", ".join(_words(said)) or "none"), promise={**gone, **said})
    return ""


def _words(said: dict[str, Any]) -> list[str]:
    return [
        f"{name} = {value:g}" if isinstance(value, int | float) else f"{name} of {', '.join(value)}"
        for name, value in said.items()
    ]


def _number(text: str, what: str, *, whole: bool = False) -> Any:
    try:
        return int(text) if whole else float(text.replace(",", ".").rstrip(" %"))
    except ValueError:
        kind = "a whole number" if whole else "a number"
        raise InvalidInput(f"For {what} {kind} is needed, such as {'5' if whole else '9'}.") from None


def riskiest(session: Session, form: Form) -> str:
    """Where the records lie that stand out most; asking is noted in the project."""
    if not session.plan["source"]:
        raise InvalidInput("Choose a file first, on the page File.")
    session.look_for_riskiest(RISKIEST)
    return ""


def telling(session: Session, form: Form) -> str:
    """What every column of a large file gives away."""
    session.look_at_telling(whole=True)
    return ""


def state(session: Session) -> State:
    """Done once something is promised."""
    if session.risk.facts is None:
        return ""
    return "done" if session.plan["promise"] else "needs you"


RISK = Screen(
    "risk",
    "Risk",
    facts,
    {"promise": promise, "riskiest": riskiest, "telling": telling},
    state,
    ("riskiest", "telling"),
)
