"""The meter: the verdict and the figures before and after, always there, with what is being worked on."""

from __future__ import annotations

from typing import Any

from shoal.studio.plan import promise_in, steps_in
from shoal.studio.session import Session
from shoal.studio.words import figure, people

DOING = {
    "open_source": "reading the file",
    "look_at_columns": "looking at the columns",
    "count_risk": "counting look-alikes",
    "count_columns": "looking at every column",
    "riskiest_records": "looking for the riskiest records",
    "look_at_hierarchy": "counting levels",
    "keep_hierarchy": "keeping the hierarchy",
    "look_at_step": "looking at a step",
    "run_steps": "protecting",
    "compare_files": "comparing both files",
    "compare_two": "comparing two protections",
    "estimate_loss": "estimating the loss on a sample",
    "reach_goal": "trying protections",
    "write_release": "writing",
    "release_linked": "protecting linked tables",
}


def meter(session: Session) -> dict[str, Any]:
    """What the meter shows now."""
    with session.lock:
        jobs = [job for job in session.pending if job.what in DOING]
        problems = [
            (slot, found.problem)
            for slot in ("source", "columns", "risk", "masked", "tried")
            if (found := getattr(session, slot)).problem
        ]
        before, after = _before(session), _after(session)
        stale = session.source.facts is not None and not session.risk.about(session.risk_mark)
        stale_after = bool(steps_in(session.plan)) and not session.masked.about(session.masked_mark)
        return {
            "verdict": verdict(session, before, after, stale_after),
            "good": bool(after) and not stale_after and after["kept"] and bool(session.plan["promise"]),
            "rows": _rows(before, after, session.plan["promise"].get("k")),
            "stale": stale,
            "stale_after": stale_after,
            "halted": bool(session.halted) and not jobs,
            "waits_for_person": stale_after and not session.live and not jobs and not session.halted,
            "guess": session.guessed.facts if session.guessed.about(session.masked_mark) else None,
            "jobs": [
                {
                    "text": job.message or DOING[job.what] if job.what == "reach_goal" else DOING[job.what],
                    "percent": round(100 * job.fraction),
                    "slot": job.slot,
                }
                for job in jobs
            ],
            "problems": problems,
            "notes": [*session.notes, *_warnings(session)],
            "revision": session.history.number,
        }


def alone_and_below(sizes: dict[int, int], k: int | None) -> tuple[int, int | None]:
    """Records that are alone, and records in groups below k.

    >>> alone_and_below({1: 3, 2: 4, 8: 8}, 5)
    (3, 7)
    """
    below = None if k is None else sum(n for size, n in sizes.items() if size < k)
    return sizes.get(1, 0), below


def _before(session: Session) -> dict[str, Any]:
    facts = session.risk.facts
    if not facts or not facts["sizes"]:
        return {}
    alone, below = alone_and_below(facts["sizes"], session.plan["promise"].get("k"))
    k = min(facts["sizes"])
    return {"k": k, "alone": alone, "below": below, "highest": 100.0 / k, "records": facts["records"]}


def _after(session: Session) -> dict[str, Any]:
    facts = session.masked.facts
    if not facts or not steps_in(session.plan):
        return {}
    below = alone_and_below(facts["after"]["sizes"], session.plan["promise"].get("k"))[1]
    return {**facts["after"], "below": below}


def _rows(before: dict[str, Any], after: dict[str, Any], k: int | None) -> list[tuple[str, str, str]]:
    """(what, before, after) as texts."""
    if not before:
        return []
    rows = [("k", figure(before["k"]), figure(after.get("k")))]
    rows += [("alone", figure(before["alone"]), figure(after.get("alone")))]
    if k:
        rows += [(f"below {k}", figure(before["below"]), figure(after.get("below")))]
    rows += [("highest risk", figure(before["highest"], unit=" %"), figure(after.get("highest"), unit=" %"))]
    columns = after.get("compared")
    lost = f"lost, {columns} column{'' if columns == 1 else 's'}" if columns else "lost"
    rows += [(lost, figure(0.0, unit=" %"), figure(after.get("loss"), unit=" %"))]
    return [(what, was, "" if now == "–" else now) for what, was, now in rows]


def verdict(session: Session, before: dict[str, Any], after: dict[str, Any], stale: bool) -> str:
    """One sentence that says where the file stands."""
    if not session.plan["source"]:
        return "No file is open yet."
    if not before:
        if session.risk.facts is not None:
            return "No column is marked as known to others, so nothing is counted."
        return "The file is being read." if session.pending else "The file is not counted yet."
    k = promise_in(session.plan).class_size if session.plan["promise"] else 0
    if after and not stale:
        return str(after["headline"])
    if before["alone"]:
        of = people(before["records"])
        return f"{before['alone']:,} of {of} are alone with what others may know."
    if k and before["k"] >= k:
        return f"The file as it is already keeps k = {k}."
    return f"Every record looks like at least {before['k'] - 1:,} other{'s' if before['k'] > 2 else ''}."


def _warnings(session: Session) -> list[str]:
    found = [*session.source.warnings, *session.masked.warnings]
    return list(dict.fromkeys(found))[:5]
