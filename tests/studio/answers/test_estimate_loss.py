"""The loss of a large file is estimated on a sample; k and risk are not, and wait to be counted."""

from __future__ import annotations

import sys

import pytest

from studio.conftest import BASE, wait

SAME = {"origin": BASE}


@pytest.fixture
def large(monkeypatch, client, session, people):
    monkeypatch.setattr("shoal.studio.session.LIVE", 50)
    session.open("people.csv")
    wait(session)
    few = {**dict.fromkeys(session.plan["roles"], "other"), "age": "quasi", "sex": "quasi"}
    session.change("few", roles=few, promise={"k": 3}, steps=[{"id": 1, "on": True, "method": "mondrian"}])
    wait(session)
    return client


def test_the_loss_is_estimated_and_k_is_not(large, session):
    assert session.masked.facts is None
    assert session.guessed.facts["sample"] == 200
    assert 0 < session.guessed.facts["loss"] < 100
    page = large.get("/protect").text
    assert "Estimate on a sample of 200 records" in page
    assert "k and risk are never taken from a sample" in page
    assert '<td class="after">–</td>' in page
    assert large.post("/again", headers=SAME).status_code == 303
    wait(session)
    assert session.masked.facts["after"]["kept"]
    assert session.masked.facts["after"]["loss"] == pytest.approx(session.guessed.facts["loss"], abs=10)
    assert "Estimate on a sample" not in large.get("/protect").text


def test_the_sample_is_no_more_than_that(monkeypatch, people):
    from shoal.studio.answers.desk import Desk
    from shoal.studio.plan import EMPTY

    answer = sys.modules["shoal.studio.answers.estimate_loss"]
    monkeypatch.setattr(answer, "SAMPLE", 60)
    plan = {**EMPTY, "source": str(people), "roles": {"age": "quasi"}, "promise": {"k": 3}}
    plan |= {"steps": [{"id": 1, "on": True, "method": "microaggregate"}]}
    found = answer.estimate_loss(Desk(), lambda progress: None, plan=plan, seed=1)
    assert found["sample"] == 60
