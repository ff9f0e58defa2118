"""Explore: what is posted, what is refused, what the map shows."""

from __future__ import annotations

import pytest

from shoal.errors import InvalidInput
from shoal.studio.screens import explore_screen
from shoal.studio.screens.explore_screen import sizes_of, ticks


def point(name, loss, risk, *, kept=True, front=False):
    return {"name": name, "words": "", "steps": [{"method": "mondrian", "k": 5}], "kept": kept, "why_not": "",
            "front": front, "k": 5, "loss": loss, "risk": risk, "seconds": 1.0}  # fmt: skip


class Found:
    """An explorer that has found these."""

    running, job, problem, left = False, object(), "", None

    def __init__(self, points, about=True):
        self.points, self._about = points, about
        self.found = {"planned": len(points), "points": points}

    def about(self, plan):
        return self._about

    def stop(self):
        pass

    forget = close = stop


def test_the_map_holds_every_point_and_names_the_best_that_keeps(session):
    session.explorer = Found(
        [point("a", 10.0, 20.0, front=True), point("b", 5.0, 30.0, kept=False), point("c", None, None)]
    )
    shown = explore_screen.facts(session, {})
    assert shown["best"]["name"] == "a"
    assert [one["name"] for one in shown["map"]["points"]] == ["a", "b"]
    for one in shown["map"]["points"]:
        assert shown["map"]["left"] <= one["x"] <= shown["map"]["right"]
        assert shown["map"]["top"] <= one["y"] <= shown["map"]["bottom"]
    assert [one["name"] for one in shown["points"]] == ["a", "c", "b"]


def test_only_what_keeps_the_promise_and_is_new_can_be_taken(session):
    session.explorer = Found([point("a", 10.0, 20.0), point("b", 5.0, 30.0, kept=False)])
    with pytest.raises(InvalidInput, match="does not keep the promise"):
        explore_screen.adopt(session, {"name": ["b"]})
    with pytest.raises(InvalidInput, match="no longer on the map"):
        explore_screen.adopt(session, {"name": ["z"]})
    assert explore_screen.adopt(session, {"name": ["a"]}) == "protect"
    assert session.plan["steps"] == [{"id": 1, "on": True, "method": "mondrian", "k": 5}]
    session.undo()
    assert session.plan["steps"] == []
    session.explorer = Found([point("a", 10.0, 20.0)], about=False)
    with pytest.raises(InvalidInput, match="no longer on the map"):
        explore_screen.adopt(session, {"name": ["a"]})


def test_bad_grids_are_refused(session, people):
    session.history.change("open", source=str(people), promise={"k": 5})
    refused = {
        "Choose what to try": {"grid": ["all"]},
        "at least one way": {"grid": ["own"]},
        "whole number": {"grid": ["own"], "way": ["mondrian"], "sizes": ["3, x"]},
    }
    for said, form in refused.items():
        with pytest.raises(InvalidInput, match=said):
            explore_screen.start(session, form)
    session.history.change("no promise", promise={"k": None})
    with pytest.raises(InvalidInput, match="how many records"):
        explore_screen.start(session, {"grid": ["quick"]})


@pytest.mark.parametrize("largest", [1e-6, 0.3, 1.0, 7.7, 33.0, 99.9, 100.0, 512.0])
def test_ticks_are_few_and_reach_beyond(largest):
    found = ticks([largest])
    assert found[0] == 0
    assert found[-1] >= largest
    assert 3 <= len(found) <= 7


def test_at_most_six_sizes():
    with pytest.raises(InvalidInput, match="At most 6"):
        sizes_of("2 3 4 5 6 7 8", None)


def test_the_page_is_shown_in_every_state(client, session, people):
    assert "Choose a file first" in client.get("/explore").text
    session.history.change("open", source=str(people))
    assert "Say first what you promise" in client.get("/explore").text
    session.history.change("promise", promise={"k": 5})
    session.explorer = Found([point("<b>a</b>", 10.0, 20.0), point("b", 5.0, 30.0, kept=False)])
    text = client.get("/explore").text
    assert "&lt;b&gt;a&lt;/b&gt;" in text
    assert "<b>a</b>" not in text
    assert text.count('role="button"') == 2
    assert text.count('aria-disabled="true"') == 1
