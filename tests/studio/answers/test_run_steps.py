"""What the cards say: the figures of all are about the same columns, and grow from card to card."""

from __future__ import annotations

import pytest

from shoal.datasets import make_census
from shoal.io import write_table
from shoal.studio.answers.desk import Desk
from shoal.studio.answers.run_steps import run_steps
from shoal.studio.plan import EMPTY


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "people.csv"
    write_table(make_census(300, rng=0), path, identifiers=True, shuffle=False)
    names = make_census(1, rng=0).names()
    known = dict.fromkeys(names, "other") | dict.fromkeys(("region", "sex", "age"), "quasi")
    return {**EMPTY, "source": str(path), "roles": known | {"income": "confidential"}, "promise": {"k": 5}}


def losses(plan, steps):
    cards = [{"id": at, "on": True, **step} for at, step in enumerate(steps, 1)]
    facts = run_steps(Desk(), lambda progress: None, plan={**plan, "steps": cards}, seed=1)
    return [one["loss"] for one in facts["steps"]], facts["after"]


def test_a_further_step_never_gives_something_back(plan):
    """A cap changes one column by little: the mean over all changed columns alone would fall."""
    ranges = {"method": "mondrian", "columns": ["region", "sex", "age"]}
    cap = {"method": "top_code", "quantile": 0.99, "columns": ["income"]}
    (alone,), after = losses(plan, [ranges])
    assert (after["loss"], after["compared"]) == (alone, 3)
    both, after = losses(plan, [ranges, cap])
    assert both[0] < both[1] == after["loss"]
    assert after["compared"] == 4
