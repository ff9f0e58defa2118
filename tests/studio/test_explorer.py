"""The second worker: what is finished is there while it runs, stays after a stop, and belongs to its plan."""

from __future__ import annotations

import time

import pytest

from shoal.studio.explorer import Explorer, explored_part
from shoal.studio.plan import EMPTY


def plan_of(people, **more):
    roles = {"age": "quasi", "sex": "quasi", "region": "quasi", "person": "identifier"}
    return {**EMPTY, "source": str(people), "roles": roles, "promise": {"k": 3}, **more}


@pytest.fixture
def explorer():
    made = Explorer()
    yield made
    made.close()


def until(condition, seconds=180):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_points_come_one_by_one_and_stay_after_a_stop(explorer, people):
    plan = plan_of(people)
    explorer.start(plan, 1, grid="thorough", ways=[], sizes=[])
    until(lambda: len(explorer.points) >= 2 or not explorer.running)
    assert 2 <= len(explorer.points) <= explorer.found["planned"]
    explorer.stop()
    until(lambda: not explorer.running, 30)
    assert len(explorer.points) >= 2
    assert all(
        set(point) >= {"name", "steps", "kept", "loss", "risk", "k", "words"} for point in explorer.points
    )


def test_it_knows_what_it_is_about(explorer, people):
    plan = plan_of(people)
    explorer.start(plan, 1, grid="own", ways=["mondrian"], sizes=[3])
    until(lambda: not explorer.running)
    assert [point["kept"] for point in explorer.points] == [True]
    assert explorer.about({**plan, "steps": [{"id": 1, "method": "shuffle"}]})
    assert not explorer.about({**plan, "promise": {"k": 4}})
    explorer.forget()
    assert explorer.points == []


def test_a_refusal_is_a_sentence(explorer, people):
    explorer.start(plan_of(people, roles={}), 1, grid="quick", ways=[], sizes=[])
    until(lambda: not explorer.running)
    assert "No column is marked as known to others" in explorer.problem
    assert explorer.points == []


def test_nothing_is_started_before_it_is_asked():
    made = Explorer(lambda: pytest.fail("a process was started"))
    made.stop()
    made.close()
    assert made.left is None
    assert "steps" not in explored_part(EMPTY)
