"""One step on its page: the cut typed, the chance to stay, importance; each a revision, or a sentence."""

from __future__ import annotations

import pytest

from studio.conftest import BASE, wait

SAME = {"origin": BASE}


@pytest.fixture
def opened(client, session, people):
    session.open("people.csv")
    wait(session)
    session.change(
        "few keys",
        roles={
            **dict.fromkeys(session.plan["roles"], "other"),
            "age": "quasi",
            "sex": "quasi",
            "income": "confidential",
        },
        promise={"k": 3},
    )
    wait(session)
    return client


def post(client, session, path, **fields):
    found = client.post(path, headers=SAME, data={"revision": str(session.history.number), **fields})
    wait(session)
    return found


def seen(client, session):
    client.get("/step?id=1")
    wait(session)
    return client.get("/step?id=1").text


def test_the_cut_is_typed(opened, session):
    post(opened, session, "/protect/add", method="top_code")
    assert "Cap the highest values" in seen(opened, session)
    assert 'class="cut-line"' in seen(opened, session)
    assert post(opened, session, "/step/cut", id="1", column="income", cut="40000").status_code == 303
    assert session.plan["steps"][0]["threshold"] == {"income": 40000}
    assert "quantile" not in session.plan["steps"][0]
    assert "40,000" in seen(opened, session)


def test_the_chance_to_stay(opened, session):
    post(opened, session, "/protect/add", method="pram")
    assert "expected to change" in seen(opened, session)
    assert post(opened, session, "/step/chance", id="1", p="0.6").status_code == 303
    assert session.plan["steps"][0]["matrices"] == {"method": "invariant_matrix", "p": 0.6}


def test_importance(opened, session):
    post(opened, session, "/protect/add", method="suppress_to_k")
    assert "Importance of age" in seen(opened, session)
    given = {"id": "1", "of:age": "10", "of:sex": "1"}
    assert post(opened, session, "/step/importance", **given).status_code == 303
    assert session.plan["steps"][0]["importance"] == {"age": 10}


WRONG = [
    ("cut", {"id": "9", "column": "income", "cut": "1"}),
    ("cut", {"id": "1", "column": "no such", "cut": "1"}),
    ("cut", {"id": "1", "column": "income", "cut": "much"}),
    ("chance", {"id": "1", "p": "0.5"}),
    ("importance", {"id": "1", "of:age": "11"}),
    ("importance", {"id": "1", "of:no such": "2"}),
]


def test_what_cannot_be_done(opened, session):
    post(opened, session, "/protect/add", method="top_code")
    seen(opened, session)
    before = session.history.number
    for action, fields in WRONG:
        assert post(opened, session, f"/step/{action}", **fields).status_code == 422, (action, fields)
    assert session.history.number == before


def test_a_step_that_is_gone(opened):
    assert "no such step" in opened.get("/step?id=99").text
