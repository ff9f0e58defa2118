"""Pin two points of the map, see them side by side, take one."""

from __future__ import annotations

import pytest

from shoal.errors import InvalidInput
from shoal.studio.screens.pinned_pair import pair_facts, pin
from studio.conftest import BASE, wait
from studio.screens.test_explore_screen import Found, point

SAME = {"origin": BASE}
POINTS = [
    point("<i>one</i>", 10.0, 20.0),
    point("two", 5.0, 30.0) | {"steps": [{"method": "mondrian"}, {"method": "shuffle", "columns": ["age"]}]},
    point("three", 7.0, 10.0, kept=False)
    | {"steps": [{"method": "top_code", "quantile": 0.9, "columns": ["age"]}]},
    point("failed", None, None, kept=False),
]


@pytest.fixture
def explored(client, session, people):
    session.open("people.csv")
    wait(session)
    roles = dict.fromkeys(session.plan["roles"], "other") | dict.fromkeys(("region", "sex", "age"), "quasi")
    session.change("said", roles=roles | {"person": "identifier"}, promise={"k": 3})
    wait(session)
    session.explorer = Found(POINTS)
    return client


def post(client, session, target, /, **fields):
    return client.post(target, headers=SAME, data={"revision": str(session.history.number), **fields})


def names(session):
    return [one["name"] for one in session.pins]


def test_two_at_most_and_pins_are_let_go(explored, session):
    for name, then in (
        ("two", ["two"]),
        ("three", ["two", "three"]),
        ("<i>one</i>", ["three", "<i>one</i>"]),
        ("three", ["<i>one</i>"]),
    ):
        assert post(explored, session, "/explore/pin", name=name).status_code == 303
        assert names(session) == then
    assert explored.get("/explore").text.count('aria-pressed="true"') == 1
    assert pair_facts(session)["pinned"] == []
    for name, said in (("failed", "no figures"), ("no such", "no longer on the map")):
        with pytest.raises(InvalidInput, match=said):
            pin(session, {"name": [name]})


def test_side_by_side_then_taken(explored, session):
    before = session.history.number
    post(explored, session, "/explore/pin", name="<i>one</i>")
    post(explored, session, "/explore/pin", name="three")
    assert 'href="/compare#pair"' in explored.get("/explore").text
    assert "Both are being run" in explored.get("/compare").text
    wait(session)
    page = explored.get("/compare").text
    assert session.paired.facts, session.paired.problem
    one, three = session.paired.facts
    assert "<i>one" not in page
    assert "take-pinned-1" in page
    assert "take-pinned-2" not in page, "it does not keep the promise"
    assert (one["after"]["kept"], three["after"]["kept"]) == (True, False)
    assert "Columns, those in which they differ most first" in page
    assert session.history.number == before, "looking is no change"
    assert post(explored, session, "/explore/adopt", name="<i>one</i>").status_code == 303
    wait(session)
    assert session.masked.facts["after"] == one["after"], "what was seen is what is taken"
    assert post(explored, session, "/compare/unpin").status_code == 303
    assert "Two protections" not in explored.get("/compare").text


def test_pins_of_another_plan_are_said_to_be_old(explored, session):
    post(explored, session, "/explore/pin", name="<i>one</i>")
    post(explored, session, "/explore/pin", name="two")
    session.explorer = Found(POINTS, about=False)
    page = explored.get("/compare").text
    assert "have changed since these were pinned" in page
    assert not session.pending
    session.open("people.csv")
    assert session.pins == []


def test_what_cannot_be_run_is_one_sentence(explored, session):
    broken = point("broken", 1.0, 1.0) | {"steps": [{"method": "global_recode", "levels": {"age": 1}}]}
    session.explorer = Found([broken, POINTS[1]])
    post(explored, session, "/explore/pin", name="broken")
    post(explored, session, "/explore/pin", name="two")
    explored.get("/compare")
    wait(session)
    assert session.paired.problem
    assert "unexpected" not in session.paired.problem
    assert session.paired.problem.split(":")[0].split("'")[0] in explored.get("/compare").text
