"""The order of ordered values: typed as places, kept in the plan, used by what is counted and released."""

from __future__ import annotations

import html
import re

import pytest

from shoal.workflow.project.project import Project
from studio.conftest import BASE, wait

SAME = {"origin": BASE}
SCHOOL = ["primary", "high, school", "<b>degree</b>", ""]


@pytest.fixture
def opened(client, session, tmp_path):
    rows = "".join(f"{SCHOOL[i % 4] and chr(34) + SCHOOL[i % 4] + chr(34)},{i % 7}\n" for i in range(80))
    (tmp_path / "a.csv").write_text("school,age\n" + rows)
    session.open("a.csv")
    wait(session)
    session.change("roles", roles={"school": "quasi", "age": "other"}, promise={"k": 3})
    wait(session)
    return client


def post(client, session, target, /, **fields):
    return client.post(target, headers=SAME, data={"revision": str(session.history.number), **fields})


def shown(client):
    return [
        html.unescape(one)
        for one in re.findall(r'<th scope="row" dir="auto">(.*?)</th>', client.get("/order").text)
    ]


def test_an_order_is_put_and_kept(opened, session, tmp_path):
    assert "/order?column=" not in opened.get("/columns").text
    assert "No column of words is ordered" in opened.get("/order").text
    post(opened, session, "/columns/kind", column="school", kind="ordinal")
    wait(session)
    assert "Put its values in order" in opened.get("/columns").text
    assert shown(opened) == ["<b>degree</b>", "high, school", "primary"], "the alphabet, gaps left out"
    assert "<b>degree" not in opened.get("/order").text
    fields = {"place:0": "3", "place:1": "2,5", "place:2": "1"}
    assert post(opened, session, "/order/put", column="school", **fields).status_code == 303
    wait(session)
    assert session.plan["kinds"] == {"school": ["primary", "high, school", "<b>degree</b>"]}
    assert session.risk.facts["sizes"] == {20: 80}, session.risk.problem
    assert shown(opened) == ["primary", "high, school", "<b>degree</b>"]
    assert "Change the order" in opened.get("/columns").text
    kept = Project.read(tmp_path / "a.shoal" / "project.toml").tables["table"]
    assert list(kept.kinds["school"]) == ["primary", "high, school", "<b>degree</b>"]
    post(opened, session, "/undo")
    assert session.plan["kinds"] == {"school": "ordinal"}


def test_steps_run_with_the_order_and_the_drawer_says_it(opened, session):
    post(opened, session, "/columns/kind", column="school", kind="ordinal")
    wait(session)
    opened.get("/order")
    post(opened, session, "/order/put", column="school", **{"place:0": "3", "place:1": "2", "place:2": "1"})
    post(opened, session, "/protect/add", method="mondrian")
    wait(session)
    assert session.masked.facts, session.masked.problem
    text = html.unescape(opened.get("/protect").text)
    assert 'school = ["primary", "high, school", "<b>degree</b>"]' in text.replace("&#34;", '"'), (
        "in the drawer"
    )


@pytest.mark.parametrize("place", ["x", "nan", "inf", "1e12", ""])
def test_what_is_no_place_is_refused(opened, session, place):
    post(opened, session, "/columns/kind", column="school", kind="ordinal")
    wait(session)
    opened.get("/order")
    before = session.history.number
    assert post(opened, session, "/order/put", column="school", **{"place:0": place}).status_code == 422
    assert session.history.number == before


def test_another_column_is_refused(opened, session):
    assert post(opened, session, "/order/put", column="age").status_code == 422
    assert post(opened, session, "/order/put", column="no such").status_code == 422
    assert session.plan["kinds"] == {}


def test_dates_are_in_order_by_themselves(client, session, tmp_path):
    rows = "".join(f"{2000 + i % 9}-0{1 + i % 9}-11,{SCHOOL[i % 3][:4]}\n" for i in range(60))
    (tmp_path / "b.csv").write_text("born,school\n" + rows)
    session.open("b.csv")
    wait(session)
    session.change("kinds", kinds={"school": "ordinal"})
    page = client.get("/columns").text
    assert "/order?column=school" in page
    assert "/order?column=born" not in page
