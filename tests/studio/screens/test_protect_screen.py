"""Cards: every method of the menu can be added, waits for what it needs, and takes options of options."""

from __future__ import annotations

import pytest

from shoal.studio.method_words import words_of_method
from shoal.studio.screens.protect_screen import menu
from studio.conftest import BASE, wait

SAME = {"origin": BASE}
METHODS = [name for entries in menu().values() for name, _ in entries]


@pytest.fixture
def opened(client, session, people):
    session.open("people.csv")
    wait(session)
    session.change("promise", promise={"k": 3})
    session.worker.close()  # what is counted is not looked at here
    return client


def post(client, session, path, **fields):
    return client.post(path, headers=SAME, data={"revision": str(session.history.number), **fields})


def test_every_method_can_be_added_and_says_what_it_waits_for(opened, session):
    for name in METHODS:
        assert post(opened, session, "/protect/add", method=name).status_code == 303, name
    page = opened.get("/protect")
    assert page.status_code == 200
    assert "Waits for" in page.text
    waiting = [card["method"] for card in session.plan["steps"] if not card["on"]]
    assert set(waiting) <= {
        *("protect_clusters", "swap_records", "keep_edits"),
        *("global_recode", "multivariate_top_code"),
    }
    assert "protect_clusters" in waiting
    assert all(words_of_method(name).sentence for name in METHODS)


def test_a_card_wakes_when_it_has_what_it_needs(opened, session):
    post(opened, session, "/protect/add", method="protect_clusters")
    assert not session.plan["steps"][0]["on"]
    assert post(opened, session, "/protect/turn", id="1").status_code == 422
    given = {"id": "1", "has:clusters": "1", "clusters": "3", "has:masker": "1", "masker": "mondrian"}
    assert post(opened, session, "/protect/options", **given).status_code == 303, session.plan["steps"]
    assert not session.plan["steps"][0]["on"], "the method inside needs its own k"
    assert "masker.k" in opened.get("/protect").text
    post(opened, session, "/protect/options", **given, **{"masker.k": "3"})
    assert session.plan["steps"][0]["on"]
    assert session.plan["steps"][0]["masker"] == {"method": "mondrian", "k": 3}


def test_options_of_options(opened, session):
    post(opened, session, "/protect/add", method="pram")
    given = {"id": "1", "has:matrices": "1", "matrices": "frequency_matrix", "matrices.p": "0.7"}
    post(opened, session, "/protect/options", **given)
    assert session.plan["steps"][0]["matrices"] == {"method": "frequency_matrix", "p": 0.7}
    assert 'name="matrices.p" id="of-1-matrices.p" value="0.7"' in opened.get("/protect").text
    given["matrices.p"] = "1.7"
    assert post(opened, session, "/protect/options", **given).status_code == 422
