"""Compare: the page before and after there is something to show."""

from __future__ import annotations

import time


def wait_for(session):
    end = time.monotonic() + 60
    while session.pending:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_page_compares_the_tables_that_are_shown(client, session, people):
    assert "Choose a file first" in client.get("/compare").text
    session.open(people.name)
    wait_for(session)
    assert "Nothing is protected yet" in client.get("/compare").text
    session.change("promise", promise={"k": 3}, roles={"age": "quasi", "sex": "quasi", "region": "other"})
    session.change("step", steps=[{"id": 1, "on": True, "method": "mondrian"}])
    wait_for(session)
    client.get("/compare")
    wait_for(session)
    text = client.get("/compare").text
    assert "exactly as before" in text
    assert "most changed first" in text
    assert session.compared.facts["columns"][0]["loss"] >= session.compared.facts["columns"][-1]["loss"]
    assert session.compared.problem == ""
