"""Two protections side by side, each with the draw that is released."""

from __future__ import annotations

from shoal.studio.answers.compare_two import compare_two
from shoal.studio.answers.desk import Desk
from shoal.studio.answers.run_steps import run_steps
from shoal.studio.plan import EMPTY, with_steps

# the second one draws
ONE = [{"method": "mondrian"}]
TWO = [
    {"method": "mondrian"},
    {"method": "pram", "matrices": {"method": "frequency_matrix", "p": 0.5}},
]


def test_both_are_the_tables_that_taking_one_would_release(people):
    roles = {"region": "quasi", "sex": "quasi", "age": "quasi", "person": "identifier"}
    plan = {**EMPTY, "source": str(people), "roles": roles, "promise": {"k": 3}}
    said, pinned = [], [{"name": "a", "steps": ONE}, {"name": "b", "steps": TWO}]
    found = compare_two(Desk(), said.append, plan=plan, seed=7, pinned=pinned)
    assert [one["name"] for one in found] == ["a", "b"]
    for one, steps in zip(found, (ONE, TWO), strict=True):
        taken = run_steps(Desk(), lambda progress: None, plan=with_steps(plan, steps), seed=7)
        assert one["after"] == taken["after"]
        assert {column["name"] for column in one["columns"]} >= {"region", "sex", "age"}
    assert found[0]["after"] != found[1]["after"]
    assert [p.fraction for p in said] == sorted(p.fraction for p in said)
