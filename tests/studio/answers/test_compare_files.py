"""The answer that compares: plain values, most changed first, refused where the table is gone."""

from __future__ import annotations

import json

import pytest

from shoal.errors import InvalidInput
from shoal.studio.answers import Desk
from shoal.studio.answers.compare_files import compare_files
from shoal.studio.answers.run_steps import run_steps
from shoal.studio.plan import EMPTY


def test_it_compares_what_was_run(people):
    roles = {"age": "quasi", "sex": "quasi", "education": "quasi"}
    steps = [{"id": 1, "on": True, "method": "microaggregate"}]
    plan = {**EMPTY, "source": str(people), "roles": roles, "promise": {"k": 3}, "steps": steps}
    desk, tell = Desk(), lambda progress: False
    with pytest.raises(InvalidInput, match="no longer in memory"):
        compare_files(desk, tell, plan=plan)
    run_steps(desk, tell, plan=plan, seed=1)
    found = compare_files(desk, tell, plan=plan)
    assert json.dumps(found)
    losses = [one["loss"] for one in found["columns"]]
    assert losses == sorted(losses, reverse=True)
    changed = [one for one in found["columns"] if one["how"] != "unchanged"]
    assert {one["name"] for one in changed} <= set(roles)
    assert all(one["shape"] for one in changed)
    assert len(found["notice"]) == 3
