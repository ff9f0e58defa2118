"""Hierarchies on their page: a draft, kept, used, undone; files of the project outlive a move."""

from __future__ import annotations

import shutil

import pytest

from shoal.studio.screens.hierarchy_screen import numbers, typed
from shoal.studio.session import Session
from studio.conftest import BASE, wait

SAME = {"origin": BASE}


@pytest.fixture
def opened(client, session, people):
    session.open("people.csv")
    wait(session)
    return client


def post(client, session, path, **fields):
    found = client.post(path, headers=SAME, data={"revision": str(session.history.number), **fields})
    wait(session)
    return found


def test_draft_keep_use_undo(opened, session, people):
    assert "has no levels yet" in opened.get("/hierarchy?column=age").text or wait(session)
    assert (
        post(opened, session, "/hierarchy/look", column="age", way="widths", how="5, 20").status_code == 303
    )
    assert session.plan["hierarchies"] == {}, "a draft changes nothing"
    opened.get("/hierarchy?column=age")
    wait(session)
    shown = opened.get("/hierarchy?column=age").text
    assert "Draft for" in shown
    assert "[20, 40)" in shown
    assert post(opened, session, "/hierarchy/keep", column="age").status_code == 303
    assert session.plan["hierarchies"] == {"age": {"widths": [5, 20]}}
    assert list((people.parent / "people.shoal/hierarchies").glob("age-*.csv"))
    assert post(opened, session, "/hierarchy/use", column="age", level="2").status_code == 303
    assert session.plan["steps"][0]["levels"] == {"age": 2}
    assert session.masked.facts is not None, session.masked.problem
    assert "in use" in opened.get("/hierarchy?column=age").text
    post(opened, session, "/hierarchy/use", column="age", level="0")
    assert session.plan["steps"] == []
    post(opened, session, "/undo")
    assert session.plan["steps"][0]["levels"] == {"age": 2}
    post(opened, session, "/hierarchy/forget", column="age")
    assert session.plan["hierarchies"] == {}
    assert "has no levels yet" in session.masked.problem, "the step needs them, and says so"
    assert 'has no levels yet: make them under Protect, Look at hierarchies. <a href="/hierarchy">' in (
        opened.get("/protect").text.replace("&#39;", "'")
    )


def test_by_hand_lies_in_the_project_and_moves_with_it(opened, session, people, tmp_path):
    opened.get("/hierarchy?column=sex")
    wait(session)
    given = {"column": "sex", "way": "table", "value": ["male", "female"], "level:1": ["anybody", "anybody"]}
    assert post(opened, session, "/hierarchy/look", **given).status_code == 303
    opened.get("/hierarchy?column=sex")
    wait(session)
    post(opened, session, "/hierarchy/keep", column="sex")
    name = session.plan["hierarchies"]["sex"]
    assert name.startswith("hierarchies/sex-")
    post(opened, session, "/hierarchy/use", column="sex", level="1")
    assert session.masked.facts is not None, session.masked.problem
    assert f"people.shoal/{name}" in opened.get("/protect").text, "the drawer names the file as it lies"
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    shutil.copytree(tmp_path / "people.shoal", moved / "people.shoal")
    shutil.copy(people, moved / "people.csv")
    again = Session(moved)
    try:
        again.open("people.csv")
        wait(again)
        assert again.masked.facts is not None, again.masked.problem
    finally:
        again.worker.close()


WRONG = [
    ("look", {"column": "age", "way": "widths", "how": "five"}),
    ("look", {"column": "age", "way": "widths", "how": ""}),
    ("look", {"column": "age", "way": "no-such", "how": "1"}),
    ("look", {"column": "no-such", "way": "widths", "how": "1"}),
    ("look", {"column": "age", "way": "prefixes", "how": "1.5"}),
    ("look", {"column": "age", "way": "file", "how": "../../etc/passwd"}),
    ("look", {"column": "age", "way": "table", "value": ["1", "2"], "level:1": ["a"]}),
    ("keep", {"column": "age"}),
    ("use", {"column": "age", "level": "1"}),
]


def test_what_cannot_be_done(opened, session):
    before = session.history.number
    for action, fields in WRONG:
        assert post(opened, session, f"/hierarchy/{action}", **fields).status_code == 422, (action, fields)
    assert session.history.number == before


def test_levels_as_typed():
    assert numbers(" 5,10  2.5 ") == [5, 10, 2.5]
    assert typed([[18.0, 30.5]]) == "18, 30.5"
